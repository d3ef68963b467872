/** Which stories are played: systematically, each request × each fault, each object × each disturbance. */
export { changeFaultTrials, momentTrials, restartFaultTrials } from './change-fault-trials.ts'
export { combinations } from './combinations.ts'
export { foreignTrials } from './foreign-trials.ts'
export { growthTrials } from './growth-trials.ts'
export { mutationsOf } from './mutations.ts'
export { isolationTrials } from './neighbour-trials.ts'
export { mergedEventTrials, overlapTrials } from './overlap-trials.ts'
export { rightsTrials } from './rights-trials.ts'
export { staleProcessTrials } from './stale-process-trials.ts'
export {
  changed,
  deletion,
  deletionTrials,
  disturbanceTrials,
  downtimeTrials,
  faultTrials,
  historyTrials,
  podTrials,
  referenceTrials,
  restarted,
  staleTrials,
  undisturbed,
  type PlayedChange,
  type Subject,
} from './trials.ts'
export { truthTrials } from './truth-trials.ts'
