import type { Pausable } from '@homeostat/api'
import type { Admission } from './admission.ts'
import type { ServerObject } from '../resource/server-object.ts'
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

/** The types of patches to existing objects. */
export type PatchType = 'json' | 'merge' | 'strategic'

/** Options of a write. */
export interface WriteOptions {
  /** Whether to skip storing the object, after all other steps. */
  readonly dryRun: boolean
  /** The name of the writer in managed fields. */
  readonly fieldManager: string
  /** How to treat fields that the schema does not know. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore'
  /** The length of the request's body in bytes. Default: short. */
  readonly size?: number | undefined
  /** Adds a warning to the answer. */
  warn(message: string): void
  /** Called with the object that the client sent, once it is decoded and has its defaults. */
  readonly decoded?: ((object: ServerObject) => void) | undefined
  /** The plugins that may change or reject the write. Default: none. */
  readonly admission?: Admission | undefined
  /** Fails where the user may not create the object. Called when an update or an apply creates one. Default: they may. */
  readonly authorizeCreate?: (() => void | Promise<void>) | undefined
}
