import { expect, test } from 'vitest'
import { standIns } from '../../../../source/workflows/evidence/claims/stand-ins.js'
import { isSwallowed } from '../../../../source/workflows/evidence/claims/swallowed.js'

// Texts that an agent may write to hold everything up: what is not linear takes minutes on these, and the test is ended.

const times = 200_000

test('assertions in tries that are nested without end', () => {
  const nested = `${'try{'.repeat(times)}expect(1)${'}catch{}'.repeat(times)}`
  expect(isSwallowed(nested)).toBe(true)
  const open = `${'try{expect(1);'.repeat(times)}`
  expect(isSwallowed(open)).toBe(false)
})

test('as many names as fit into a test file, none of which is taken from elsewhere any more', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `name${at}`)
  const before = names.map((name) => `import { ${name} } from './${name}.js'`).join('\n')
  const now = names.map((name) => `const ${name} = 1`).join('\n')
  const found = standIns({ path: 'test/a.test.ts', before, now, textOf: () => undefined })
  expect(found).toHaveLength(names.length)
})
