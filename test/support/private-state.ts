import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { temporaryRoot } from './temporary.js'

// Loaded before every test file: keys and seals go into a directory of the tests, never into that of a person.

const directory = mkdtempSync(join(temporaryRoot, 'autopilot-test-state-'))
process.env.XDG_STATE_HOME = directory

afterAll(() => rmSync(directory, { recursive: true, force: true }))
