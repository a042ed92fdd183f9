import type { Evidence, Question } from '../../view/question.js'
import type { RunSnapshot } from '../../view/view.js'
import type { ViewId } from '../views/view-id.js'

// What can be read before a gate is answered: what the question names, and the views that speak of the work.

const prefix = 'view:'

function link(id: ViewId, kind: Evidence['kind'], title: string): Evidence {
  return { id: prefix + id, kind, title }
}

/** The view that something to read stands for, if it is one. */
export function viewOfEvidence({ id }: Evidence): ViewId | undefined {
  return id.startsWith(prefix) ? (id.slice(prefix.length) as ViewId) : undefined
}

/** The file that a person edits who looks at it: the plan itself, where a question shows a copy that carries its name. */
export function fileOfEvidence({ path, title }: Evidence, { view }: RunSnapshot): string | undefined {
  const original = view.documents?.find((one) => one.path !== undefined && one.path === title)
  return original?.path ?? path
}

function linksOf({ view }: RunSnapshot, own: readonly Evidence[]): Evidence[] {
  const { documents = [], findings = [], work = [] } = view
  const named = (kind: Evidence['kind']) => documents.find((one) => one.kind === kind)
  // A question about a plan shows it as it is to be approved, from a copy that carries its name.
  const first = named('plan')
  const plan = own.some(({ path, title }) => first?.path !== undefined && [path, title].includes(first.path))
    ? undefined
    : first
  const diff = own.some(({ kind }) => kind === 'diff') ? undefined : named('diff')
  return [
    ...(plan ? [link('plan', 'plan', plan.title)] : []),
    ...(diff ? [link('diff', 'diff', diff.title)] : []),
    ...(findings.length > 0 ? [link('findings', 'findings', 'findings')] : []),
    ...(work.length > 0 ? [link('evidence', 'text', 'evidence')] : []),
  ]
}

/** The question with everything that its owner can read first. */
export function withReadable(question: Question, snapshot: RunSnapshot): Question {
  const own = question.evidence ?? []
  const links = linksOf(snapshot, own)
  return links.length === 0 ? question : { ...question, evidence: [...own, ...links] }
}
