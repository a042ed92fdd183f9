import { harnessEntry } from './harness/entry.js'
import { lifecycleEntry } from './lifecycle/entry.js'
import { playbookEntry } from './playbook/entry.js'
import type { Registry } from './workflow.js'

/** Every workflow there is, in the order in which equally sure ones are taken. */
export const registry: Registry = [harnessEntry, lifecycleEntry, playbookEntry]
