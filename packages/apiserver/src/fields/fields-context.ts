import { timestamp } from '@homeostat/api'
import { isNative, type TypeSchema } from '../schema/index.ts'
import type { FieldSet } from './field-set.ts'
import { fieldTypeOf, type FieldType } from './field-type.ts'
import { managerKey, type Managers } from './managers.ts'
import { resetFields, type ResetFields } from './reset-fields.ts'
import type { FieldsVersions } from './versions.ts'

/** The facts about a write that ownership depends on. */
export interface FieldsWrite {
  readonly schema: TypeSchema
  /** The version of the request: `apps/v1`. */
  readonly apiVersion: string
  /** The name of the field manager; the server's default where the request gives none. */
  readonly manager: string
  /** The subresource that is written, such as `status`; absent for the object itself. */
  readonly subresource?: string | undefined
  /** Whether the kind has a status subresource. */
  readonly hasStatus?: boolean | undefined
  /** The fields that writes through subresources do not change. Default: those of most kinds. */
  readonly resetFields?: ResetFields | undefined
  /** The time of the write, in milliseconds since the epoch. */
  readonly now: number
  /** The versions in which the kind is served. Managers of other versions are dropped. Default: all versions. */
  readonly servedVersions?: readonly string[] | undefined
  /** The other versions of a kind, where they have other fields. Default: all versions have the same fields. */
  readonly versions?: FieldsVersions | undefined
}

/** A write with the data derived from it. */
export interface FieldsContext {
  readonly type: FieldType
  readonly apiVersion: string
  readonly name: string
  readonly subresource: string
  readonly operation: 'Apply' | 'Update'
  /** The manager's own key. */
  readonly key: string
  readonly reset: FieldSet
  /** The time of the write; none for a write through `scale`. */
  readonly time: string | undefined
  readonly served: (apiVersion: string) => boolean
  readonly versions: FieldsVersions | undefined
}

/** Derives the data that both kinds of write need. */
export function contextOf(write: FieldsWrite, operation: 'Apply' | 'Update'): FieldsContext {
  const { schema, apiVersion, subresource = '', hasStatus = false, servedVersions } = write
  const name = write.manager === '' ? 'unknown' : write.manager
  return {
    type: fieldTypeOf(schema),
    apiVersion,
    name,
    subresource,
    operation,
    key: managerKey({ name, operation, subresource, apiVersion }),
    reset: resetFields({ subresource, hasStatus, custom: !isNative(schema), own: write.resetFields }),
    time: subresource === 'scale' ? undefined : timestamp(write.now),
    served: (version) => servedVersions?.includes(version) ?? true,
    versions: write.versions,
  }
}

/** The managers whose versions are still served. */
export function servedManagers(context: FieldsContext, managers: Managers): Managers {
  return new Map([...managers].filter(([, manager]) => context.served(manager.apiVersion)))
}
