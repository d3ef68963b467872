/** Finds problems of the machine, the project and the cluster, each with its remedy. */
export { diagnose, type DiagnoseOptions } from './diagnose.ts'
export type { Finding } from './finding.ts'
