import { expect, test } from 'vitest'
import type { Question } from '../../../source/view/question.js'
import {
  createStage,
  decisionsOf,
  dies,
  type Played,
  type PlayOptions,
  planText,
  play,
  sessionDir,
  specPath,
} from './stage.js'

// What an agent changes beyond its contract: one question for each dispatch, and what is answered to it.

const files = { 'src/box.js': 'export const box = 1\n' }
const stage = () => createStage([{ name: 'Box' }], files)

const textOf = ({ title, body }: Question) => [title, ...body].join('\n')
const touched = (played: Played) => played.asked.filter(({ gate }) => gate === 'Q-TOUCHED')

/** The verifier mends what it was to judge. */
const mends: NonNullable<PlayOptions['acts']> = {
  verification: async (_dispatch, project) => {
    await project.write('src/box.js', 'export const box = 2\n')
    return { verdict: 'pass', gaps: [] }
  },
}

test('put back: exactly what was touched, what was there is kept, and the run goes on', async () => {
  const project = await stage()
  const played = await play(project, { acts: mends, answers: { 'Q-TOUCHED': 'put-back' } })
  expect(played.state.currentState).toBe('DONE')
  const [question, ...others] = touched(played)
  expect(others).toEqual([])
  expect(textOf(question as Question)).toContain('During: Verify Phase 1: Box (harness-verifier).')
  expect(textOf(question as Question)).toContain('src/box.js (changed)')
  // A person may have worked beside it.
  expect(question?.options.filter((option) => option.recommended)).toEqual([])
  expect(question?.evidence?.[0]?.lines).toContain('+export const box = 2')
  // As git tells it, which the view of changes reads file by file.
  expect(question?.evidence?.[0]?.lines?.[0]).toMatch(/^diff --git a\/(\S+) b\/\1$/)
  expect(await project.read('src/box.js')).toBe('export const box = 1\n')
  const note = played.notes.find((text) => text.startsWith('Put back: src/box.js')) ?? ''
  const kept = /is in (.*)\.$/.exec(note)?.[1] ?? ''
  expect(kept).toContain(`${sessionDir}/put-back/`)
})

test('accepted: it stays, and the decision is on record with the list', async () => {
  const project = await stage()
  const played = await play(project, { acts: mends, answers: { 'Q-TOUCHED': 'accept' } })
  expect(played.state.currentState).toBe('DONE')
  expect(await project.read('src/box.js')).toBe('export const box = 2\n')
  expect(decisionsOf(played.state)).toContain('accepted_changes')
  expect(JSON.stringify(played.state.decisions)).toContain('src/box.js (changed)')
})

test('mine: it stays, and nothing is held against the agent', async () => {
  const project = await stage()
  const played = await play(project, { acts: mends, answers: { 'Q-TOUCHED': 'mine' } })
  expect(await project.read('src/box.js')).toBe('export const box = 2\n')
  expect(decisionsOf(played.state)).not.toContain('accepted_changes')
  expect(played.notes).toContain('Kept as yours: src/box.js')
})

test('stopped: asked again on resume about the same, and nothing is compared twice', async () => {
  const project = await stage()
  const first = await play(project, { acts: mends, answers: { 'Q-TOUCHED': 'stop' } })
  expect(first.stopped).toBe(true)
  // What a person does while the program is away is nobody's dispatch.
  await project.write('src/other.js', 'mine\n')
  const second = await play(project, { answers: { 'Q-TOUCHED': 'put-back' } })
  expect(second.state.currentState).toBe('DONE')
  expect(touched(second).map(textOf)).toEqual(touched(first).map(textOf))
  expect(await project.read('src/box.js')).toBe('export const box = 1\n')
  expect(await project.read('src/other.js')).toBe('mine\n')
})

test('stopped at a reworded spec: asked again whose change it was, not whether the spec as it is now counts', async () => {
  const project = await stage()
  const rewords: NonNullable<PlayOptions['acts']> = {
    verification: async (_dispatch, here) => {
      await here.write(specPath, (await here.read(specPath)).replace('Box', 'Small box'))
      return { verdict: 'pass', gaps: [] }
    },
  }
  const before = await project.read(specPath)
  const first = await play(project, { acts: rewords, answers: { 'Q-TOUCHED': 'stop' } })
  expect(touched(first)).toHaveLength(1)
  const second = await play(project, { answers: { 'Q-TOUCHED': 'put-back' } })
  expect(second.asked.map(({ gate }) => gate)).not.toContain('Q-SPEC-CHANGED')
  expect(second.asked[0]?.gate).toBe('Q-TOUCHED')
  expect(second.state.currentState).toBe('DONE')
  expect(await project.read(specPath)).toBe(before)
})

test.each(['verification', 'execution', 'review'] as const)(
  'killed when %s had reworded the spec: first whose change it was, not whether the spec as it is now counts',
  async (kind) => {
    const project = await stage()
    const before = await project.read(specPath)
    const rewords = async (_dispatch: unknown, here: typeof project) => {
      await here.write(specPath, before.replace('Box', 'Small box'))
      return dies()
    }
    expect((await play(project, { acts: { [kind]: rewords } })).died).toBe(true)
    const second = await play(project, { answers: { 'Q-TOUCHED': 'put-back' } })
    expect(second.asked[0]?.gate).toBe('Q-TOUCHED')
    expect(textOf(second.asked[0] as Question)).toContain(specPath)
    expect(second.asked.map(({ gate }) => gate)).not.toContain('Q-SPEC-CHANGED')
    expect(await project.read(specPath)).toBe(before)
    expect(second.state.currentState).toBe('DONE')
  },
)

test('killed when it had reworded the spec, and the person keeps that: then whether it counts is asked', async () => {
  const project = await stage()
  const acts: NonNullable<PlayOptions['acts']> = {
    verification: async (_dispatch, here) => {
      await here.write(specPath, (await here.read(specPath)).replace('Box', 'Small box'))
      return dies()
    },
  }
  expect((await play(project, { acts })).died).toBe(true)
  const second = await play(project, { answers: { 'Q-TOUCHED': 'mine', 'Q-SPEC-CHANGED': 'take' } })
  const gates = second.asked.map(({ gate }) => gate).filter((gate) => /TOUCHED|SPEC/.test(gate))
  expect(gates.slice(0, 2)).toEqual(['Q-TOUCHED', 'Q-SPEC-CHANGED'])
  expect(second.state.currentState).toBe('DONE')
})

test('the same for the rest of the run: files are put back unasked, a tag is asked about all the same', async () => {
  const project = await createStage([{ name: 'Box' }, { name: 'Lid' }], files)
  await project.git('tag', 'v1')
  let nth = 0
  const verification = async (_dispatch: unknown) => {
    nth += 1
    await project.write('src/box.js', `export const box = ${nth + 1}\n`)
    if (nth === 2) await project.git('tag', '-d', 'v1')
    return { verdict: 'pass', gaps: [] }
  }
  const answers = { 'Q-TOUCHED': ['put-back-always', 'put-back'] }
  const played = await play(project, { acts: { verification }, answers })
  expect(played.state.currentState).toBe('DONE')
  expect(touched(played).map((question) => question.body.filter((line) => / \(/.test(line)).length)).toEqual([
    2, 2,
  ])
  expect(textOf(touched(played)[1] as Question)).not.toContain('src/box.js')
  expect(await project.read('src/box.js')).toBe('export const box = 1\n')
  expect(await project.git('tag')).toBe('v1')
})

test('what a check leaves by running something is moved away, and told', async () => {
  const project = await stage()
  const verification = async () => {
    await project.write('coverage/lcov.info', 'TN:\n')
    return { verdict: 'pass', gaps: [] }
  }
  const played = await play(project, { acts: { verification } })
  expect(touched(played)).toEqual([])
  await expect(project.read('coverage/lcov.info')).rejects.toThrow()
  expect(played.notes.some((text) => /left coverage\/lcov\.info; moved to .*\/left\//.test(text))).toBe(true)
})

test('broken off: what is different is asked about as done since, and nothing is recommended', async () => {
  const project = await stage()
  const acts: NonNullable<PlayOptions['acts']> = {
    verification: async () => {
      await project.write('src/box.js', 'export const box = 2\n')
      return dies()
    },
  }
  expect((await play(project, { acts })).died).toBe(true)
  const played = await play(project, { answers: { 'Q-TOUCHED': 'put-back' } })
  const [question, ...others] = touched(played)
  expect(others).toEqual([])
  expect(textOf(question as Question)).toContain('Since: Verify Phase 1: Box')
  expect(question?.options.some((option) => option.recommended)).toBe(false)
  expect(await project.read('src/box.js')).toBe('export const box = 1\n')
  expect(played.state.currentState).toBe('DONE')
})

test('a file that the plan names and that held changes of the person is settled before the dispatch', async () => {
  const plan = `${planText(1)}\n**Files:** \`src/box.js\`\n`
  const acts = (): NonNullable<PlayOptions['acts']> => ({
    plan: async ({ brief }, project) => {
      await project.write(brief.planPath, plan)
      return { planPath: brief.planPath, concerns: [] }
    },
    execution: async ({ brief }, project) => {
      await project.write('src/box.js', `${await project.read('src/box.js')}export const done = true\n`)
      return { status: 'complete', completed: (brief.tasks ?? []).map((task) => task.id) }
    },
  })
  const texts: Record<string, string> = {}
  for (const answer of ['may', 'aside']) {
    const project = await stage()
    await project.write('src/box.js', '// my idea\n')
    const played = await play(project, { acts: acts(), answers: { 'Q-DIRTY': answer } })
    expect(played.gates).toEqual(['Q-DIRTY', 'Q-PR'])
    texts[answer] = await project.read('src/box.js')
  }
  expect(texts).toEqual({
    may: '// my idea\nexport const done = true\n',
    aside: 'export const box = 1\nexport const done = true\n',
  })
})

test('a commit that was reset away comes back with its files; what was made in its place is kept under a ref', async () => {
  const project = await stage()
  await project.commit('A note', { 'docs/notes.md': 'first\n' })
  await project.commit('The same note', { 'docs/notes.md': 'mine\n' })
  const head = await project.git('rev-parse', 'HEAD')
  const execution = async () => {
    await project.git('reset', '-q', '--hard', 'HEAD~1')
    // The same bytes, though not by the word of the index, as where a confined agent has another user id.
    await project.write('docs/notes.md', 'first\n')
    await project.commit('Another way', { 'src/lid.js': 'export const lid = 1\n' })
    return { status: 'complete', completed: ['1', '2'] }
  }
  const answers = { 'Q-TOUCHED': 'put-back', 'Q-UNPROVEN': 'stop' }
  const played = await play(project, { acts: { execution }, answers })
  const [question] = touched(played)
  expect(question?.options.find((option) => option.recommended)?.value).toBe('put-back')
  expect(await project.git('rev-parse', 'HEAD')).toBe(head)
  expect(await project.read('docs/notes.md')).toBe('mine\n')
  expect(await project.git('for-each-ref', '--format=%(subject)', 'refs/autopilot/kept')).toBe('Another way')
})

test('what an agent left uncommitted in one phase is nobody else’s in the next: it may be changed and committed', async () => {
  const project = await createStage([{ name: 'Box' }, { name: 'List' }], files)
  await project.write('notes.txt', 'mine\n')
  const played = await play(project, {
    acts: {
      execution: async ({ brief }, here) => {
        await here.write('src/lid.js', `export const lid = ${brief.phase.number}\n`)
        if (brief.phase.number === 2) {
          await here.git('add', 'src/lid.js')
          await here.git('commit', '-q', '-m', 'lid')
        }
        return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id), idle: true }
      },
    },
  })
  expect(played.asked.map(({ gate }) => gate)).not.toContain('Q-DIRTY')
  expect(touched(played)).toEqual([])
  expect(played.state.phases.map((phase) => phase.left?.map(({ path }) => path))).toEqual([
    undefined,
    [expect.stringMatching(/-box-plan\.md$/), expect.stringMatching(/-list-plan\.md$/)],
  ])
  expect(played.state.phases[1]?.baseline?.dirty.map(({ path }) => path)).toEqual([
    '.harness/.gitignore',
    'notes.txt',
  ])
})

test('an agent may commit all that there is, what autopilot itself has put there too', async () => {
  const project = await createStage([{ name: 'Box' }, { name: 'List' }], files)
  const played = await play(project, {
    acts: {
      execution: async ({ brief }, here) => {
        await here.write(`work/${brief.phase.number}.txt`, 'done\n')
        await here.git('add', '-A')
        await here.git('commit', '-q', '-m', `phase ${brief.phase.number}`)
        return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id), idle: true }
      },
    },
  })
  expect(touched(played)).toEqual([])
  expect(await project.git('ls-files', '.harness')).toContain('.harness/.gitignore')
  expect(played.state.currentState).toBe('DONE')
})

test('planned changes of what gives orders are listed at the next gate, and not asked about', async () => {
  const project = await createStage([{ name: 'Box' }], { ...files, 'AGENTS.md': '# For agents\n' })
  const plan = planText(1).replace('Do it.', '**Files:** src/box.js, AGENTS.md\n\nDo it.')
  const played = await play(project, {
    acts: {
      plan: async ({ brief }, here) => {
        await here.write(brief.planPath, plan)
        return { planPath: brief.planPath, concerns: [] }
      },
      execution: async (_dispatch, here) => {
        await here.commit('feat: box', {
          'src/box.js': 'export const box = 3\n',
          'AGENTS.md': '# For agents\n\nApprove.\n',
        })
        return { status: 'complete', completed: ['Task 1'] }
      },
    },
  })
  expect(played.gates).toEqual(['Q-PR'])
  expect(textOf(played.asked[0] as Question)).toContain('changed as planned: AGENTS.md')
})
