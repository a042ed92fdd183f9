import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '../../source/storage/lock.js'

// One process of a lock race. `race <dir> <rounds>`: for each round it waits for the starting file, races for the lock
// of that round and notes each time it holds it, and each time it lets go. `hold <dir>`: takes the lock, prints its
// owner, and stays until it is killed; a line on stdin makes it check its fence.

const [command, dir = '', rounds = '0'] = process.argv.slice(2)
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

if (command === 'race') {
  for (let round = 0; round < Number(rounds); round++) {
    const place = join(dir, String(round))
    while (!existsSync(join(place, 'go'))) await pause(1)
    const acquired = await acquireLock(place, { version: 'race' })
    if (acquired.kind === 'held') {
      const note = (text: string) => appendFileSync(join(place, 'holders'), `${process.pid} ${text}\n`)
      note('in')
      await pause(2)
      await acquired.lock.check()
      note('out')
      if (round % 2 === 1) await acquired.lock.release()
    }
    appendFileSync(join(place, 'done'), '.')
    while (readFileSync(join(place, 'done')).length < 6) await pause(1)
  }
}

if (command === 'hold') {
  const acquired = await acquireLock(dir, { version: 'hold' })
  if (acquired.kind !== 'held') throw new Error('not held')
  console.log(JSON.stringify(acquired.lock.owner))
  process.stdin.on('data', () => {
    acquired.lock.check().then(
      () => console.log('mine'),
      (error: { code: string }) => console.log(error.code),
    )
  })
}
