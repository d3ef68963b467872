/**
 * Configurations that change while the server runs, as the files of kube-apiserver do. A new one takes effect as a whole; an invalid
 * one is reported, and the one before stays in effect.
 */
export { FollowedConfiguration, givenConfiguration } from './followed-configuration.ts'
export { Reloads, TemporaryProblem } from './reloads.ts'
