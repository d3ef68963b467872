import { apiVersionOf, failure, type Status } from '@homeostat/api'
import { applyFieldsInParts, conflictCauses, conflictMessage } from '../fields/index.ts'
import { embeddedProblem, metadataProblem } from '../schema/decode.ts'
import { causesOf } from '../schema/field-error.ts'
import { copyJson } from '../schema/json.ts'
import type { Written } from './create.ts'
import { Failure } from './failure.ts'
import { checkName, takeInInParts } from './incoming.ts'
import { kindInErrors } from './kind-in-errors.ts'
import { fieldsWrite } from './managed-fields.ts'
import { checkNamespace } from './object-meta.ts'
import type { Registry } from './registry.ts'
import { textOf, type ServerObject } from './server-object.ts'
import type { Target, WriteOptions } from './target.ts'
import { update } from './update.ts'
import { computed, type InParts } from '../work/index.ts'

/** A server-side apply as it came. */
export interface ApplyRequest {
  readonly applied: ServerObject
  /** Fields that stood twice in it. */
  readonly duplicates: readonly string[]
  /** Takes fields from other managers rather than fail. */
  readonly force: boolean
  readonly subresource?: string | undefined
}

/**
 * Server-side apply: the fields given become what they say and belong to the manager. An object that is not there is
 * made, unless only its status or scale was applied. Fails with `Conflict` and one cause for each field that others own.
 */
export function apply(
  registry: Registry,
  target: Target,
  request: ApplyRequest,
  options: WriteOptions,
): Promise<Written> {
  const { resource } = target
  const { applied, subresource } = request
  checkNamespace(applied.metadata, target.namespace)
  if (applied.metadata.managedFields !== undefined) {
    throw new Failure(failure.badRequest('metadata.managedFields must be nil'))
  }
  return update(
    registry,
    target,
    {
      subresource,
      createMissing: subresource === undefined,
      managed: true,
      change: (current, large) => computed(change(current), large),
    },
    options,
  )

  function* change(current: ServerObject | undefined): InParts<ServerObject> {
    if (!current && applied.metadata.uid) throw new Failure(unknownUid(target, applied.metadata.uid))
    const result = yield* applyFieldsInParts({
      ...fieldsWrite(resource, options.fieldManager, registry, subresource),
      live: current,
      applied: copyJson(applied),
      force: request.force,
    })
    if ('conflicts' in result) {
      throw new Failure(
        failure.applyConflict(conflictCauses(result.conflicts), conflictMessage(result.conflicts)),
      )
    }
    if ('problem' in result) throw new Failure(untyped(target, applied, result.problem))
    const object = result.object as unknown as ServerObject
    checkName(object, target.name)
    if (resource.custom) checkCustomMetadata(object, target)
    yield
    return yield* takeInInParts(object, resource, options, request.duplicates, undefined, true)
  }
}

/**
 * As in Kubernetes, an apply to a custom object leaves out metadata that cannot be read, such as a wrong time; in a
 * resource inside the object they are a mistake.
 */
function checkCustomMetadata(object: ServerObject, { resource, name }: Target): void {
  const metadata = object.metadata as Record<string, unknown>
  for (const field of Object.keys(metadata)) {
    if (metadataProblem(resource.schema, { [field]: metadata[field] }) !== undefined) delete metadata[field]
  }
  const problem = embeddedProblem(resource.schema, object)
  if (problem) throw new Failure(failure.invalid(kindInErrors(resource), name, causesOf([problem])))
}

function unknownUid({ resource, name }: Target, uid: string): Status {
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  return failure.conflict(resource, name, why)
}

/** What the API answers to an apply that its schema has no place for. It gives no reason. */
function untyped(
  target: Target,
  applied: ServerObject,
  problem: string,
): ConstructorParameters<typeof Failure>[0] {
  const { resource } = target
  const { namespace, name } = applied.metadata
  const type = `${apiVersionOf(resource).includes('/') ? '' : '/'}${apiVersionOf(resource)}, Kind=${resource.kind}`
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `failed to create typed patch object (${textOf(namespace)}/${textOf(name)}; ${type}): ${problem}`,
    code: 500,
  }
}
