import type { Admit } from './write/admission.ts'
import type { Resource } from './resource.ts'

/** What a request is about: a resource, and where it is namespaced the namespace. */
export interface Place {
  readonly resource: Resource
  /** Absent for cluster-scoped resources, and where all namespaces are meant. */
  readonly namespace?: string | undefined
}

/** One object that a request names. */
export interface Target extends Place {
  readonly name: string
}

/** The kinds of patches that change an object as it is. */
export type PatchType = 'json' | 'merge' | 'strategic'

/** How a write is to be done. */
export interface WriteOptions {
  /** Everything but the storing. */
  readonly dryRun: boolean
  /** Who writes, for managed fields. */
  readonly fieldManager: string
  /** What to do about fields that the schema does not know. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore'
  /** How long the body of the request is, in bytes. Default: short. */
  readonly size?: number | undefined
  /** Where to say what the caller should know though the request succeeds. */
  warn(message: string): void
  /** Who else has a say. Default: nobody. */
  readonly admit?: Admit | undefined
}
