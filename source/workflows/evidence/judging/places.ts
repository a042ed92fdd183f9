import { isAbsolute } from 'node:path'
import type { Difference, Trait } from '../../../project/snapshot/difference.js'
import { isPlanned } from '../ground.js'
import {
  allowed,
  asked,
  frozenRule,
  has,
  isLaidOut,
  isOwn,
  type JudgeFacts,
  noted,
  type Verdict,
} from './verdict.js'

// What gives orders or is executed, and records of the session (docs/evidence.md, "What is compared").

const neverPlanned: readonly Trait[] = ['hook', 'git-settings', 'under-way']

export function protectedRule(difference: Difference, facts: JudgeFacts): Verdict {
  const [path = ''] = difference.name.split('#')
  if (isOwn(path, facts)) return allowed
  if (has(difference, 'git-lock')) return lockRule(difference)
  if (facts.ground.frozen.includes(path)) return frozenRule(difference, facts)
  const writes = facts.contract.may.includes('project files')
  if (writes && isLaidOut(difference, facts)) return noted('laid out anew, with the same content')
  const planned = writes && isPlanned(path, facts.ground.planned)
  const plain = !has(difference, 'attributes') || facts.plainAttributes.has(difference.id)
  // What is executed is asked about once, where trust in it is given (Q-TRUST): nothing runs before.
  const trusted = has(difference, 'trust')
  const isElsewhere = trusted && (isAbsolute(path) || path.startsWith('.git/'))
  const personal = whyPersonal(difference)
  if (personal !== undefined) return asked(personal, 'either')
  if (planned && plain && !isElsewhere && !neverPlanned.some((trait) => has(difference, trait))) {
    return noted(trusted ? 'the plan names it; trust in it is asked again' : 'the plan names it')
  }
  return asked(whyProtected(difference))
}

/** An agent that was ended in git leaves it; a person who writes the message of a commit holds it. */
function lockRule({ change }: Difference): Verdict {
  return change === 'added'
    ? asked('a lock of git: while it lies there no commit can be made', 'either')
    : allowed
}

const ofPerson: Partial<Record<Trait, string>> = {
  'own-settings': 'your own settings of autopilot',
  'agent-home': 'agents take orders from it in all your projects',
  startup: 'your shells, services or builds execute it, or it says who may come in',
  'user-settings': 'your own settings of git',
}

const whyPersonal = ({ traits }: Difference) => traits.flatMap((trait) => ofPerson[trait] ?? [])[0]

function whyProtected(difference: Difference): string {
  if (has(difference, 'hook')) return 'a hook that git would run'
  if (has(difference, 'under-way'))
    return 'something was begun with git and not finished; the next commit would conclude it'
  if (has(difference, 'git-settings')) return 'git takes orders from it, or hides by it'
  if (has(difference, 'attributes')) return 'git takes orders from it'
  if (has(difference, 'instructions')) return 'agents take orders from it'
  if (has(difference, 'command')) return 'the test or the validate command runs it'
  if (has(difference, 'trust')) return 'it is executed in this project, and you trusted what it was'
  return 'the run depends on it'
}

export function recordRule(difference: Difference, facts: JudgeFacts): Verdict {
  if (isOwn(difference.name, facts) || isOwnFolder(difference, facts)) return allowed
  if (has(difference, 'other-session')) return asked('it belongs to another session')
  if (has(difference, 'other-tool')) {
    return difference.change === 'removed'
      ? asked('a record of another tool is gone')
      : noted('a record of another tool')
  }
  if (isKeptCopy(difference)) return noted('a copy that autopilot keeps of a record')
  if (isBeingWritten(difference)) return noted('a record that autopilot is writing')
  if (/\/approved\/[0-9a-f]{32}\.md$/.test(difference.name))
    return asked('the copy of a plan or spec as you approved it')
  return asked('a record of this session that only autopilot writes')
}

/** The folder of what is its own, which comes with the first file in it. What is in it is another difference. */
function isOwnFolder({ name, change, before, after }: Difference, facts: JudgeFacts): boolean {
  const state = change === 'added' ? after : change === 'removed' ? before : undefined
  return state?.startsWith('directory|') === true && isOwn(`${name}/`, facts)
}

/** What autopilot writes beside a record while somebody works, to be renamed onto it (storage/durable-file.ts). */
function isBeingWritten({ name, change }: Difference): boolean {
  return change !== 'changed' && /\/\.[^/]+\.\d+\.[0-9a-f]{12}\.tmp$/.test(name)
}

/**
 * What a run that was broken off leaves half written is kept beside its record when it is opened again, and old copies go:
 * between the two looks at a dispatch that was broken off with it. Nothing is read from them.
 */
function isKeptCopy({ name, change }: Difference): boolean {
  return change !== 'changed' && /\.[a-z]{1,20}-\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(name)
}
