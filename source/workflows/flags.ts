/** One flag of the command line, named in camelCase: `reviewPlans` is typed `--review-plans`. */
export interface FlagSpec {
  type: 'boolean' | 'string'
  /** What stands behind one that takes a value: `<number>`. */
  value?: string
  about: string
}
export type FlagTable = Readonly<Record<string, FlagSpec>>

/** Flags as they were given; absent ones were not. */
export type GivenFlags = Readonly<Record<string, boolean | string>>

/** How a flag is typed: `--review-plans`. */
export function typedFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
