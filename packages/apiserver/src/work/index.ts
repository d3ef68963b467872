/**
 * Limits of computations. A request can cause long ones: by a pattern, by rules, by very many values. Such
 * computations count their steps here, and end before they would block the event loop.
 */
export { addAll } from './add-all.ts'
export { errorCode } from './error-code.ts'
export { latePattern } from './late-pattern.ts'
export { LazyModule } from './lazy-module.ts'
export { limited, OverBudget, spend, stepsLeft } from './work.ts'
export { isLarge, pause } from './pause.ts'
export { atOnce, computed, inTurns, type InParts } from './parts.ts'
