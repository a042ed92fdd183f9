// The licences of everything that a bundle holds, as one text. Whoever hands a bundle on has to hand these on too.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of the package that a bundled file comes from, or undefined for a file of our own. */
function packageFolder(file) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
}

/** Texts of the package itself, and of what it has bundled in its turn (meow keeps those beside its build). */
function licenceText(folder) {
  const named = (where) =>
    readdirSync(where)
      .filter((name) => /^(licen[cs]es?|copying|notice)([.-]|$)/i.test(name))
      .sort()
      .map((name) => join(where, name))
  return [folder, join(folder, 'build'), join(folder, 'dist')]
    .filter((place) => existsSync(place))
    .flatMap(named)
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
}

/** What a package says of itself where it ships no licence text. */
function stated({ author, license }) {
  const name = typeof author === 'string' ? author : author?.name
  return [`Licence: ${license}`, ...(name ? [`Author: ${name}`] : [])].join('\n')
}

/**
 * Text of the notices for the inputs of an esbuild metafile, packages in alphabetical order.
 * Throws for a package that names no licence at all: such a one must not be bundled.
 */
export function notices(inputs) {
  const folders = new Set(Object.keys(inputs).map(packageFolder).filter(Boolean))
  const packages = [...folders].map((folder) => {
    const { name, version, license, author, homepage } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const text = licenceText(folder)
    if (!text && !license)
      throw new Error(`${name} ${version} is bundled but names no licence (${dirname(folder)})`)
    return {
      title: `${name} ${version}${license ? ` (${license})` : ''}`,
      homepage,
      text: text || stated({ author, license }),
    }
  })
  packages.sort((a, b) => (a.title < b.title ? -1 : 1))
  const rule = '-'.repeat(78)
  const parts = packages.map(({ title, homepage, text }) =>
    [rule, title, ...(homepage ? [homepage] : []), '', text, ''].join('\n'),
  )
  const head = `autopilot is shipped as a bundle. It holds code of these ${packages.length} packages, each under its own licence.\n`
  return `${[head, ...parts].join('\n')}`
}
