import { join } from 'node:path'

/** What a run has in its environment: a home and places of its own. */
export function environmentOf(folder: string): Record<string, string> {
  const home = join(folder, 'home')
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  }
}
