import { apiVersionOf, parseJson, type ManagedFieldsEntry, type Pausable } from '@homeostat/api'
import { updateFieldsInParts, type FieldsVersions, type FieldsWrite } from '../../fields/index.ts'
import { sentResource, type Background } from '../state/background.ts'
import { jsonInParts } from '../stored/json-in-parts.ts'
import type { Place } from '../request/target.ts'
import type { Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'
import { atOnce, inTurns, type InParts } from '../../work/index.ts'

/** A write whose managed fields are recorded. */
export interface ManagedWrite {
  readonly object: ServerObject
  /** The object as it is; absent for a new one. */
  readonly before?: ServerObject | undefined
  readonly resource: Resource
  /** The request, which waits where a webhook converts the object. */
  readonly waiting?: Pausable | undefined
  readonly manager: string
  readonly subresource?: string | undefined
}

/** Whether a webhook converts the object for managers that wrote it in other versions than the resource's. */
export function convertsFields(resource: Resource, object: ServerObject | undefined): boolean {
  if (resource.conversionWebhook === undefined) return false
  const own = apiVersionOf(resource)
  return object?.metadata.managedFields?.some(({ apiVersion }) => apiVersion !== own) ?? false
}

/** Records the owners of an object's fields after a create or an update. */
export function manage(registry: Registry, write: ManagedWrite): void {
  atOnce(manageInParts(registry, write, false))
}

/** Does the same in parts, for a large object in the background. */
export function* manageInParts(registry: Registry, write: ManagedWrite, large: boolean): InParts<void> {
  const { object, before, resource, manager, subresource } = write
  const { background } = registry
  if (large && background && !convertsFields(resource, before)) {
    yield manageInBackground(background, write, registry.clock.now())
    return
  }
  yield* updateFieldsInParts({
    ...fieldsWrite(resource, manager, registry.clock.now(), subresource),
    ...(convertsFields(resource, before) && { versions: versionsOf(registry, write) }),
    before,
    after: object,
  })
}

async function manageInBackground(background: Background, write: ManagedWrite, now: number): Promise<void> {
  const { object, before, resource, manager, subresource } = write
  const managedFields = await background.run('manage', {
    ...sentResource(resource),
    object: await inTurns(jsonInParts(object)),
    before: before && (await inTurns(jsonInParts(before))),
    manager,
    subresource,
    now,
  })
  delete object.metadata.managedFields
  if (managedFields !== undefined) {
    object.metadata.managedFields = parseJson(managedFields) as ManagedFieldsEntry[]
  }
}

/** The facts about a write through a resource that ownership depends on. */
export function fieldsWrite(
  resource: Resource,
  manager: string,
  now: number,
  subresource?: string,
): FieldsWrite {
  return {
    schema: resource.schema,
    apiVersion: apiVersionOf(resource),
    manager,
    subresource,
    hasStatus: resource.subresources.status,
    resetFields: resource.strategy().resetFields,
    now,
  }
}

/** The other versions of a kind whose objects only a webhook converts. */
export function versionsOf({ conversions }: Registry, place: Place): FieldsVersions {
  const { resource } = place
  return {
    schema: (apiVersion) => resource.versions?.get(apiVersion.slice(apiVersion.indexOf('/') + 1)),
    convert: (objects, apiVersion) =>
      conversions.between(objects as readonly ServerObject[], apiVersion, place),
  }
}
