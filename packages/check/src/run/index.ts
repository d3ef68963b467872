/**
 * Plays the planned trials in chunks, each in one world, and plays a trial that looks wrong again in a separate world.
 * SPEC.md has the rules.
 */
export { LocalTrialHost, type Confirmation, type PlanSummary, type TrialHost } from './trial-host.ts'
export { findingOf, type ChunkResult } from './trial-runner.ts'
