import type { Difference } from '../../../project/snapshot/difference.js'
import { isPlanned, lies } from '../ground.js'
import { isOfEditor, isProduct } from '../products.js'
import {
  allowed,
  asked,
  frozenRule,
  has,
  isLaidOut,
  isOwn,
  type JudgeFacts,
  noted,
  shownName,
  type Verdict,
} from './verdict.js'

// Files of the project, as git knows or does not know them (docs/evidence.md, "What is compared").

const product: Verdict = { kind: 'noted', why: 'left by what it ran', putAway: true }

export function fileRule(difference: Difference, facts: JudgeFacts): Verdict {
  const { contract, ground } = facts
  const path = shownName(difference)
  if (isOwn(path, facts)) return allowed
  if (ground.frozen.includes(path)) return frozenRule(difference, facts)
  if (ground.kept?.some((one) => one.test(path)))
    return asked('a record of the run, which is not its own', 'either')
  if (difference.change === 'added' && lies(path, ground.given) && !isOfEditor(path))
    return saysWhatIsWanted.test(path)
      ? asked(
          'it lies beside the documents in which you say what is wanted, and would be read as one',
          'either',
        )
      : noted('it lies beside what you have given')
  if (difference.change === 'added' && ground.mayAdd?.some((one) => one.test(path))) return allowed
  if (contract.may.includes('project files')) return projectFileRule(difference, facts)
  if (isOfEditor(path) || isEditorLock(difference)) return noted('kept by an editor, or by the system')
  const markdown = /\.(?:md|mdx|markdown)$/i.test(path) && difference.change !== 'removed'
  if (contract.noted.includes('other documents') && markdown && lies(path, ground.places['other documents']))
    return noted('a document beside its own')
  if (contract.noted.includes('products of a run') && isProduct(path)) return product
  return asked('nothing that it was to change', 'either')
}

/** Words, unlike data: whoever reads them later takes them for those of the person. */
const saysWhatIsWanted = /\.(?:md|mdx|markdown|txt|rst|adoc|rtf|docx?|odt|pdf)$/i

/** A link beside a file that says who edits it. */
function isEditorLock(difference: Difference): boolean {
  return has(difference, 'link') && /(?:^|\/)\.#[^/]+$/.test(difference.name)
}

/** A record of its own that holds what it said before it knew more: it may be added to. */
export function grownRule(
  { id, name, kind, change }: Difference,
  { ground, added }: JudgeFacts,
): Verdict | undefined {
  const [path = ''] = name.split('#')
  const counts = (kind === 'file' || kind === 'protected') && change !== 'added'
  if (!counts || !ground.grows?.some((one) => one.path === path)) return undefined
  return added?.has(id) ? allowed : asked('it holds what was said before the other report was known', 'agent')
}

function projectFileRule(
  difference: Difference,
  { ground, beforehand, plainAttributes, markdown, turned }: JudgeFacts,
): Verdict {
  const path = shownName(difference)
  const planned = isPlanned(path, ground.planned)
  if (beforehand.includes(path)) return asked('it had uncommitted changes of yours before', 'either')
  if (has(difference, 'instructions')) {
    if (isLaidOut(difference, { markdown })) return noted('laid out anew, with the same content')
    return planned
      ? noted('agents take orders from it; the plan names it')
      : asked('agents take orders from it')
  }
  if (has(difference, 'attributes')) {
    if (plainAttributes.has(difference.id) && planned)
      return noted('the plan names it, and it starts no program')
    return asked('git takes orders from it')
  }
  const elsewhere = (turned?.get(difference.id) ?? []).filter((each) => !isPlanned(each, ground.planned))
  if (elsewhere.length > 0 && !planned)
    return asked(`a submodule comes from another address, or is looked at less: ${elsewhere.join(', ')}`)
  if (has(difference, 'led-away') && !planned)
    return asked('a link is in its place, to where git does not look')
  if (has(difference, 'nested') && difference.change === 'removed') return asked('a whole repository is gone')
  return allowed
}

export function indexRule(difference: Difference, facts: JudgeFacts): Verdict {
  const path = shownName(difference)
  if (facts.beforehand.includes(path)) return asked('you had staged it, or had changes of your own in it')
  const isConflict = (state = '') => / [123](?:;|$)/.test(state)
  if (isConflict(difference.after) && !isConflict(difference.before))
    return asked('a conflict is left in the index, which the next commit of yours would meet')
  const own = isOwn(path, facts)
  if (facts.otherStaged?.includes(difference.id) && !own && !isPlanned(path, facts.ground.planned))
    return asked('staged in another form than it lies here, and it holds or gives orders')
  if (facts.contract.may.includes('project files') || own) return allowed
  const verdict = fileRule(difference, facts)
  // What is staged of a product is no product: the file itself is what is put away.
  return verdict.kind === 'asked' ? asked('staged, or not staged any more') : verdict
}

export function bitsRule(difference: Difference): Verdict {
  // A sparse checkout that has grown hides less than before.
  if (difference.change === 'removed' && has(difference, 'left-out')) return noted('checked out now')
  return asked('git is told not to look at it')
}

export function ignoredRule(difference: Difference): Verdict {
  const path = shownName(difference)
  if (has(difference, 'secret-name') && difference.change !== 'removed')
    return asked('it looks like a file of secrets')
  if (difference.change === 'removed' && !isProduct(path) && !isOfEditor(path))
    return asked('it is gone, and git holds no copy')
  return noted(`ignored by git, and ${difference.change === 'removed' ? 'gone' : 'changed'}`)
}

export function hiddenRule(difference: Difference, facts: JudgeFacts): Verdict {
  if (difference.detail === 'ignores itself') return allowed
  if (isOwn(shownName(difference), facts)) return allowed
  if (facts.contract.may.includes('project files')) return noted(difference.detail ?? 'hidden from git')
  if (isProduct(shownName(difference))) return noted('left by what it ran')
  return asked(difference.detail ?? 'hidden from git', 'either')
}
