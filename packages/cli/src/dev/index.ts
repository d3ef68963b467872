/** The loop of `homeostat dev`: a cluster, an operator on it, and its next version at each save. */
export { DevSession, KEYS, type SessionOptions, type SessionPage } from './dev-session.ts'
export { FileWatch } from './file-watch.ts'
export { TypeCheck } from './type-check.ts'
