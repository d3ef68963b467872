/** Plays what is planned: trials in chunks, each in one world, and what looks wrong again in a world of its own. SPEC.md has the rules. */
export { LocalTrialHost, type Confirmation, type PlanSummary, type TrialHost } from './trial-host.ts'
export { findingOf, type ChunkResult } from './trial-runner.ts'
