import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lookForBeginning, readIdentity } from '../../source/project/git-beginning.js'
import { beginRepository } from '../../source/sessions/begin-repository.js'
import type { Answer, Question } from '../../source/view/question.js'
import { makeRepository, type TestRepository } from '../project/repository.js'

const ownPaths = ['.autopilot']
let project: TestRepository

beforeEach(async () => {
  project = await makeRepository({ empty: true })
})
afterEach(async () => await project.remove())

/** Answers in order; `quit` when there is none left. Looks at the project when each question is open. */
async function begin(answers: (Answer | 'quit')[], whileOpen?: (nth: number) => Promise<void>) {
  const asked: Question[] = []
  const came = await beginRepository({ root: project.root, ownPaths }, async (question) => {
    asked.push(question)
    await whileOpen?.(asked.length)
    return answers[asked.length - 1] ?? 'quit'
  })
  return { came, asked }
}

const init: Answer = { value: 'init' }
const withoutRepository = () => rm(join(project.root, '.git'), { recursive: true })
const files = () => project.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n').filter(Boolean).sort()

describe('Q-INIT', () => {
  test('no repository: the list is shown, and nothing is made before the answer', async () => {
    await withoutRepository()
    await project.write('a.txt', 'a')
    await project.write('_docs/notes.md', 'n')
    const { came, asked } = await begin([{ value: 'stop' }])
    expect(came).toBe('stop')
    expect(asked.map(({ gate }) => gate)).toEqual(['Q-INIT'])
    expect(asked[0]?.body).toContain('The first commit would hold 2 files:')
    expect(asked[0]?.body).toEqual(expect.arrayContaining(['  _docs/notes.md', '  a.txt']))
    expect(asked[0]?.options.map(({ value }) => value)).toEqual(['init', 'stop'])
    await expect(mkdir(join(project.root, '.git'))).resolves.toBeUndefined()
  })

  test('the first commit holds what was shown, without ignored files, secrets, sessions, large and nested ones', async () => {
    await withoutRepository()
    await project.write('src/main.ts', 'x')
    await project.write('.gitignore', 'build/\n')
    await project.write('build/out.js', 'x')
    await project.write('.env', 'KEY=1')
    await project.write('deploy.txt', `token ghp_${'a'.repeat(36)}`)
    await project.write('big.bin', Buffer.alloc(6 * 1024 * 1024))
    await project.write('.autopilot/lifecycle/journal.jsonl', '{}')
    await project.write('vendor/lib/x', 'x')
    project.git('init', '-q', 'vendor/lib')
    const { came, asked } = await begin([init])
    expect(came).toBe('begun')
    expect(files()).toEqual(['.gitignore', 'src/main.ts'])
    const lines = asked[0]?.evidence?.[0]?.lines ?? []
    expect(lines).toEqual(
      expect.arrayContaining([
        'leave out .env: looks like a secret (file name .env)',
        'leave out deploy.txt: looks like a secret (GitHub token)',
        'leave out big.bin: larger than 5 MB',
        'leave out vendor/lib/: a repository of its own',
      ]),
    )
    expect(lines.join('\n')).not.toContain('ghp_')
    // What was left out lies where it lay.
    expect(project.git('status', '--porcelain', '--', '.env', 'deploy.txt')).toBe('?? .env\n?? deploy.txt\n')
  })

  test('an empty folder begins with an empty commit', async () => {
    await withoutRepository()
    const { came, asked } = await begin([init])
    expect(came).toBe('begun')
    expect(asked[0]?.body).toContain('The first commit would be empty.')
    expect(files()).toEqual([])
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('1')
  })

  test('a repository without a commit keeps what was staged, and its hooks run', async () => {
    await project.write('a.txt', 'a')
    await project.write('b.txt', 'b')
    project.git('add', 'a.txt')
    await project.hook('pre-commit', 'echo refused; exit 1')
    await expect(begin([init])).rejects.toThrow('refused')
    expect(project.git('status', '--porcelain')).toBe('A  a.txt\n?? b.txt\n')
    await rm(join(project.root, '.git', 'hooks', 'pre-commit'))
    expect((await begin([init])).came).toBe('begun')
    expect(files()).toEqual(['a.txt', 'b.txt'])
    expect(project.git('status', '--porcelain')).toBe('')
  })

  test('hooks of a template are not run with the repository that they come with', async () => {
    await withoutRepository()
    const template = join(project.home, 'template')
    await mkdir(join(template, 'hooks'), { recursive: true })
    await writeFile(join(template, 'hooks', 'pre-commit'), '#!/bin/sh\ntouch ran; exit 1\n')
    await chmod(join(template, 'hooks', 'pre-commit'), 0o755)
    project.git('config', '--global', 'init.templateDir', template)
    await project.write('a.txt', 'a')
    expect((await begin([init])).came).toBe('begun')
    expect(files()).toEqual(['a.txt'])
  })

  test('what changed while it was open is shown again', async () => {
    await withoutRepository()
    await project.write('a.txt', 'a')
    const { came, asked } = await begin([init, init], async (nth) => {
      if (nth === 1) await project.write('b.txt', 'b')
    })
    expect(came).toBe('begun')
    expect(asked).toHaveLength(2)
    expect(asked[1]?.body[0]).toMatch(/^What lies here changed/)
    expect(asked[1]?.body).toContain('  b.txt')
    expect(files()).toEqual(['a.txt', 'b.txt'])
  })

  test('without an identity it is asked until there is one, and kept in this repository alone', async () => {
    await withoutRepository()
    await writeFile(join(project.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
    const said = (text: string): Answer => ({ value: 'identity', text })
    const { came, asked } = await begin([init, said('me'), said('Ada L <ada@example.org>')])
    expect(came).toBe('begun')
    expect(asked.map(({ title }) => title).slice(1)).toEqual([
      'In whose name are commits made?',
      'In whose name are commits made?',
    ])
    expect(project.git('log', '-1', '--format=%an <%ae>').trim()).toBe('Ada L <ada@example.org>')
    expect(project.git('config', '--local', 'user.email').trim()).toBe('ada@example.org')
  })

  test('stopped at the identity nothing was made', async () => {
    await withoutRepository()
    await writeFile(join(project.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
    expect((await begin([init, 'quit'])).came).toBe('stop')
    expect((await lookForBeginning(project.root, ownPaths))?.hasRepository).toBe(false)
  })

  test('with a commit nothing is asked', async () => {
    await project.write('a.txt', 'a')
    project.commitAll('mine')
    expect(await begin([])).toEqual({ came: 'there', asked: [] })
  })

  test('a whole home directory is refused before anything is asked', async () => {
    vi.stubEnv('HOME', project.root)
    await expect(begin([init])).rejects.toThrow('your whole home directory')
  })
})

test('an identity is a name with an address in angle brackets', () => {
  expect(readIdentity(' Ada L. <ada@example.org> ')).toEqual({ name: 'Ada L.', email: 'ada@example.org' })
  for (const text of ['', 'Ada', '<a@b>', 'Ada <a>', 'Ada <a@b> x', 'Ada\n<a@b>', 'Ada <a@b@c>'])
    expect(readIdentity(text)).toBeUndefined()
})
