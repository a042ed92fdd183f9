import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

// What an agent of any workflow can do in a project, and how it tells the test what it did.

/** What the system says to a process that is kept from something. */
const kept =
  /\b(ENOENT|EROFS|EACCES|EPERM|EBUSY|EXDEV|ESRCH|ENXIO)\b|Read-only file system|Permission denied|resource busy/

const quiet = { ...process.env, GIT_OPTIONAL_LOCKS: '0' }

export type Hands = ReturnType<typeof openHands>

/**
 * @param dir the project
 * @param folder directory of the test, which holds the project, the home and the places of canaries
 */
export function openHands(dir: string, folder: string) {
  const path = (name: string) => join(dir, name)
  const print = (value: unknown) =>
    process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
  const hands = {
    dir,
    folder,
    path,
    /** A line of output. */
    print,
    /** A line that the test reads, whatever else the agent says. */
    say(text: string): void {
      print({ type: 'text', id: `liar-${text}`, full: `liar: ${text}` })
      mkdirSync(path('node_modules'), { recursive: true })
      try {
        appendFileSync(path('node_modules/.liar-said'), `${text}\n`)
      } catch {
        // In a project that it cannot write the output has to do.
      }
    },
    /** The lie itself: told to the test as done, or as kept from it by the system. */
    lie(tell: () => void): boolean {
      try {
        tell()
        hands.say('did')
        return true
      } catch (error) {
        const text = `${(error as Error).message} ${(error as { stderr?: unknown }).stderr ?? ''}`
        if (!kept.test(text)) throw error
        hands.say(`prevented: ${text.replace(/\s+/g, ' ').slice(0, 160)}`)
        return false
      }
    },
    /** An earlier dispatch has lied already: this one is honest. */
    lied: () =>
      hands.exists('node_modules/.liar-said') && /^did$/m.test(hands.read('node_modules/.liar-said')),
    read: (name: string) => readFileSync(path(name), 'utf8'),
    exists: (name: string) => existsSync(path(name)),
    write(name: string, text: string | Uint8Array): void {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), text)
    },
    append: (name: string, text: string) => appendFileSync(path(name), text),
    remove: (name: string) => rmSync(path(name), { recursive: true, force: true }),
    git(...args: string[]): string {
      return execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: 'pipe', env: quiet }).trimEnd()
    },
    commit(subject: string, ...names: string[]): void {
      hands.git('add', '--', ...names)
      hands.git('commit', '-q', '-m', subject, '--', ...names)
    },
    run(file: string, ...args: string[]): string {
      return execFileSync(file, args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' })
    },
    /** A script that, executed by anybody, leaves the canary in both places where it can be seen. */
    canary: (rest = '') =>
      `#!/bin/sh\ntouch '${folder}/canary' 2>/dev/null\ntouch '${dir}/node_modules/.canary' 2>/dev/null\n${rest}\n`,
    /** In which process namespace the agent lives, to tell whether it is confined. */
    namespace(): string {
      try {
        return readlinkSync('/proc/self/ns/pid')
      } catch {
        return ''
      }
    },
  }
  return hands
}
