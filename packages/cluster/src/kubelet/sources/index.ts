/**
 * Reads values for a Pod's containers from outside of its spec: environment variables, fields of the Pod itself,
 * tokens, and the files by which a program finds the API server. Fails with {@link PodProblem}.
 */
export { fieldValue, resourceValue, wholeNumber, type PodFacts } from './downward.ts'
export { expand, resolveEnvironment } from './environment.ts'
export { writeInClusterConfig } from './in-cluster-config.ts'
export { PodProblem } from './pod-problem.ts'
export type { IssuedToken, PodSources, TokenWanted } from './pod-sources.ts'
export { PodTokens } from './pod-tokens.ts'
export { podUses, type PodSourceType } from './pod-uses.ts'
export { refuseUnsafeVariables } from './unsafe-variables.ts'
