/** RBAC rules: those that controllers need by what they declare, and those that requests were seen to need. */
export { recordRules, type RecordingTransport } from './record-rules.ts'
export { clusterRole, role } from './roles.ts'
export { controllerRules, electionRules, pageRules, type RunnableRights } from './rules.ts'
