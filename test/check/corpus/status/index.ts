/** Operators whose status says what is not so. */
export { addsConditions } from './adds-a-condition-at-every-change.ts'
export { readyByExistence } from './is-ready-as-soon-as-it-exists.ts'
export { reportsGenerationFirst } from './reports-a-generation-before-it-acts.ts'
export { reportsNewest } from './reports-the-newest-generation-at-the-end.ts'
export { staysRunning } from './stays-running-when-pods-are-gone.ts'
export { oldPodsCount } from './takes-old-pods-for-new-ones.ts'
