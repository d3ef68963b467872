/** Mistakes that people who come from kopf or Go bring along, as the guide warns of them. */
export { actsOnCause } from './acts-on-the-cause-of-a-call.ts'
export { countsInChild } from './counts-in-its-child.ts'
export { doesNotAdopt } from './does-not-adopt-its-child.ts'
export { readyWhenItReturns } from './is-ready-when-it-returns.ts'
export { keepsProgress } from './keeps-progress-in-a-memo.ts'
export { letsGoFirst } from './lets-go-before-it-cleans-up.ts'
export { setsTransitionTime } from './sets-the-transition-time-at-each-call.ts'
export { rangesOverNil } from './writes-into-a-nil-map.ts'
