import type { Reinvocation, ReinvokedHooks } from '../admission/index.ts'

/** What the first webhook or policy notes of a request that it is for. */
export function newReinvocation(): Reinvocation {
  const hooks = (): ReinvokedHooks => ({ called: new Set(), eligible: new Set() })
  return { isRequired: false, isUnderWay: false, policies: hooks(), webhooks: hooks() }
}

/** Has those that were called so far called again, if they want to be. */
export function allowCalled({ called, eligible }: ReinvokedHooks): void {
  for (const id of called) eligible.add(id)
  called.clear()
}
