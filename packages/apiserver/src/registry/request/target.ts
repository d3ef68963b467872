import type { Pausable } from '@homeostat/api'
import type { Admission } from './admission.ts'
import type { Resource } from '../resource/resource.ts'

/** The resource of a request, and the namespace where the resource is namespaced. */
export interface Place {
  readonly resource: Resource
  /** Absent for cluster-scoped resources, and for requests about all namespaces. */
  readonly namespace?: string | undefined
  /** The request, which waits where a webhook converts objects. */
  readonly waiting?: Pausable | undefined
}

/** One object that a request names. */
export interface Target extends Place {
  readonly name: string
}

/** The kinds of patches that change an object as it is. */
export type PatchType = 'json' | 'merge' | 'strategic'

/** How a write is to be done. */
export interface WriteOptions {
  /** Takes every step but the last, which stores the object. */
  readonly dryRun: boolean
  /** The name of the writer in managed fields. */
  readonly fieldManager: string
  /** What to do about fields that the schema does not know. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore'
  /** The length of the request's body in bytes. Default: short. */
  readonly size?: number | undefined
  /** Tells the client something, though the request succeeds. */
  warn(message: string): void
  /** The plugins that may change or reject the write. Default: none. */
  readonly admission?: Admission | undefined
  /** Fails where the user may not create the object. Called when an update or an apply creates one. Default: they may. */
  readonly authorizeCreate?: (() => void) | undefined
}
