/**
 * What a computation may take. A request can make the server compute for long: by a pattern, by rules, by very many
 * values. Such computations count their steps here, and end where they would stop everything else.
 */
export { addAll } from './add-all.ts'
export { errorCode } from './error-code.ts'
export { LazyModule } from './lazy-module.ts'
export { limited, OverBudget, spend, stepsLeft } from './work.ts'
export { isLarge, pause } from './pause.ts'
export { atOnce, computed, inTurns, type InParts } from './parts.ts'
