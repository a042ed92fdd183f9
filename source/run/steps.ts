import { hiddenResult } from './hidden.js'
import type { Recorded } from './recorded.js'
import { recorded } from './recorded-fact.js'
import type { Effect, Run } from './run.js'
import type { RunContext } from './run-context.js'

/** What a state function does by itself: done once, remembered, and given back as it was recorded. */
export function createSteps<State extends object>(
  context: RunContext<State>,
): Pick<Run<State>, 'step' | 'effect' | 'update' | 'note'> {
  const { ledger, saver } = context

  const record = async <Result>(key: string, result: Result): Promise<Recorded<Result>> => {
    const visit = ledger.visit.number
    const shown = result === undefined ? null : hiddenResult(context.hide, result)
    const fact = { type: 'step', visit, key, result: shown } as const
    return recorded(await saver.append(fact), 'step').result as Recorded<Result>
  }

  return {
    async step<Result>(key: string, action: () => Promise<Result> | Result) {
      context.claim(`step ${key}`)
      const before = ledger.visit.find('step', key)
      if (before) return before.result as Recorded<Result>
      await context.pause()
      const acting = async () => await action()
      return context.underWay((async () => record<Result>(key, await saver.withRoom(acting)))())
    },

    async effect<Intent, Result>(key: string, effect: Effect<Intent, Result>) {
      context.claim(`step ${key}`)
      const { visit } = ledger
      const before = visit.find('step', key)
      if (before) return before.result as Recorded<Result>
      await context.pause()
      const effectId = `${visit.number}.${visit.state}.${key}`
      return context.underWay(once())

      async function once(): Promise<Recorded<Result>> {
        const intended = visit.find('intent', key)
        let result = intended
          ? await effect.recover(intended.intent as Recorded<Intent>, effectId)
          : undefined
        if (result === undefined) {
          const intent = (await saver.withRoom(() => effect.prepare())) ?? null
          const written = await saver.append({ type: 'intent', visit: visit.number, key, intent })
          const recordedIntent = recorded(written, 'intent').intent as Recorded<Intent>
          let again = false
          result = await saver.withRoom(async () => {
            // What broke off for want of room may have taken effect all the same.
            const before = again ? await effect.recover(recordedIntent, effectId) : undefined
            again = true
            return before ?? (await effect.apply(recordedIntent, effectId))
          })
        }
        return record<Result>(key, result)
      }
    },

    async update(key, change) {
      context.claim(`update ${key}`)
      if (!ledger.visit.find('update', key)) {
        await context.pause()
        await context.underWay(
          saver.saveImage({ type: 'update', visit: ledger.visit.number, key }, () => change(context.saved())),
        )
      }
      return ledger.visit.stateAfter(key) as State
    },

    async note(key, text, kind = 'note') {
      context.claim(`note ${key}`)
      if (ledger.visit.find('note', key)) return
      await saver.append({ type: 'note', visit: ledger.visit.number, key, kind, text: context.hide(text) })
    },
  }
}
