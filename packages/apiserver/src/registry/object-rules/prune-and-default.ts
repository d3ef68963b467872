import {
  applyDefaults,
  decodeProblem,
  embeddedProblem,
  nullEmptyLists,
  propertiesOf,
  prune,
} from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** Drops the fields that the resource's schema does not know, and returns their paths. */
export function dropUnknownFields(object: ServerObject, resource: Resource): string[] {
  return prune(resource.schema, object)
}

/** Fills in what the writer left out. `keepNulls` leaves nulls that nothing replaces for validation to find. */
export function fillDefaults(object: ServerObject, resource: Resource, keepNulls = false): void {
  applyDefaults(resource.schema, object, { keepNulls })
  resource.strategy().default?.(object)
}

/** Makes empty lists null where Kubernetes writes them so. */
export function nullLists(object: ServerObject, resource: Resource): void {
  if (!resource.custom) nullEmptyLists(resource.schema, object)
}

/** Drops the fields of features that are not switched on. */
export function dropDisabledFields(object: ServerObject, resource: Resource): void {
  resource.strategy().dropDisabled?.(object)
}

/**
 * Fills in the default of a new custom object's status, which was dropped with the status that the client sent. The
 * default belongs to no field manager. The rest of the object has its defaults already.
 */
export function fillStatusDefault(object: ServerObject, resource: Resource): void {
  if (propertiesOf(resource.schema.root).get('status')?.default === undefined) return
  const { apiVersion, kind } = object
  const empty: ServerObject = { apiVersion, kind, metadata: {} }
  fillDefaults(empty, resource)
  object['status'] = empty['status']
}

/**
 * Why an object cannot be read at all; undefined when it can. Of a custom kind this concerns the metadata in it. Where its own
 * metadata were read already, only those of objects inside it are left.
 */
export function unreadable(
  object: ServerObject,
  resource: Resource,
  metadataRead = false,
): string | undefined {
  if (!metadataRead) return decodeProblem(resource.schema, object, resource.kind)
  const embedded = embeddedProblem(resource.schema, object)
  return embedded && `${embedded.field}: ${embedded.message}`
}
