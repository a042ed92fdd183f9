import { mkdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sessions, status } from '../../source/commands/status.js'
import { ownerText } from '../../source/sessions/session-summaries.js'
import { registry } from '../../source/workflows/registry.js'
import { createProject } from '../support/project.js'

it('says where finished sessions are, once all of them are in an archive', async () => {
  const project = await createProject({ files: { 'a.txt': 'a\n' } })
  for (const list of [status, sessions])
    expect((await list(registry, project.dir, { json: false })).output).toBe('No sessions in this project.')
  await mkdir(project.path('.autopilot/archive/run-1'), { recursive: true })
  await writeFile(join(project.path('.autopilot/archive/run-1'), 'state.json'), '{}')
  for (const list of [status, sessions])
    expect((await list(registry, project.dir, { json: false })).output).toBe(
      'No open sessions in this project. What was finished is in .autopilot/archive.',
    )
})

it('tells in local time since when a session is open', () => {
  const since = new Date()
  const owner = { pid: 7, hostname: hostname(), tty: 'pts/3', since: since.toISOString(), lockId: 'x' }
  const two = (value: number) => String(value).padStart(2, '0')
  expect(ownerText(owner)).toBe(`pid 7 on pts/3 since ${two(since.getHours())}:${two(since.getMinutes())}`)
})
