// How libraries come into the bundle: parts of Ink that it has others for, and shorter names.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const ours = (name) => fileURLToPath(new URL(`../source/terminal/${name}`, import.meta.url))
const inInk = /[\\/]node_modules[\\/]ink[\\/]build[\\/]/
const ofInk = /[\\/]node_modules[\\/](?:ink|widest-line|wrap-ansi|cli-truncate)[\\/]/

/** Ink brings tools for its own developers, with a websocket server; nobody reaches them here. */
export const withoutDevtools = {
  name: 'without-ink-devtools',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ importer }) =>
      inInk.test(importer) ? { path: 'none', namespace: 'without' } : undefined,
    )
    bundler.onLoad({ filter: /.*/, namespace: 'without' }, () => ({ contents: '' }))
  },
}

/** The modules of Ink that are most of what a frame costs, and what stands for each. */
const parts = {
  frame: `export { InkFrame as default } from ${JSON.stringify(ours('ink-frame.ts'))}`,
  width: `export { lookedWidth as default } from ${JSON.stringify(ours('looked-width.ts'))}`,
}

/** Puts ours in the place of them. */
export const fastFrames = {
  name: 'fast-frames',
  setup(bundler) {
    const instead = (filter, importers, path) =>
      bundler.onResolve({ filter }, ({ importer }) =>
        importers.test(importer) ? { path, namespace: 'ours' } : undefined,
      )
    instead(/^\.\/output\.js$/, inInk, 'frame')
    instead(/^string-width$/, ofInk, 'width')
    bundler.onLoad({ filter: /.*/, namespace: 'ours' }, ({ path }) => ({
      contents: parts[path],
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    }))
  },
}

const instead = /[\\/]source[\\/]terminal[\\/]looked-width\.ts$/

/**
 * The patterns of string-width and what divides text into characters take longer to be made than all the rest of a first frame
 * (95 ms, measured), and plain texts need neither: they are made when the first text asks for them.
 */
export const lateWidths = {
  name: 'late-widths',
  setup(bundler) {
    bundler.onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      instead.test(importer) ? { path: 'string-width', namespace: 'late' } : undefined,
    )
    // What is asked for by require is evaluated when that is called, in the bundle as in Node.
    bundler.onLoad({ filter: /.*/, namespace: 'late' }, () => ({
      contents: `let width
        export default (text) => (width ??= require('string-width').default)(text)`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    }))
  },
}

const segmenter = /^(const \w+ = )(new Intl\.Segmenter\([^()]*\));$/gm

/** The text of a library, with what divides text into characters made at its first use. */
function withLateSegmenter(text) {
  return text.replace(segmenter, '$1{ segment(text) { this.own ??= $2; return this.own.segment(text) } };')
}

/** Names inside of libraries are shortened, which makes them load faster; our own stay as they are written. */
export const shortLibraries = {
  name: 'short-libraries',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const { code } = await transform(withLateSegmenter(await readFile(path, 'utf8')), {
        loader: 'js',
        target: 'node20',
        minifyIdentifiers: true,
        minifySyntax: true,
        define: { 'process.env.NODE_ENV': '"production"' },
        legalComments: 'inline',
      })
      return { contents: code, loader: 'js' }
    })
  },
}
