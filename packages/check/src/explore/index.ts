/** Which stories are played: systematically, each request × each fault, each object × each disturbance. */
export { combinations } from './combinations.ts'
export { growthTrials } from './growth-trials.ts'
export { mutationsOf } from './mutations.ts'
export { mergedEventTrials, overlapTrials, truthTrials } from './overlap-trials.ts'
export { staleProcessTrials } from './stale-process-trials.ts'
export {
  changeFaultTrials,
  deletion,
  deletionTrials,
  disturbanceTrials,
  downtimeTrials,
  faultTrials,
  historyTrials,
  isolationTrials,
  occupiedNameTrials,
  podTrials,
  referenceTrials,
  staleTrials,
  undisturbed,
  type Subject,
} from './trials.ts'
