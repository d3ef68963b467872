/** A write request, whether it succeeded or not. */
export interface WriteRecord {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly fieldManager?: string | undefined
  readonly userAgent?: string | undefined
  readonly user: string
  /** The status code of the answer. */
  readonly code: number
}
