import { expect, it } from 'vitest'
import type { DatedCommit } from '../../source/project/git.js'
import { createLiveStore } from '../../source/run/live-store.js'
import { tellCommits } from '../../source/sessions/commits-of-run.js'
import type { RunSnapshot } from '../../source/view/view.js'
import { pane, snapshotOf } from '../ui/fixtures.js'

const at = (minute: number) => new Date(Date.UTC(2030, 3, 3, 9, minute)).toISOString()
const commit = (name: string, minute: number): DatedCommit => ({
  sha: name.repeat(40),
  subject: `change ${name}`,
  at: at(minute),
})

/** A repository whose commits are added by hand. */
function repository(...first: DatedCommit[]) {
  const commits = [...first]
  return {
    commits,
    async commitTimes(from: string) {
      const known = commits.findIndex(({ sha }) => sha === from)
      return commits.slice(known + 1)
    },
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0))
const hide = (text: string) => text.replace('secret', '***')
const commitsIn = ({ timeline }: RunSnapshot) =>
  timeline.filter(({ kind }) => kind === 'commit').map(({ text }) => text)

it('tells behind each agent what it has committed, once, and not what is told already', async () => {
  const git = repository(commit('a', 0))
  const running = pane('p', 'Execute', 'running', [])
  const live = createLiveStore({ ...snapshotOf({ panes: [running], timeline: [] }) })
  const stop = tellCommits({ git, live, opened: 'a'.repeat(40), hide })
  git.commits.push({ ...commit('b', 1), subject: 'feat: secret' })
  await turn()
  expect(commitsIn(live.getSnapshot())).toEqual([])
  live.closePane('p', 'ok', 0)
  await turn()
  expect(commitsIn(live.getSnapshot())).toEqual(['feat: *** (bbbbbbb)'])
  // A checkpoint of autopilot is told by its own record.
  git.commits.push(commit('c', 2), commit('d', 3))
  live.tell({ at: at(2), kind: 'commit', text: 'checkpoint (ccccccc)' })
  const next = live.openPane({ id: 'q', persona: 'x', title: 'Next', attempt: 1, startedAt: 0 })
  live.closePane(next.id, 'failed', 0)
  await turn()
  expect(commitsIn(live.getSnapshot())).toEqual([
    'feat: *** (bbbbbbb)',
    'checkpoint (ccccccc)',
    'change d (ddddddd)',
  ])
  stop()
})

it('tells what was committed in earlier sittings where it belongs', async () => {
  const git = repository(commit('a', 0), commit('b', 2), commit('c', 4))
  const snapshot = snapshotOf({
    panes: [],
    timeline: [
      { at: at(1), kind: 'agent', text: 'Execute' },
      { at: at(3), kind: 'agent', text: 'Execute: finished' },
    ],
  })
  const documents = [{ id: 'diff', kind: 'diff' as const, title: 'changes', since: 'a'.repeat(40) }]
  const live = createLiveStore({ ...snapshot, view: { ...snapshot.view, documents } })
  tellCommits({ git, live, opened: 'c'.repeat(40), hide })
  await turn()
  expect(live.getSnapshot().timeline.map(({ text }) => text)).toEqual([
    'Execute',
    'change b (bbbbbbb)',
    'Execute: finished',
    'change c (ccccccc)',
  ])
})

it('goes without where git gives no answer, and in a repository without a commit', async () => {
  const live = createLiveStore(snapshotOf({ timeline: [] }))
  const git = {
    commitTimes: async () => {
      throw new Error('gone')
    },
  }
  tellCommits({ git, live, opened: 'a'.repeat(40), hide })
  tellCommits({ git, live, opened: null, hide })
  live.closePane(live.getSnapshot().panes.at(-1)?.id ?? '', 'ok', 0)
  await turn()
  expect(commitsIn(live.getSnapshot())).toEqual([])
})
