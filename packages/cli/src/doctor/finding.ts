/** One thing that was looked at. */
export interface Finding {
  readonly what: string
  readonly ok: boolean
  /** What was found: a version, an address, or what is wrong. */
  readonly detail: string
  /** What to do about it, where the detail does not say so. */
  readonly remedy?: string | undefined
}
