/** The result of one check. */
export interface Finding {
  readonly what: string
  readonly ok: boolean
  /** The result: a version, an address, or a problem. */
  readonly detail: string
  /** The remedy, if the detail does not contain it. */
  readonly remedy?: string | undefined
}
