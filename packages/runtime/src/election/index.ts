/**
 * Leader election by a Lease: at most one process leads at a time, and a process that no longer leads sends no
 * further write.
 */
export { createElection } from './create-election.ts'
export { electionTimes, type LeaderElection, type LeaderElectionOptions } from './leader-election.ts'
export { leadingTransport } from './leading-transport.ts'
