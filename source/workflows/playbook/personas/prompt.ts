import type { Order } from '../orders/order.js'
import type { Expects } from '../results.js'
import { miniVerifierPrompt } from './mini-verifier.js'
import type { Begin } from './page.js'
import { debuggerPrompt } from './phase-debugger.js'
import { executorPrompt } from './phase-executor.js'
import { divergencePrompt, judgePrompt } from './phase-judge.js'
import { plannerPrompt } from './phase-planner.js'
import { raterPrompt } from './phase-rater.js'
import { questionsPrompt, researcherPrompt } from './phase-researcher.js'
import { auditPrompt, integrationPrompt, verifierPrompt } from './phase-verifier.js'
import { planCheckerPrompt } from './plan-checker.js'

type Prompts = { readonly [Kind in Expects]: (order: Order<Kind>, begin: Begin) => string }

/** What a persona is told, by what is expected of it. It is made of the order alone. */
export const prompts: Prompts = {
  research: researcherPrompt,
  questions: questionsPrompt,
  plan: plannerPrompt,
  'plan-check': planCheckerPrompt,
  execution: executorPrompt,
  'mini-verification': miniVerifierPrompt,
  verification: verifierPrompt,
  judgement: judgePrompt,
  'judgement-divergence': divergencePrompt,
  rating: raterPrompt,
  debug: debuggerPrompt,
  integration: integrationPrompt,
  audit: auditPrompt,
}

export function promptOf<Kind extends Expects>(order: Order<Kind>, begin: Begin): string {
  const prompt: (order: Order<Kind>, begin: Begin) => string = prompts[order.expects]
  return prompt(order, begin)
}
