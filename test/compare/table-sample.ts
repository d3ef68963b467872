/** An object to print, and the status that is written after it was created. */
export interface TableSample {
  /** The name of its golden file. */
  readonly title: string
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
  readonly object: Record<string, unknown>
  readonly status?: Record<string, unknown>
}
