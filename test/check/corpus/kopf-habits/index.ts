/** Habits from kopf: handlers of events instead of a comparison of states. */
export { actsOnField } from './acts-on-the-field-that-changed.ts'
export { addsLines } from './adds-a-line-at-each-tick.ts'
export { createsOnly } from './creates-in-a-handler-of-its-own.ts'
export { deletesOnEvent } from './deletes-when-the-event-of-a-deletion-comes.ts'
export { givesUp } from './gives-up-after-its-retries.ts'
export { returnsTime } from './returns-its-result-into-the-status.ts'
