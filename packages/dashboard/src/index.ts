/**
 * A page that shows what an operator does, while it does it: the objects and what they own, a timeline of reconciles, the
 * queues, and each object with its history.
 */
export { Dashboard, type DashboardOptions } from './dashboard.ts'
export { operatorPage, type OperatorPageOptions } from './operator-page.ts'
export type { ShownOperator } from './operator-recording.ts'
export { StoryRecording } from './story-recording.ts'
export {
  OPERATOR_ACTIONS,
  type ApiState,
  type Disturbance,
  type KindName,
  type OperatorAction,
} from './recording/index.ts'
