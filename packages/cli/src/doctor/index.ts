/** What is wrong with the machine, the project and the cluster, each with what to do about it. */
export { diagnose, type DiagnoseOptions } from './diagnose.ts'
export type { Finding } from './finding.ts'
