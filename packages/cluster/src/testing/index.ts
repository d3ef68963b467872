/** An operator under test: on an API server in this process, under a clock that only the test moves. */
export type { Fault, Faults, WriteFailure, WriteMatch } from './faults/faults.ts'
export type { Finding } from './findings.ts'
export { killAtEachCall, type KillReport } from './kill-at-each-call.ts'
export { OperatorTest, type OperatorTestOptions, type OperatorTestSettings } from './operator-test.ts'
export { recordWrites, type RecordedWrites } from './record-writes.ts'
export type { WatchHold } from './faults/watch-holds.ts'
export type { PodBehaviour } from './surroundings/simulated-pods.ts'
export { startSurroundings, type SurroundingsOptions } from './surroundings/surroundings.ts'
