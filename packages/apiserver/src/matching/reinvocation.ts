import type { Reinvocation, ReinvokedHooks } from '../admission/index.ts'

/** The state that webhooks or policies keep for the second round of a request. */
export function newReinvocation(): Reinvocation {
  const hooks = (): ReinvokedHooks => ({ called: new Set(), eligible: new Set() })
  return { isRequired: false, isUnderWay: false, policies: hooks(), webhooks: hooks() }
}

/** Schedules a second call of those that were called so far and want to see later changes. */
export function allowCalled({ called, eligible }: ReinvokedHooks): void {
  for (const id of called) eligible.add(id)
  called.clear()
}
