/** The actions that `lazy-actions.ts` loads: those that write, and those of subresources that several kinds have. */
export { partAction } from './part-action.ts'
export { scaleAction } from './scale-actions.ts'
export { WRITE_ACTIONS } from './write-actions.ts'
