// Bundles source/ into dist/: one entry per program that is started as a process of its own.
import { rm } from 'node:fs/promises'
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

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: {
    cli: 'source/cli.tsx',
    guard: 'source/agents/guard.ts',
    rehearsal: 'source/rehearsal/main.ts',
    embedded: 'source/embedded/main.ts',
  },
  outdir: 'dist',
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
