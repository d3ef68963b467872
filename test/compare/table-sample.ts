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
  /**
   * The type of the condition that the API server itself writes a moment after the object was created. What it says
   * is printed, since it would overwrite the condition of a test.
   */
  readonly judgedBy?: string
}
