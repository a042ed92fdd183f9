import { createProject, type TestProject } from '../../support/project.js'

export const planPath = 'docs/plans/2030-04-02-mail-rules-plan.md'
export const specPath = 'specs/mail.md'

/** What only the text of each file says, so that it is on the screen when that one is open and not before. */
export const words = {
  plan: 'Each rule has a name of its own.',
  spec: 'Mail that no rule fits stays where it is.',
  diff: 'keepsTheOrderOfRules',
}

/** A small repository with a plan, a spec and changes since its first commit, all of them real. */
export async function createEvidence(): Promise<{ project: TestProject; since: string }> {
  const project = await createProject({
    files: {
      [planPath]: `# Plan: Mail rules\n\n### Task 1: rules\n\n${words.plan}\n`,
      [specPath]: `# Mail\n\n${words.spec}\n`,
      'src/rules.ts': 'export const rules = []\n',
    },
  })
  const since = await project.git('rev-parse', 'HEAD')
  await project.commit('Keep the order', { 'src/rules.ts': `export const ${words.diff} = true\n` })
  return { project, since }
}
