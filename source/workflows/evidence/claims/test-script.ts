import { isObject, parseJson } from '../../../documents/json.js'
import type { Git } from '../../../project/git.js'
import type { LostTests, TestFilesNow } from './test-files.js'

// A test script that shows less than it did (docs/evidence.md, "Tests"). Read as text; nothing is executed.

const manifest = 'package.json'
const names = ['pretest', 'test', 'posttest'] as const

function scriptsOf(text: string | undefined): Record<string, unknown> {
  const parsed = text === undefined ? undefined : parseJson(text)
  const value = parsed !== undefined && 'value' in parsed ? parsed.value : undefined
  return isObject(value) && isObject(value.scripts) ? value.scripts : {}
}

/**
 * Test scripts of package.json that are gone or are others than at the start. One that holds all it did before is no
 * other, unless its end makes it pass whatever happens. `passesAlways`: whether a command can fail at all.
 */
export async function weakerScripts(
  git: Pick<Git, 'textAt'>,
  now: TestFilesNow,
  passesAlways: (command: string) => boolean,
): Promise<LostTests[]> {
  const before = scriptsOf(await git.textAt(now.start, manifest))
  if (names.every((name) => typeof before[name] !== 'string')) return []
  const after = scriptsOf(await now.read(manifest).catch(() => undefined))
  return names.flatMap((name): LostTests[] => {
    const [old, fresh] = [before[name], after[name]]
    if (typeof old !== 'string' || old.trim() === '' || old === fresh || passesAlways(old)) return []
    if (typeof fresh !== 'string' || fresh.trim() === '')
      return [
        {
          path: manifest,
          text: `${manifest}: the script "${name}" is gone (it was "${old}")`,
          planned: false,
        },
      ]
    const isIdle = passesAlways(fresh)
    if (!isIdle && fresh.includes(old)) return []
    const runner =
      fresh
        .trim()
        .split(/\s+/)
        .find((word) => !/^(?:npx|[A-Z_]+=.*)$/.test(word)) ?? fresh
    return [
      {
        path: manifest,
        text: `${manifest}: the script "${name}" was "${old}" and is "${fresh}"${isIdle ? ', which passes whatever happens' : ''}`,
        planned: !isIdle && now.plan.includes(manifest) && now.plan.includes(runner),
      },
    ]
  })
}
