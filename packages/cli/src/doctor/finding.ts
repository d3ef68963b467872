/** The result of one check. */
export interface Finding {
  readonly what: string
  readonly ok: boolean
  /** What was found: a version, an address, or what is wrong. */
  readonly detail: string
  /** What to do about it, if the detail does not say it. */
  readonly remedy?: string | undefined
}
