// What makes the quick commands quick: files are read at once, and V8 has compiled what they need before.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const filesAtOnce = fileURLToPath(new URL('files-at-once.js', import.meta.url))

/** Puts calls that wait in the place of those of `node:fs/promises`: a command that has nothing else to do loses nothing. */
export const readAtOnce = {
  name: 'read-at-once',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:fs\/promises$/ }, () => ({ path: filesAtOnce }))
  },
}

/**
 * Writes what V8 has made of a script that was used, `<script>.cache`: what it compiles at the first call is in it as well, which
 * is most of it. `script` is the absolute path of the bundle of the quick commands.
 */
export async function writeUsedCache(script, options) {
  const dir = await mkdtemp(join(tmpdir(), 'autopilot-build-'))
  const use = (argv) => {
    // Keys and seals of the sample are in its own home.
    const env = { ...process.env, HOME: dir, USERPROFILE: dir }
    delete env.XDG_STATE_HOME
    delete env.XDG_CONFIG_HOME
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: dir, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${argv[0]} ended with ${status}: ${stderr}`)
  }
  try {
    const sample = join(dir, 'sample-session.mjs')
    const entry = fileURLToPath(new URL('sample-session.ts', import.meta.url))
    await build({
      ...options,
      splitting: false,
      metafile: false,
      sourcemap: false,
      outdir: undefined,
      outfile: sample,
      entryPoints: [entry],
    })
    const project = join(dir, 'project')
    use([sample, project, '5'])
    use([fileURLToPath(new URL('quick-cache.js', import.meta.url)), script, project])
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
