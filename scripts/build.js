// Bundles source/ into dist/: one entry per program that is started as a process of its own.

import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { fastFrames, lateWidths, shortLibraries, withoutDevtools } from './ink-parts.js'
import { notices } from './notices.js'
import { readAtOnce, writeUsedCache } from './quick-parts.js'

// Built beside the old bundle and put in its place at the end, so that a running program always finds a whole one.
const fresh = `dist.${process.pid}`
const old = `${fresh}.old`

// What is loaded by name at run time, and bundled apart: chunks that it shared with the rest would bring the whole of
// the libraries in them.
const apart = {
  name: 'apart',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.{1,2}\/offers\.js$/ }, ({ path }) => ({
      path: `./${basename(path)}`,
      external: true,
    }))
  },
}

// The quick commands have to start about as fast as Node, so they are one script. What they load only at times is an entry
// of the main bundle; `late` gets the path of each by its name.
const late = {}
const lateFromMain = {
  name: 'late-from-main',
  setup(bundler) {
    bundler.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined
      const file = join(resolveDir, path).replace(/\.js$/, '.ts')
      const name = `late-${relative('source', file).replace(/\.ts$/, '').replaceAll(/[/\\]/g, '-')}`
      late[name] = file
      return { path: `./${name}.js`, external: true }
    })
  },
}

// The start screen knows of each workflow what it can be begun for. What else an entry of the registry loads is asked of
// that in the main bundle, and so is the one large reader behind a finder.
const findersOnly = {
  name: 'finders-only',
  setup(bundler) {
    bundler.onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return undefined
      if (path.endsWith('/flow.js')) return { path: './flow.js', external: true }
      const isLoad = importer.endsWith('entry.ts') && !path.endsWith('/finder.js')
      return isLoad ? { path, external: true } : undefined
    })
  },
}

const options = {
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  // Ink asks for its developer tools by DEV, a variable that people set for other things.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  // Read only where a fault is written down; the sources themselves are not shipped.
  sourcemap: 'linked',
  sourcesContent: false,
  // Names stay as they are written, so that a stack trace can be read without the maps too.
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
}
const quick = await build({
  ...options,
  splitting: false,
  format: 'cjs',
  // The start script hands over what Node hands to a script that it loads, and what brings in a module.
  banner: { js: '(function (module, require, loader) {' },
  footer: { js: '})' },
  outExtension: { '.js': '.cjs' },
  entryPoints: { quick: 'source/quick-cli.ts' },
  plugins: [readAtOnce, lateWidths, shortLibraries, lateFromMain],
})
const programs = await build({
  ...options,
  entryPoints: {
    ...late,
    cli: 'source/cli.ts',
    guard: 'source/processes/guard.ts',
    rehearsal: 'source/rehearsal/main.ts',
    embedded: 'source/embedded/main.ts',
    flow: 'source/workflows/lifecycle/flow/flow.ts',
  },
  plugins: [withoutDevtools, fastFrames, lateWidths, shortLibraries, apart],
})
const offers = await build({
  ...options,
  splitting: false,
  entryPoints: { offers: 'source/offers.ts' },
  plugins: [lateWidths, shortLibraries, findersOnly],
})
const inputs = { ...offers.metafile.inputs, ...programs.metafile.inputs, ...quick.metafile.inputs }
// A script that V8 has compiled before cannot import. The names are of one length, so the map stays right.
const script = (await readFile(`${fresh}/quick.cjs`, 'utf8')).replaceAll('import("./late-', 'loader("./late-')
await writeFile(`${fresh}/quick.cjs`, script)
await writeUsedCache(resolve(`${fresh}/quick.cjs`), options)
await writeFile(`${fresh}/third-party-notices.txt`, notices(inputs))
await rename('dist', old).catch((error) => {
  if (error.code !== 'ENOENT') throw error
})
await rename(fresh, 'dist')
await rm(old, { recursive: true, force: true })
