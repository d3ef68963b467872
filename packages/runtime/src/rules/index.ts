/** RBAC rules: those that the declarations of controllers require, and those that recorded requests needed. */
export { recordRules, type RecordingTransport } from './record-rules.ts'
export { clusterRole, role } from './roles.ts'
export { controllerRules, electionRules, pageRules, type RunnableRights } from './rules.ts'
