import { oncePerObject } from '@homeostat/api'
import type { FieldError, NameForm, TypeSchema } from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import { parseServerObject, type ServerObject } from '../resource/server-object.ts'
import type { PatchType, WriteOptions } from '../request/target.ts'

/** The facts about a resource that a task needs. Those of a native kind follow from its name. */
type NamedResource = Pick<
  Resource,
  'group' | 'version' | 'plural' | 'kind' | 'scope' | 'subresources' | 'custom'
>

/** A resource, in a form that can be sent to another thread. */
export interface SentResource {
  readonly resource: NamedResource
  /** The schema of a custom kind, in JSON. */
  readonly schema: string | undefined
}

/** A check of an object, in a form that can be sent to another thread. */
export interface Check extends SentResource {
  /** The object, in JSON. */
  readonly object: string
  /** The object as it was, in JSON; absent for a new one. */
  readonly old: string | undefined
  readonly names: NameForm
  readonly subresource: string | undefined
}

/** The result of a check. */
export interface Checked {
  readonly problems: FieldError[]
  readonly warnings: string[]
}

/** The body of a request that creates or replaces an object. */
export interface BodyToRead extends SentResource {
  readonly body: Uint8Array
  readonly contentType: string | undefined
  /** The namespace of the request. */
  readonly namespace: string | undefined
  readonly fieldValidation: WriteOptions['fieldValidation']
}

/** The body of a server-side apply. */
export type AppliedToRead = Omit<BodyToRead, 'contentType' | 'namespace'>

/** A patch of an object, as it came. */
export interface PatchToApply extends SentResource {
  readonly type: PatchType
  readonly body: Uint8Array
  /** The object as it is, in JSON. */
  readonly current: string
  /** The name in the request's path. */
  readonly name: string
  readonly fieldValidation: WriteOptions['fieldValidation']
}

/** A server-side apply to an object. */
export interface FieldsToApply extends SentResource {
  /** The applied document, in JSON. */
  readonly applied: string
  /** Messages about its duplicate fields. */
  readonly duplicates: readonly string[]
  readonly force: boolean
  /** The object as it is, in JSON; absent for a new one. */
  readonly current: string | undefined
  readonly name: string
  readonly manager: string
  readonly subresource: string | undefined
  readonly now: number
  readonly fieldValidation: WriteOptions['fieldValidation']
}

/** A create or an update whose managed fields are to be recorded. */
export interface FieldsToManage extends SentResource {
  /** The object as it will be stored, in JSON. */
  readonly object: string
  /** The object as it is, in JSON; absent for a new one. */
  readonly before: string | undefined
  readonly manager: string
  readonly subresource: string | undefined
  readonly now: number
}

/** An object that a task made, in JSON, and the warnings for its client. */
export interface TaskObject {
  readonly object: string
  readonly warnings: readonly string[]
  /** Messages about duplicate fields that are yet to be reported. */
  readonly duplicates: readonly string[]
}

/** The tasks of the background: functions of values that can be sent to another thread. */
export interface Tasks {
  check(check: Check): Checked
  read(body: BodyToRead): TaskObject
  readApplied(body: AppliedToRead): TaskObject
  patch(patch: PatchToApply): TaskObject
  apply(apply: FieldsToApply): TaskObject
  /** The managed fields, in JSON; undefined where there are none. */
  manage(write: FieldsToManage): string | undefined
  /** JSON as YAML, both in UTF-8. */
  writeYaml(json: Uint8Array): Uint8Array
}

/**
 * Runs long computations in a thread where they do not delay other requests. Rejects with the `Failure` of the task,
 * or with another one when the task takes longer than a request may.
 */
export interface Background {
  run<Name extends keyof Tasks>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>
  /** Ends all running and waiting tasks. */
  close(): void
}

/** The resource as a task needs it. */
export function sentResource({
  group,
  version,
  plural,
  kind,
  scope,
  subresources,
  custom,
  schema,
}: Resource): SentResource {
  return {
    resource: { group, version, plural, kind, scope, subresources, custom },
    schema: custom ? schemaText(schema) : undefined,
  }
}

/** Adds the warnings of a task to the answer, and returns its object. */
export function takeMade({ object, warnings }: TaskObject, writer: Pick<WriteOptions, 'warn'>): ServerObject {
  for (const warning of warnings) writer.warn(warning)
  return parseServerObject(object)
}

const schemaText = oncePerObject((schema: TypeSchema) => JSON.stringify(schema.root))
