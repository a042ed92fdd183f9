// What the house sets itself as limits, counted per room: in source/ functions of at most 80 lines and four
// parameters, everywhere no promise that nobody waits for. biome.json holds the numbers and shows the places in editors; biome does
// not see promises that come from packages, so those are asked of the compiler.
//   node scripts/limits.js            the count per room
//   node scripts/limits.js --places   every place too
import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import ts from 'typescript'

/** 'warn' prints what is over a limit, 'error' fails because of it. */
const level = 'error'

const limits = {
  'lint/complexity/noExcessiveLinesPerFunction': 'long functions',
  'lint/complexity/useMaxParams': 'parameters',
  'lint/nursery/noFloatingPromises': 'floating promises',
  'lint/nursery/noMisusedPromises': 'misused promises',
}

/** Tests and scripts may have long functions (a `describe` is one) and rows of a table as parameters. */
const holds = (limit, path) => limit.includes('promises') || path.startsWith('source/')

/** Places that biome finds: {path, line, limit, message}. */
function byLinter() {
  const only = Object.keys(limits).map((rule) => `--only=${rule.replace('lint/', '')}`)
  const { stdout, error } = spawnSync(
    'npx',
    ['biome', 'lint', '.', ...only, '--reporter=json', '--max-diagnostics=none'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  )
  if (error) throw error
  return JSON.parse(stdout)
    .diagnostics.filter(
      ({ category, location }) => limits[category] && holds(limits[category], location.path),
    )
    .map(({ category, message, location }) => ({
      path: location.path,
      line: location.start.line,
      limit: limits[category],
      message,
    }))
}

/** Statements whose value is a promise that is neither awaited, returned, caught nor marked with `void`. */
function floatingPromises() {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
  )
  const program = ts.createProgram(config.fileNames, config.options)
  const checker = program.getTypeChecker()
  const found = []
  const isPromise = (type) =>
    type.isUnion()
      ? type.types.some(isPromise)
      : checker.getPropertyOfType(type, 'then') !== undefined && !(type.flags & ts.TypeFlags.Any)
  const visit = (node, file) => {
    if (
      ts.isExpressionStatement(node) &&
      !ts.isAwaitExpression(node.expression) &&
      !isHandled(node.expression) &&
      isPromise(checker.getTypeAtLocation(node.expression))
    ) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      const path = relative(process.cwd(), file.fileName).replaceAll('\\', '/')
      found.push({
        path,
        line: line + 1,
        limit: 'floating promises',
        message: 'Nobody waits for this promise.',
      })
    }
    ts.forEachChild(node, (child) => visit(child, file))
  }
  for (const file of program.getSourceFiles()) {
    if (!file.isDeclarationFile && !file.fileName.includes('/node_modules/')) visit(file, file)
  }
  return found
}

/** `p.catch(f)` and `p.then(f, g)` leave nothing unheard; a `finally` after them neither. */
function isHandled(expression) {
  if (ts.isVoidExpression(expression) || isAssignment(expression)) return true
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false
  const { name, expression: before } = expression.expression
  if (name.text === 'catch') return expression.arguments.length > 0
  if (name.text === 'then') return expression.arguments.length > 1
  return name.text === 'finally' && isHandled(before)
}

/** Who keeps a promise may wait for it later. */
function isAssignment(expression) {
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  )
}

function roomOf(path) {
  return path.split('/').slice(0, -1).slice(0, 3).join('/') || '.'
}

const places = new Map()
for (const place of [...byLinter(), ...floatingPromises()]) {
  places.set(`${place.path}:${place.line} ${place.limit}`, place)
}
const rooms = new Map()
for (const { path, limit } of places.values()) {
  const counts = rooms.get(roomOf(path)) ?? {}
  rooms.set(roomOf(path), { ...counts, [limit]: (counts[limit] ?? 0) + 1 })
}
for (const [room, counts] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const words = Object.entries(counts).map(([limit, count]) => `${count} ${limit}`)
  process.stdout.write(`${room.padEnd(28)} ${words.join(', ')}\n`)
}
if (process.argv.includes('--places') || level === 'error') {
  for (const { path, line, message } of places.values()) process.stdout.write(`${path}:${line}  ${message}\n`)
}
process.stdout.write(
  `${places.size} over a limit${level === 'warn' && places.size > 0 ? ' (not failing yet)' : ''}\n`,
)
process.exitCode = level === 'error' && places.size > 0 ? 1 : 0
