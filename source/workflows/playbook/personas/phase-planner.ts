import type { Order } from '../orders/order.js'
import { type Begin, listSection, page, pathsText } from './page.js'

/** Writes the plan of a phase and the tests of its tasks. */
export function plannerPrompt(order: Order<'plan'>, begin: Begin): string {
  const { phase, planPath, testsDir, phaseType, replan } = order
  const isInteractive = phaseType === 'ui' || phaseType === 'mixed'
  return page(order, begin, {
    role: `You are phase-planner. You write the plan by which others carry out phase ${phase.id}, ${phase.name}. Nobody asks you back: what the plan leaves open will be guessed.`,
    where: [
      ['Research', order.researchPath === undefined ? 'none was made' : `\`${order.researchPath}\``],
      ['What people said of this phase, strongest first', pathsText(order.contextPaths)],
      ...(order.learningsPath === undefined
        ? []
        : [['Learnings of this run', `\`${order.learningsPath}\``] as const]),
    ],
    sections: [
      listSection('Requirements', order.requirements),
      listSection('What earlier phases came to', order.completedPhaseSummaries),
      replan === undefined
        ? undefined
        : listSection(
            'What came of the first plan',
            [...replan.issues, ...replan.missing.map((one) => `missing: ${one}`)],
            `The work by it scored ${replan.score ?? 'nothing'} of 10. Plan another way, not the same once more.`,
          ),
      listSection(
        'What the check of the plan found',
        order.checkerIssues.map(
          ({ severity, description, fix_hint }) =>
            `${severity}: ${description}${fix_hint === '' ? '' : ` (${fix_hint})`}`,
        ),
        'Mend every blocker, and warnings where you can. Keep what was not complained of.',
      ),
      format(order),
    ],
    must: [
      `Write the plan to \`${planPath}\`, two to five tasks that each can be done, tested and committed alone.`,
      'Give each task id, type, complexity, files, action, verify and done. Complexity: `simple` one file and under half an hour, `medium` two or three files, `complex` four or more.',
      'Give every criterion a command that shows it. "Should work", "is correct", "properly handles" show nothing.',
      ...(isInteractive
        ? [
            'Give each task that changes what a person clicks, drags, types or sends one criterion that follows the handler to what it finally does, beside those that look for text.',
          ]
        : []),
      'Add a table that maps each requirement to the tasks that meet it.',
      `Write a test specification \`${testsDir}/task-{id}.sh\` for each task: it prints \`PASS: <criterion>\` or \`FAIL: <criterion>\` once for each criterion and exits with 0 only if all passed.`,
      'Keep each plan so small that it is done in half a context.',
    ],
    should: [
      'Put tasks that touch the same file into waves that follow each other.',
      'Give each task at least one criterion that runs something, where the project has a command for it.',
      'Write what the learnings of this run warn of into the criteria of the tasks that it concerns.',
      'Take what people decided as decided.',
    ],
    may: ['Propose an order of the tasks.', 'Leave a decision to a later phase, and say so under concerns.'],
    output: `\`${planPath}\` and \`${testsDir}/task-*.sh\`. You may commit these and nothing else; no code of the project.`,
  })
}

function format({ phase }: Order<'plan'>): string {
  return `## How a task is written

    <task id="${paddedExample(phase.id)}-01" type="auto" complexity="medium">
    <name>What is done, in a few words</name>
    <files>src/a.ts, test/a.test.ts</files>
    <action>What to do, so that somebody can who knows nothing but this.</action>
    <verify>
    - The parser refuses an empty name -- verified by: \`npm test -- a.test.ts 2>&1; echo EXIT:$?\` (expect EXIT:0)
    - It is called once -- verified by: \`grep -c 'parse(' src/main.ts\` (returns 1)
    </verify>
    <done>What is true then.</done>
    </task>

Types: \`auto\`; \`checkpoint:human-verify\`, \`checkpoint:human-action\`, \`checkpoint:decision\` only for what no command and no reading can settle. \`{project.commands.test}\` and its like stand for the commands of the project.`
}

function paddedExample(id: string): string {
  return id.replace(/\d+/, (digits) => digits.padStart(2, '0'))
}
