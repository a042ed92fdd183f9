import { afterEach, describe, expect, it } from 'vitest'
import type { EditorEnd } from '../../source/terminal/editor.js'
import { createFrameStore } from '../../source/ui/frame-store.js'
import type { Question } from '../../source/view/question.js'
import { createTestStore, questionOf, recordControls, snapshotOf, withEvidence } from './fixtures.js'
import { cleanup, openStage, type Stage } from './stage.js'

const down = '\u001b[B'

async function atGate(question: Question) {
  const controls = recordControls()
  const store = createTestStore(snapshotOf({ question }))
  const stops: string[] = []
  const stage = await openStage(
    { columns: 80, rows: 24 },
    { kind: 'run', frames: createFrameStore(store), controls, onStop: () => void stops.push('stop') },
  )
  const answers = () => controls.answers.map((one) => one.answer)
  return { stage, store, controls, answers, stops }
}

async function armed(question: Question) {
  const gate = await atGate(question)
  await gate.stage.wait(600)
  return gate
}

function chosen(stage: Stage): string {
  return /❯ \d .{3} *(\S+)/.exec(stage.frame())?.[1] ?? ''
}

afterEach(cleanup)

describe('a gate', () => {
  it('takes no key before it was visible and silent for half a second', async () => {
    const { stage, answers } = await atGate(questionOf('Q-APPROVE'))
    await stage.type('1')
    await stage.wait(300)
    for (let count = 0; count < 8; count += 1) {
      await stage.wait(100)
      await stage.type('\r')
    }
    expect(answers()).toEqual([])
    // Whoever typed is told that nothing came of it, until a key counts.
    expect(stage.frame()).toContain('Keys typed so far did nothing')
    await stage.wait(499)
    await stage.type('\r')
    expect(answers()).toEqual([])
    await stage.wait(500)
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'stop' }])
  })

  it('says that keys which came too early did nothing, until one counts', async () => {
    const { stage } = await atGate(questionOf('Q-APPROVE'))
    expect(stage.frame()).not.toContain('did nothing')
    await stage.type('1')
    expect(stage.frame()).toContain('did nothing')
    await stage.wait(600)
    await stage.type(down)
    expect(stage.frame()).not.toContain('did nothing')
  })

  it('leaves the safe option lit while it waits: an arrow that was meant for something else moves nothing', async () => {
    const { stage, answers } = await atGate(questionOf('Q-APPROVE'))
    await stage.type('\u001b[A')
    expect(chosen(stage)).toBe('stop')
    await stage.wait(600)
    await stage.type('\u001b[A')
    expect(chosen(stage)).toBe('skip')
    expect(answers()).toEqual([])
  })

  it('is decided by number, letter or Enter', async () => {
    for (const key of ['1', 'a', `${down}`, 'j']) {
      const { stage, answers } = await armed(questionOf('Q-APPROVE'))
      await stage.type(key)
      if (key === down || key === 'j') {
        expect(chosen(stage)).toBe('yes')
        await stage.type('\r')
      }
      expect(answers()).toEqual([{ value: 'yes' }])
      cleanup()
    }
  })

  it('keeps its option where a wheel sends arrows', async () => {
    const { stage, answers } = await armed(questionOf('Q-APPROVE'))
    const before = chosen(stage)
    await stage.type(down.repeat(3))
    await stage.type('\u001b[A'.repeat(5))
    expect(chosen(stage)).toBe(before)
    // It has not been typing either: the gate takes a key at once.
    await stage.type('1')
    expect(answers()).toEqual([{ value: 'yes' }])
  })

  it('moves on several keys in one read, but decides nothing', async () => {
    const { stage, answers } = await armed(questionOf('Q-APPROVE'))
    await stage.type('jj\r')
    expect(answers()).toEqual([])
    expect(chosen(stage)).toBe('revise')
    await stage.type('\r')
    expect(answers()).toEqual([])
    await stage.wait(500)
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'revise' }])
  })

  it('is not answered by floods and pastes', async () => {
    const { stage, answers } = await armed(questionOf('Q-APPROVE'))
    await stage.type('\r'.repeat(50))
    await stage.type('a\r'.repeat(10_000))
    await stage.type('\r')
    await stage.wait(600)
    await stage.paste('1\r')
    await stage.type('\r')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('1')
    expect(answers()).toEqual([{ value: 'yes' }])
  })

  it('decides once', async () => {
    const { stage, answers } = await armed(questionOf('Q-APPROVE'))
    await stage.type('1')
    await stage.wait(5)
    await stage.type('1')
    await stage.wait(1000)
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'yes' }])
  })

  it('waits again after a resize or a wake-up, and after typing that was meant for something else', async () => {
    const { stage, answers } = await armed(questionOf('Q-APPROVE'))
    stage.unsettle()
    await stage.type('1')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('x')
    await stage.type('1')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('qp')
    await stage.type('1')
    expect(answers()).toEqual([])
  })

  it('waits again after a reply of the terminal that came in pieces, whose rest looks like keys', async () => {
    for (const start of ['\u001b]11;rgb:1e1e/', '\u001b[?1;', '\u001bP1$r0']) {
      const { stage, answers } = await armed(questionOf('Q-APPROVE'))
      await stage.typeCut(start)
      await stage.wait(200)
      await stage.type('1')
      await stage.wait(200)
      await stage.type('2')
      expect(answers()).toEqual([])
      await stage.wait(600)
      await stage.type('1')
      expect(answers()).toEqual([{ value: 'yes' }])
    }
  })

  it('does not pass a key on to the next gate', async () => {
    const { stage, store, answers } = await armed(questionOf('Q-APPROVE'))
    await stage.type('1')
    store.set({ question: questionOf('Q-NEXT') })
    await stage.wait(10)
    await stage.type('1')
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'yes' }])
  })

  it('leaves the keys of the screen alone', async () => {
    const { stage, controls, answers, stops } = await armed(questionOf('Q-APPROVE'))
    await stage.type('p')
    await stage.type('o')
    await stage.type('q')
    expect([controls.calls, stops, answers()]).toEqual([['hold', 'reorder'], ['stop'], []])
    await stage.type('?')
    expect(stage.frame()).toContain('── Keys')
    await stage.wait(600)
    await stage.type('1')
    expect(answers()).toEqual([])
    await stage.escape()
    await stage.type('1')
    expect(answers()).toEqual([])
    expect(stage.frame()).toContain('did nothing')
    await stage.wait(600)
    await stage.type('1')
    expect(answers()).toEqual([{ value: 'yes' }])
  })

  it('shows a long body with PgDn and PgUp, and leaves them to the panes after Tab', async () => {
    const body = Array.from({ length: 60 }, (_, index) => `body ${index + 1}`)
    const { stage } = await armed({ ...questionOf('Q-APPROVE'), body })
    expect(stage.frame()).toContain('body 1\n')
    await stage.type('\u001b[6~')
    expect(stage.frame()).not.toContain('body 1\n')
    for (let count = 0; count < 20; count += 1) await stage.type('\u001b[6~')
    expect(stage.frame()).toContain('body 60\n')
    const before = stage.frame()
    await stage.type('\t')
    await stage.type('\u001b[5~')
    expect(stage.frame()).toContain('body 60\n')
    expect(stage.frame()).not.toBe(before)
  })
})

describe('an option with text', () => {
  it('sends several pasted lines, and nothing by itself', async () => {
    const { stage, answers } = await armed(questionOf('Q-REVIEW'))
    await stage.type('b')
    expect(stage.frame()).toContain('Why is this acceptable?')
    await stage.type('Because:')
    await stage.paste('\r\none\r\ntwo\u001b[31m\u0007')
    await stage.type('\r')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'override', text: 'Because:\none\ntwo\u2407' }])
  })

  it('insists on a text that is required, and goes back with Escape', async () => {
    const { stage, answers } = await armed(questionOf('Q-REVIEW'))
    await stage.type('b')
    await stage.wait(600)
    await stage.type('\r')
    expect(stage.frame()).toContain('Please write something')
    await stage.type('q')
    expect(answers()).toEqual([])
    await stage.escape()
    expect(stage.frame()).toContain('1 a  fix')
    await stage.type('1')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('1')
    expect(answers()).toEqual([{ value: 'fix' }])
  })

  it('does not take the Enter that opened it for the Enter that sends', async () => {
    const question = questionOf('human-verify')
    const options = question.options.map((option) =>
      option.text
        ? { ...option, recommended: true, text: { ...option.text, required: false } }
        : { ...option, recommended: false },
    )
    const { stage, answers } = await armed({ ...question, options })
    await stage.type('\r')
    await stage.wait(5)
    await stage.type('\r')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'reject' }])
  })

  it('keeps Enter inside of a read of several keys as a line', async () => {
    const { stage, answers } = await armed(questionOf('Q-REVIEW'))
    await stage.type('b')
    await stage.wait(600)
    await stage.type('one\rtwo')
    await stage.type('\r')
    expect(answers()).toEqual([{ value: 'override', text: 'one\ntwo' }])
  })
})

describe('a note', () => {
  it('is written beside what it is about, and its Enter keeps it', async () => {
    const title = 'A title that is so long that no rule has room for all of it, and goes on and on '
      .repeat(3)
      .trim()
    const { stage } = await atGate({ ...questionOf('Q-APPROVE'), title })
    await stage.type('m')
    const shown = stage.frame().replace(/\s+/g, ' ')
    expect(shown).toContain(title)
    expect(stage.frame()).toContain('Enter keep it')
    expect(stage.frame()).not.toContain('Enter send')
  })

  it('goes with the answer, which needs a key of its own after a new silence', async () => {
    const { stage, answers } = await armed(questionOf('Q-APPROVE'))
    await stage.type('m')
    await stage.type('mind the order')
    await stage.wait(600)
    await stage.type('\r')
    expect(stage.frame()).toContain('Your note: mind the order')
    expect(stage.frame()).toContain('Read first')
    await stage.type('1')
    expect(answers()).toEqual([])
    await stage.wait(600)
    await stage.type('1')
    expect(answers()).toEqual([{ value: 'yes', text: 'mind the order' }])
  })

  it('is the beginning of the text of an option that asks for one, and empty it is none', async () => {
    const { stage, answers } = await armed(questionOf('Q-REVIEW'))
    for (const text of ['one', '\u0015\r']) {
      await stage.type('m')
      await stage.type(text === 'one' ? text : '\u0015')
      await stage.wait(600)
      await stage.type('\r')
      expect(stage.frame().includes('Your note: one')).toBe(text === 'one')
      await stage.wait(600)
      if (text === 'one') {
        await stage.type('b')
        expect(stage.frame()).toMatch(/^ {2}one/m)
        await stage.escape()
        await stage.wait(600)
      }
    }
    await stage.type('1')
    expect(answers()).toEqual([{ value: 'fix' }])
  })
})

it('a note is not followed by a field for an optional text', async () => {
  const question = questionOf('Q-APPROVE')
  const options = question.options.map((option) => ({
    ...option,
    text: { label: 'A word to it', required: option.value === 'revise' },
  }))
  const { stage, answers } = await armed({ ...question, options })
  await stage.type('m')
  await stage.type('mind the order')
  await stage.wait(600)
  await stage.type('\r')
  await stage.wait(600)
  await stage.type('1')
  expect(answers()).toEqual([{ value: 'yes', text: 'mind the order' }])
})

describe('the editor', () => {
  const editable = (end: EditorEnd) => {
    const edited: string[] = []
    const looked: string[] = []
    const controls = {
      ...recordControls(),
      fileOf: async (path: string) => `/project/${path}`,
      lookAgain: (id: string) => looked.push(id) > 0,
    }
    const edit = async (path: string) => {
      edited.push(path)
      return end
    }
    const open = (question: Question) =>
      openStage(
        { columns: 80, rows: 24, edit },
        {
          kind: 'run',
          frames: createFrameStore(createTestStore(snapshotOf({ question }))),
          controls,
          onStop() {},
        },
      )
    return { edited, looked, controls, open }
  }

  it('opens the file that the question is about, and the question is looked at again', async () => {
    const { edited, looked, controls, open } = editable({ kind: 'done', changed: true })
    const stage = await open(withEvidence)
    await stage.wait(600)
    await stage.type('\u0005')
    expect(edited).toEqual(['/project/docs/plans/2030-04-03-mail-rules-plan.md'])
    expect(looked).toEqual([withEvidence.id])
    expect(controls.answers).toEqual([])
  })

  it('says what is missing, and decides nothing', async () => {
    const { looked, controls, open } = editable({ kind: 'missing' })
    const stage = await open(withEvidence)
    await stage.type('\u0005')
    expect(stage.frame()).toContain('No editor is named: set EDITOR')
    expect([looked, controls.answers]).toEqual([[], []])
  })

  it('says that the file is unchanged, and keeps the question as it is', async () => {
    const { edited, looked, controls, open } = editable({ kind: 'done', changed: false })
    const stage = await open(withEvidence)
    await stage.wait(600)
    await stage.type('\u0005')
    expect(edited).toHaveLength(1)
    expect(stage.frame()).toContain('The file is unchanged. Nothing was decided.')
    expect([looked, controls.answers]).toEqual([[], []])
  })

  it('looks again at what an editor changed before it failed', async () => {
    const { looked, open } = editable({ kind: 'failed', why: 'it ended with code 1', changed: true })
    const stage = await open(withEvidence)
    await stage.type('\u0005')
    expect(stage.frame()).toContain('The editor failed, it ended with code 1')
    expect(looked).toEqual([withEvidence.id])
  })

  it('says so where there is no file', async () => {
    const { edited, open } = editable({ kind: 'done', changed: true })
    const stage = await open(questionOf('Q-PR'))
    await stage.type('\u0005')
    expect(edited).toEqual([])
    expect(stage.frame()).toContain('There is no file here that could be edited.')
  })
})

it('shows all of what an option does while there is room, at every size', async () => {
  const consequence =
    'the plan is carried out task by task, each one is held against what git shows, and the last word is yours'
  const question = questionOf('Q-APPROVE')
  const options = question.options.map((option) => ({ ...option, consequence }))
  for (const [columns, rows] of [
    [60, 40],
    [80, 24],
    [200, 60],
  ] as const) {
    const { stage } = await atGate({ ...question, options })
    await stage.resize(columns, rows)
    const words = stage.frame().replace(/\s+/g, ' ')
    expect(words.split('the last word is yours').length - 1).toBe(4)
    expect(stage.frame()).not.toMatch(/the plan is carried.*…/)
    cleanup()
  }
})

it('shows all of what the lit option does where there is no room for all of them', async () => {
  const consequence =
    'the plan is carried out task by task, each one is held against what git shows, and the last word is yours'
  const question = questionOf('Q-APPROVE')
  const options = question.options.map((option) => ({ ...option, consequence }))
  const { stage } = await armed({ ...question, options })
  await stage.resize(60, 22)
  const words = () => stage.frame().replace(/\s+/g, ' ')
  expect(words()).toContain(`stop ${consequence}`)
  await stage.wait(600)
  await stage.type('k')
  expect(words()).toContain(`skip phase ${consequence}`)
  // The text is left out least of all.
  expect(words()).toContain('Tasks: 18 (threshold: 15) (triggered)')
})

it('scrolls its text before it cuts an option', async () => {
  const consequence = 'the plan is carried out task by task, and the last word is yours at the end of it'
  const question = questionOf('Q-APPROVE')
  const options = question.options.map((option) => ({ ...option, consequence }))
  const { stage } = await atGate({ ...question, options })
  await stage.resize(60, 18)
  expect(stage.frame().split('the end of it').length - 1).toBe(4)
  expect(stage.frame()).toMatch(/(?:text|lines) 1-\d of 6/)
})

it('shows rows of a long text at the smallest size, and where it is scrolled to', async () => {
  const question = questionOf('Q-APPROVE')
  const { stage } = await atGate({ ...question, title: `${question.title} of everybody who writes mails` })
  await stage.resize(60, 15)
  expect(stage.frame()).not.toContain('── Question')
  expect(stage.frame()).toMatch(/text 1-[23] of 6: PgUp\/PgDn/)
  for (let page = 0; page < 6; page += 1) await stage.type('\u001b[6~')
  expect(stage.frame()).toMatch(/text [45]-6 of 6: PgUp\/PgDn/)
  expect(stage.frame()).toContain('(threshold: 15) (triggered)')
})

it('cuts no two options to the same words', async () => {
  const question = questionOf('Q-TOUCHED')
  const ends = ['nothing of it is written down anywhere', 'that you let it pass is written down for good']
  const options = question.options.map((option, index) => ({
    ...option,
    consequence: `it stays as it is; ${ends[index % 2]}, and so on, and what comes after that as well`,
  }))
  const stage = await openStage(
    { columns: 60, rows: 15, unicode: false },
    {
      kind: 'run',
      frames: createFrameStore(createTestStore(snapshotOf({ question: { ...question, options } }))),
      controls: recordControls(),
      onStop() {},
    },
  )
  expect(stage.frame()).not.toContain('it stays as it is...')
  expect(stage.frame()).toMatch(/it stays as it is; nothing.*~/)
  expect(stage.frame()).toMatch(/it stays as it is; that you.*~/)
})

it('tells more of the options that are not lit in rows that the lit one does not need', async () => {
  const question = questionOf('Q-REVIEW')
  const long = 'save the state and exit; the same question is asked when the session is opened again'
  const options = question.options.map((option) =>
    option.stops ? { ...option, consequence: long } : { ...option, consequence: 'short' },
  )
  const body = Array.from({ length: 9 }, (_, index) => `line ${index + 1} of what was found`)
  const { stage } = await atGate({ ...question, body, options })
  await stage.resize(60, 15)
  expect(stage.frame().replace(/\s+/g, ' ')).toContain(long)
})

it('names the gate and its age below where the title needs all of the rule', async () => {
  const title = 'Step 5 Run Tests is reported complete. Is it so?'
  const { stage } = await atGate({ ...questionOf('Q-NEXT'), title })
  await stage.resize(62, 20)
  expect(stage.frame()).toMatch(/(a letter decides|in a moment) .*Q-NEXT/)
})

it('a paragraph of the text begins below where it begins, in every row', async () => {
  const body = [
    `    ${'The widest of no names is less than nothing, and a line of that length throws. '.repeat(2)}`,
  ]
  const { stage } = await atGate({ ...questionOf('Q-NEXT'), body })
  expect(stage.frame()).toMatch(/\n {6}The widest[^\n]*\n {6}\S/)
})

it('shows the letter that a label names itself by once', async () => {
  const question = questionOf('Q-NEXT')
  const options = question.options.map((option, index) => ({
    ...option,
    label: `${'AB'[index]}) Way ${index}`,
  }))
  const { stage } = await atGate({ ...question, options })
  expect(stage.frame()).toMatch(/1 {4}A\) Way 0/)
  expect(stage.frame()).toMatch(/2 {4}B\) Way 1/)
})

describe('an option with a list', () => {
  it('answers with the corrected reading', async () => {
    const { stage, answers } = await armed(questionOf('Q-READING'))
    await stage.type('b')
    await stage.type(`${down}`)
    await stage.type('d')
    await stage.type('c')
    await stage.type(`k`)
    await stage.type('r')
    await stage.type('!')
    await stage.type('\r')
    await stage.type('a')
    await stage.type('Tests')
    await stage.type('\r')
    await stage.wait(600)
    await stage.type('\r')
    expect(answers()).toEqual([
      {
        value: 'edit the list',
        items: [
          { id: '1', name: 'Storage layer!', choice: 'low', line: 42 },
          { id: '4', name: 'Tests', choice: 'medium' },
          { id: '2', name: 'Mail rules and their editor', choice: 'low', line: 58, dropped: true },
          { id: '3', name: 'Import of old rules (deferred)', choice: 'medium', line: 71 },
        ],
      },
    ])
  })

  it('does not accept a list without phases', async () => {
    const { stage, answers } = await armed(questionOf('Q-READING'))
    await stage.type('b')
    for (let count = 0; count < 3; count += 1) {
      await stage.type('d')
      await stage.type(down)
    }
    await stage.wait(600)
    await stage.type('\r')
    expect(stage.frame()).toContain('At least one phase has to stay')
    expect(answers()).toEqual([])
  })

  it('answers with the new order of the open phases', async () => {
    const { stage, answers } = await armed(questionOf('Q-ORDER'))
    await stage.type('1')
    await stage.type('d')
    await stage.type('s')
    await stage.wait(600)
    await stage.type('\r')
    const items = questionOf('Q-ORDER').list!.items
    expect(answers()).toEqual([
      { value: 'change the order', items: [items[1], { ...items[0], dropped: true }] },
    ])
  })
})
