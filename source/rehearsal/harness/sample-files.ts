import type { ScriptFile } from './scenario/script.js'

export const sampleSpecPath = 'docs/changes/watering-plan/proposal.md'

const spec = `# Watering plan

## Overview

Windowsill reads the names of our plants and nothing else. It should know who is thirsty today, show the coming week,
and tell both with one command. The list in plants.txt already holds what is needed for that.

## Decisions

| Decision | Reason |
|---|---|
| Dates are text like 2030-04-01 | They sort, compare and print as they are |
| No dependencies | The whole program is smaller than most of them |
| Tests with node:test | They run wherever the program runs |

## Success Criteria

- Every thirsty plant is listed with its room and how long it has waited.
- The order of that list is chosen by a person, not by the program.
- The coming week can be read at a glance.
- A typo in the list is told with its line number and hides no other plant.

## Implementation Order

### Phase 1: Plant list
<!-- complexity: low -->

Read a plant from a line of plants.txt: name, days between waterings, last watered, room. Count days between dates.
Read the whole list; a line that cannot be read is reported with its number.

### Phase 2: Watering week
<!-- complexity: medium -->

Work out when a plant wants water and how long it has waited. Several orders of the list make sense: let a person
decide. Draw the coming week as text, and let a person look at it.

### Phase 3: Command line
<!-- complexity: low -->

One command that takes a list and a date and prints who is thirsty and the week. The readme shows it.
`

const roadmap = (today: string) => `---
project: windowsill
version: 1
last_synced: ${today}T00:00:00Z
last_manual_edit: ${today}T00:00:00Z
---

# Roadmap

## Milestone: First summer

### Names of the plants

- **Status:** done
- **Spec:** —
- **Summary:** Read the names from plants.txt
- **Blockers:** —
- **Plan:** —

### Watering plan

- **Status:** planned
- **Spec:** ${sampleSpecPath}
- **Summary:** Know who is thirsty today and what the week looks like
- **Blockers:** —
- **Plan:** —

## Backlog

### Reminders

- **Status:** backlog
- **Spec:** —
- **Summary:** A message in the morning when somebody is thirsty
- **Blockers:** Watering plan
- **Plan:** —

## Assignment History

| Feature | Assignee | Date |
|---|---|---|
`

/** The sample project as it is before autopilot starts. `today` like 2030-04-01. */
export function sampleFiles(today: string): ScriptFile[] {
  return [
    {
      path: 'readme.md',
      text: `# Windowsill

Windowsill knows the plants on our windowsill by name. It does not know yet when they are thirsty: the approved spec for
that is ${sampleSpecPath}.

## Tests

    npm test
`,
    },
    {
      path: 'package.json',
      text: `${JSON.stringify(
        {
          name: 'windowsill',
          version: '0.1.0',
          private: true,
          description: 'Knows the plants of the house',
          type: 'module',
          scripts: { test: 'node --test' },
        },
        null,
        2,
      )}\n`,
    },
    { path: '.gitignore', text: 'node_modules/\n' },
    { path: '.harness/.gitignore', text: 'sessions/\n' },
    {
      path: 'plants.txt',
      text: `# name, days between waterings, last watered, room
Fern, 3, 2030-04-01, bathroom
Basil, 2, 2030-04-03, kitchen
Monstera, 7, 2030-03-27, living room
Cactus, 21, 2030-03-20, study
Ivy, 5, 2030-04-02, kitchen
`,
    },
    {
      path: 'src/names.js',
      text: `/** The names in the list, in its order. Blank lines and lines with \`#\` are skipped. */
export const plantNames = (text) =>
  text
    .split('\\n')
    .map((line) => line.split(',')[0].trim())
    .filter((name) => name !== '' && !name.startsWith('#'))
`,
    },
    {
      path: 'test/names.test.js',
      text: `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantNames } from '../src/names.js'

test('names come in the order of the list', () => {
  assert.deepEqual(plantNames('# ours\\nFern, 3\\n\\nBasil, 2\\n'), ['Fern', 'Basil'])
})
`,
    },
    { path: sampleSpecPath, text: spec },
    { path: 'docs/roadmap.md', text: roadmap(today) },
  ]
}
