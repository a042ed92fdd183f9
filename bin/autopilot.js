#!/usr/bin/env node
// Starts the bundled program. React picks its build by NODE_ENV when it is first imported, so the variable is
// set before the dynamic import; a static import would run first.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `autopilot needs Node 20.19 or newer, this is ${process.versions.node}.\n` +
      'Older versions lack file and stream behaviour that saved runs depend on.\n' +
      'Install a current Node (nodejs.org or your version manager) and start again.\n',
  )
  process.exit(2)
}
process.env.NODE_ENV ??= 'production'
try {
  await import('../dist/cli.js')
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist')) throw error
  process.stderr.write(
    'autopilot has not been built: dist/cli.js is missing.\n' +
      'The command starts a bundle, so nothing can run without it.\n' +
      'Run `npm ci` or `npm run build` in the package directory and start again.\n',
  )
  process.exit(1)
}
