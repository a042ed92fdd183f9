import { isAbsolute, join } from 'node:path'

// Where programs keep what is theirs: below HOME, and where a variable of the XDG base directories says.

const bases = [
  ['.config', 'XDG_CONFIG_HOME'],
  ['.cache', 'XDG_CACHE_HOME'],
  ['.local/share', 'XDG_DATA_HOME'],
  ['.local/state', 'XDG_STATE_HOME'],
] as const

/** What a path means, absolute: itself, or the places that it can have below HOME (relative, or with `~/`). */
export function homePaths(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  path: string,
): string[] {
  if (isAbsolute(path)) return [path]
  const name = path.startsWith('~/') ? path.slice(2) : path
  const moved = bases.flatMap(([usual, variable]) => {
    const base = env[variable]
    const isBelow = name === usual || name.startsWith(`${usual}/`)
    return isBelow && base !== undefined && isAbsolute(base) ? [join(base, name.slice(usual.length))] : []
  })
  return [...new Set([join(home, name), ...moved])]
}
