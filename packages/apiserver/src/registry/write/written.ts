import type { Stored } from '../../storage/index.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** The result of a write. */
export interface Written {
  /** The object after the write; of a deleted object its last state. */
  readonly object: ServerObject
  /** Its entry in the store, unless the write was a dry run or removed it. */
  readonly stored?: Stored | undefined
  /** The object as JSON, where it was encoded but not stored. */
  readonly json?: Uint8Array | undefined
  readonly created: boolean
  /** Whether the store no longer has the object. */
  readonly gone: boolean
}
