import { expect, test } from 'vitest'
import { executedFiles } from '../../../../source/workflows/playbook/criteria/executed-files.js'

test.each([
  ['node scripts/check.mjs', ['scripts/check.mjs']],
  ['node --no-warnings ./scripts/check.mjs --all', ['scripts/check.mjs']],
  ['CI=1 ./check.sh && cat src/a.txt', ['check.sh']],
  ['cd app && python3 tools/look.py', ['app/tools/look.py']],
  ['cd app && cd .. && bash check.sh', ['check.sh']],
  ['cd /somewhere/of/the/author && bash check.sh', ['check.sh']],
  ['(cd app; ./check.sh)', ['app/check.sh']],
  ['cd .. && bash check.sh', []],
  ['grep -q title src/page.html', []],
  ['node -e 0', []],
  ["bash -ec 'sh inner.sh'", ['inner.sh']],
  ['/usr/bin/env true', []],
  ['sh ../outside.sh', []],
])('%s executes %j', (command, files) => {
  expect(executedFiles(command)).toEqual(files)
})
