// node quick-cache.js <script> <project>: uses the quick commands in a project and writes what V8 has compiled of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

const [filename = '', project = ''] = process.argv.slice(2)
const script = new Script(readFileSync(filename, 'latin1'), { filename })
const module = { exports: {} }
const loader = (name) => import(pathToFileURL(join(dirname(filename), name)))
script.runInThisContext()(module, createRequire(filename), loader)
process.chdir(project)
for (const argv of [['status'], ['status', '--json'], ['sessions']]) {
  if ((await module.exports.quick(argv)) !== 0) throw new Error(`${argv.join(' ')} failed`)
}
writeFileSync(`${filename}.cache`, script.createCachedData())
