// Loaded before every test file that may hold property tests: a check that is repeated makes the same inputs again, so that what
// fails was changed. Without the variable, as in the full check, every run makes others.

const seed = process.env.AUTOPILOT_TEST_SEED
if (seed !== undefined) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
}
