import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../problem.js'
import type { Candidate, Finder, Input, Recognition } from '../workflow.js'
import { docsDir, isUsualStateFile } from './places.js'
import { statePathOf } from './state-path.js'

/** Projects in writing: the folder of their documents. */
export const lifecycleFinder: Finder = {
  recognise: async (input) => recognise(input),
  candidates,
}

const isState = (text: string) => /^\uFEFF?\s{0,200}# Auto(?:pilot|dev) State\s*$/m.test(text.slice(0, 4000))

function recognise({ path, kind, text }: Input): Recognition | undefined {
  const bare = path.replace(/\/$/, '')
  const meaning = 'go on with the steps of this project'
  if (bare === docsDir) {
    if (kind === 'file') throw docsIsFile()
    return {
      subject: docsDir,
      certainty: 'sure',
      meaning: kind === 'missing' ? 'begin the life of a project here' : meaning,
    }
  }
  if (kind !== 'file' || !bare.endsWith('.md')) return undefined
  return isUsualStateFile(bare) || isState(text ?? '')
    ? { subject: docsDir, certainty: 'sure', meaning }
    : undefined
}

function docsIsFile(): Problem {
  return new Problem({
    code: 'usage',
    what: `${docsDir} is a file.`,
    why: 'The state of a project and its documents are kept in a folder of that name. Nothing was changed.',
    todo: 'Move the file out of the way, and start autopilot again.',
  })
}

async function candidates(root: string): Promise<Candidate[]> {
  const docs = await stat(join(root, docsDir)).catch(() => undefined)
  if (!docs?.isDirectory()) return []
  const hasState = await access(join(root, await statePathOf(root))).then(
    () => true,
    () => false,
  )
  const detail = hasState ? 'a state file is there' : 'no state file yet; its folders say where it stands'
  return [
    {
      workflow: 'lifecycle',
      subject: docsDir,
      title: 'Project lifecycle',
      size: hasState ? 'under way' : 'new',
      detail,
    },
  ]
}
