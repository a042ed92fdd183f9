import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const gardener = here('./gardener.mjs')

/** Bundles programs of the tests beside the guard, into `dir`, as the product is bundled. */
export async function bundleGarden(dir: string, programs: Record<string, string>): Promise<void> {
  const entryPoints = Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, here(path)]))
  await build({
    entryPoints: { ...entryPoints, guard: here('../../source/processes/guard.ts') },
    outdir: dir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'without-ink-devtools',
        setup(bundler) {
          bundler.onResolve({ filter: /^\.\/devtools\.js$/ }, () => ({ path: 'none', namespace: 'without' }))
          bundler.onLoad({ filter: /.*/, namespace: 'without' }, () => ({ contents: '' }))
        },
      },
    ],
    logLevel: 'error',
  })
  await writeFile(join(dir, 'package.json'), '{"type":"module"}\n')
}
