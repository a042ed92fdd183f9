import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles the embedded agent as the build does, into a directory of the test. Returns the path of the program. */
export async function bundleEmbedded(directory: string): Promise<string> {
  await build({
    entryPoints: { embedded: fileURLToPath(new URL('../../source/embedded/main.ts', import.meta.url)) },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  })
  return join(directory, 'embedded.mjs')
}
