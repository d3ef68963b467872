import { apiVersionOf, failure, type Status } from '@homeostat/api'
import { applyFieldsInParts, conflictCauses, conflictMessage, type FieldsWrite } from '../../fields/index.ts'
import { causesOf, embeddedProblem, isObject, metadataProblem, restoreProblem } from '../../schema/index.ts'
import { sentResource, takeMade, type Background } from '../state/background.ts'
import type { Written } from './written.ts'
import { Failure } from '../resource/failure.ts'
import { checkName, checkNamespace } from '../decode/check-identity.ts'
import { decodeAndDefaultInParts, unreadableBody, type DecodeOptions } from '../decode/decode-and-default.ts'
import { decodeApplyBody } from '../decode/decode-write-body.ts'
import type { SentBody } from '../decode/object-body.ts'
import { jsonInParts } from '../stored/json-in-parts.ts'
import { kindInErrors } from '../resource/kind-in-errors.ts'
import { convertsFields, fieldsWrite, versionsOf } from './managed-fields.ts'
import type { Resource } from '../resource/resource.ts'
import type { Registry } from '../state/registry.ts'
import { asServerObject, textOf, type ServerObject } from '../resource/server-object.ts'
import type { Target, WriteOptions } from '../request/target.ts'
import { update } from './update.ts'
import { atOnce, computed, inTurns, pause, type InParts } from '../../work/index.ts'

/** The body of a server-side apply. */
export interface ApplyRequest {
  readonly applied: ServerObject
  /** Messages about its duplicate fields. */
  readonly duplicates: readonly string[]
  /** Takes fields from other managers rather than fail. */
  readonly force: boolean
  readonly subresource?: string | undefined
}

/** Applies the object in the body of a request. */
export async function applySent(
  registry: Registry,
  target: Target,
  sent: SentBody & Pick<ApplyRequest, 'force' | 'subresource'>,
  options: WriteOptions,
): Promise<Written> {
  const { applied, duplicates } = await decodeApplyBody(registry, sent, options)
  await pause(options.size)
  const { force, subresource } = sent
  return apply(registry, target, { applied, duplicates, force, subresource }, options)
}

/**
 * Server-side apply: sets the given fields and makes the manager their owner. Creates a missing object, unless only
 * its status or scale was applied. Fails with `Conflict` and one cause for each field that another manager owns.
 */
export function apply(
  registry: Registry,
  target: Target,
  request: ApplyRequest,
  options: WriteOptions,
): Promise<Written> {
  const { resource } = target
  const { applied, subresource } = request
  const { background } = registry
  checkNamespace(applied.metadata, target.namespace)
  if (givesManagedFields(applied, resource)) {
    throw new Failure(failure.badRequest('metadata.managedFields must be nil'))
  }
  const write = (): FieldsWrite =>
    fieldsWrite(resource, options.fieldManager, registry.clock.now(), subresource)
  return update(
    registry,
    target,
    {
      subresource,
      createMissing: subresource === undefined,
      managed: true,
      change: (current, large) => {
        if (convertsFields(resource, current)) {
          const versions = versionsOf(registry, target)
          return inTurns(applyInParts(current, request, target, { ...write(), versions }, options))
        }
        if (large && background)
          return appliedInBackground(background, current, request, target, write(), options)
        return computed(applyInParts(current, request, target, write(), options), large)
      },
    },
    options,
  )
}

/** The object after an apply, complete and with its managed fields. */
export function applyTo(...of: Parameters<typeof applyInParts>): ServerObject {
  return atOnce(applyInParts(...of))
}

/** Does the same in parts. */
function* applyInParts(
  current: ServerObject | undefined,
  { applied, force, duplicates }: ApplyRequest,
  target: Pick<Target, 'resource' | 'name'>,
  write: FieldsWrite,
  options: DecodeOptions,
): InParts<ServerObject> {
  const { resource, name } = target
  const { uid } = applied.metadata
  // A uid that is not text is reported with other values of a wrong type.
  if (!current && typeof uid === 'string' && uid !== '') throw new Failure(unknownUid(target, uid))
  const result = yield* applyFieldsInParts({ ...write, live: current, applied, force })
  if ('conflicts' in result) {
    throw new Failure(
      failure.applyConflict(conflictCauses(result.conflicts), conflictMessage(result.conflicts)),
    )
  }
  if ('problem' in result) throw new Failure(untyped(target, applied, result.problem))
  const object = asServerObject(result.object)
  checkName(object, name)
  if (resource.custom) checkCustomMetadata(object, target)
  yield
  const refuse = (problem: string): Failure => {
    const restoring = restoreProblem(resource.schema, object)
    return restoring === undefined
      ? unreadableBody(object, resource, problem)
      : new Failure(unconverted(target, applied, restoring))
  }
  return yield* decodeAndDefaultInParts(object, resource, options, duplicates, undefined, refuse)
}

async function appliedInBackground(
  background: Background,
  current: ServerObject | undefined,
  { applied, force, duplicates }: ApplyRequest,
  { resource, name }: Target,
  { manager, subresource, now }: FieldsWrite,
  options: WriteOptions,
): Promise<ServerObject> {
  const made = await background.run('apply', {
    ...sentResource(resource),
    applied: await inTurns(jsonInParts(applied)),
    current: current && (await inTurns(jsonInParts(current))),
    duplicates,
    force,
    name,
    manager,
    subresource,
    now,
    fieldValidation: options.fieldValidation,
  })
  return takeMade(made, options)
}

/**
 * Whether an object has managed fields. As in Kubernetes, those of a custom object do not count if they cannot be read, and a list
 * with nulls never counts.
 */
function givesManagedFields({ metadata }: ServerObject, { custom, schema }: Resource): boolean {
  const { managedFields }: { readonly managedFields?: unknown } = metadata
  if (managedFields === undefined || managedFields === null) return false
  const list: readonly unknown[] = Array.isArray(managedFields) ? managedFields : []
  if (list.includes(null) && list.every((entry) => entry === null || isObject(entry))) return false
  if (!custom) return true
  return (
    Array.isArray(managedFields) &&
    managedFields.every(isObject) &&
    metadataProblem(schema, { managedFields }) === undefined
  )
}

/**
 * As in Kubernetes, an apply to a custom object leaves out metadata that cannot be read, such as a wrong time. In an embedded
 * resource such metadata is an error.
 */
function checkCustomMetadata(
  object: ServerObject,
  { resource, name }: Pick<Target, 'resource' | 'name'>,
): void {
  const metadata: Record<string, unknown> = object.metadata
  for (const field of Object.keys(metadata)) {
    if (metadataProblem(resource.schema, { [field]: metadata[field] }) !== undefined) delete metadata[field]
  }
  const problem = embeddedProblem(resource.schema, object)
  if (problem) throw new Failure(failure.invalid(kindInErrors(resource), name, causesOf([problem])))
}

function unknownUid({ resource, name }: Pick<Target, 'resource' | 'name'>, uid: string): Status {
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  return failure.conflict(resource, name, why)
}

/** The API's answer, without a reason, to an apply that does not fit the schema. */
function untyped(
  { resource }: Pick<Target, 'resource'>,
  applied: ServerObject,
  problem: string,
): ConstructorParameters<typeof Failure>[0] {
  return failure.withoutReason(
    `failed to create typed patch object (${shown(applied, resource)}): ${problem}`,
  )
}

/**
 * The API's answer to an apply to a native object whose result does not fit the Go types of its fields, although it fits the
 * schema, such as a time that cannot be parsed.
 */
function unconverted(
  { resource }: Pick<Target, 'resource'>,
  applied: ServerObject,
  problem: string,
): ConstructorParameters<typeof Failure>[0] {
  return failure.withoutReason(
    `failed to convert new object (${shown(applied, resource)}) to proper version: unable to convert unstructured object to ${typeName(resource)}: ${problem}`,
  )
}

/** The namespace, the name and the type of an applied object: `default/a; apps/v1, Kind=Deployment`. */
function shown({ metadata: { namespace, name } }: ServerObject, resource: Resource): string {
  return `${textOf(namespace)}/${textOf(name)}; ${typeName(resource)}`
}

function typeName(resource: Resource): string {
  const apiVersion = apiVersionOf(resource)
  return `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${resource.kind}`
}
