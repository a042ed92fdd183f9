// A command agent that digs one bed in the folder it is started in. It waits until the other bed has its gardener too,
// so that it can only come to its end where both work at once.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const order = JSON.parse(readFileSync(process.env.AUTOPILOT_DISPATCH, 'utf8'))
const meeting = join(order.projectDir, order.sessionDir, 'meeting')
const bed = basename(process.cwd())
if (bed !== order.bed) throw new Error(`started in ${process.cwd()} for bed ${order.bed}`)

mkdirSync(meeting, { recursive: true })
writeFileSync(join(meeting, bed), '')
const deadline = Date.now() + 20_000
const poll = setInterval(() => {
  if (readdirSync(meeting).length < order.beds) {
    if (Date.now() > deadline) process.exit(1)
    return
  }
  clearInterval(poll)
  if (!existsSync('soil.txt')) writeFileSync('soil.txt', `${bed} by ${order.persona}\n`)
  const result = { grew: `${order.persona} in ${bed}` }
  const usage = { input: 3, output: 2, cached: 0 }
  process.stdout.write(
    `${JSON.stringify({ type: 'end', outcome: { ok: true, result, text: 'dug', usage } })}\n`,
  )
}, 20)
