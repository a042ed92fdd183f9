#!/usr/bin/env node
// Starts the bundled program. A script and no module (bin/package.json): what people and prompts ask for all the time is
// another script, and without the loader of modules it is there about as soon as Node itself.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `autopilot needs Node 20.19 or newer, this is ${process.versions.node}.\n` +
      'Older versions lack file and stream behaviour that saved runs depend on.\n' +
      'Install a current Node (nodejs.org or your version manager) and start again.\n',
  )
  process.exit(2)
}
// React picks its build by this when it is first imported.
process.env.NODE_ENV ??= 'production'

async function start() {
  const argv = process.argv.slice(2)
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.on('error', () => {})
    const text = `${require('../package.json').version}\n`
    const error = await new Promise((done) => process.stdout.write(text, done))
    // A reader that has gone away needs no answer; any other failure is told by the program itself.
    if (!error || error.code === 'EPIPE') return
  }
  if (argv[0] === 'status' || argv[0] === 'sessions') {
    const exitCode = await quickCommands().quick(argv)
    // All is written by now, and taking the heap apart first would be time for nothing.
    if (exitCode !== undefined) process.exit(exitCode)
  }
  await import('../dist/cli.js')
}

/** The script of the quick commands, with what V8 had made of it when it was built: compiling it takes longer than running it. */
function quickCommands() {
  const { readFileSync } = require('node:fs')
  const { Script } = require('node:vm')
  const filename = require.resolve('../dist/quick.cjs')
  let cachedData
  try {
    cachedData = readFileSync(`${filename}.cache`)
  } catch {
    // Without it, or with that of another V8, the script is compiled as any other.
  }
  // The bundler writes ASCII alone, and this is read in one piece.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData })
  const module = { exports: {} }
  script.runInThisContext()(module, require, (name) => import(`../dist/${name}`))
  return module.exports
}

start().catch((error) => {
  const isMissing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error?.code)
  if (!isMissing || !String(error.message).includes('dist')) throw error
  process.stderr.write(
    'autopilot has not been built: its program in dist/ is missing.\n' +
      'The command starts a bundle, so nothing can run without it.\n' +
      'Run `npm ci` or `npm run build` in the package directory and start again.\n',
  )
  process.exitCode = 1
})
