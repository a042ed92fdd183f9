// Parts of Ink that the bundle has others for.
import { fileURLToPath } from 'node:url'

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
