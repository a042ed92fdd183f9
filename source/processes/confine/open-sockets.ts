import { readFileSync } from 'node:fs'

// Who may write to a socket can have its owner do what is not to be done: type into a terminal, sign with a key. A mount
// that is read-only does not hold that off (docs/evidence.md, "Confinement").

/** In /proc/net/unix: somebody listens, and the path of the file. */
const listening = /^\S+: \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.+)$/gm

/** Variables that name a socket: alone, as an address, or with more behind a comma. */
const naming = [
  'TMUX',
  'SSH_AUTH_SOCK',
  'DOCKER_HOST',
  'NVIM',
  'NVIM_LISTEN_ADDRESS',
  'KITTY_LISTEN_ON',
  'WEZTERM_UNIX_SOCKET',
  'ZED_ASKPASS_SOCKET',
  'DBUS_SESSION_BUS_ADDRESS',
]

/** Absolute paths of all sockets of this machine that somebody listens at; none where the system does not tell them. */
export function listenedSockets(): string[] {
  const paths = Array.from(listOfSystem().matchAll(listening), ([, path = '']) => path)
  return [...new Set(paths)]
}

/** Absolute paths of those that variables of the person name. */
export function namedSockets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return naming.flatMap((name) => {
    const path = /^(?:unix:(?:\/\/|path=)?)?(\/[^,]+)/.exec(environment[name] ?? '')?.[1]
    return path === undefined ? [] : [path]
  })
}

function listOfSystem(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch {
    // Another system, or one that tells nobody.
    return ''
  }
}
