// Bundles source/ into dist/: one entry per program that is started as a process of its own.
import { rename, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const stubDevtools = {
  name: 'stub-react-devtools',
  setup(bundler) {
    bundler.onResolve({ filter: /^react-devtools-core$/ }, () => ({
      path: 'stub',
      namespace: 'devtools-stub',
    }))
    bundler.onLoad({ filter: /.*/, namespace: 'devtools-stub' }, () => ({
      contents: 'export default { initialize() {}, connectToDevTools() {} }',
    }))
  },
}

// Built beside the old bundle and put in its place at the end, so that a running program always finds a whole one.
const fresh = `dist.${process.pid}`
const old = `${fresh}.old`

await build({
  entryPoints: {
    cli: 'source/cli.tsx',
    guard: 'source/processes/guard.ts',
    rehearsal: 'source/rehearsal/main.ts',
    embedded: 'source/embedded/main.ts',
  },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  plugins: [stubDevtools],
  logLevel: 'warning',
  sourcemap: false,
  minifySyntax: true,
})
await rename('dist', old).catch((error) => {
  if (error.code !== 'ENOENT') throw error
})
await rename(fresh, 'dist')
await rm(old, { recursive: true, force: true })
