import {
  applyDefaults,
  decodeProblem,
  embeddedProblem,
  completesWireForm,
  nullEmptyLists,
  prune,
} from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** Drops the fields that are not in the resource's schema, and returns their paths. */
export function dropUnknownFields(object: ServerObject, resource: Resource): string[] {
  return prune(resource.schema, object)
}

/** Sets defaults. `keepNulls` keeps nulls without a default, so that validation reports them. */
export function fillDefaults(object: ServerObject, resource: Resource, keepNulls = false): void {
  fillSchemaDefaults(object, resource, keepNulls)
  resource.strategy().default?.(object)
}

/**
 * Whether an object needs neither decoding nor pruning, since it is native and has the form that Kubernetes writes. Sets the
 * nulls that it lacks for that.
 */
export function completesAsWritten(object: ServerObject, resource: Resource): boolean {
  return !resource.custom && completesWireForm(resource.schema, object)
}

/** Sets the defaults of the schema, without those that the strategy of the kind computes. */
export function fillSchemaDefaults(
  object: ServerObject,
  resource: Resource,
  keepNulls = false,
  inWireForm = false,
): void {
  applyDefaults(resource.schema, object, { keepNulls, inWireForm })
}

/** Replaces empty lists by null where Kubernetes does. */
export function nullLists(object: ServerObject, resource: Resource): void {
  if (!resource.custom) nullEmptyLists(resource.schema, object)
}

/** Drops the fields of features that are off by default. */
export function dropDisabledFields(object: ServerObject, resource: Resource, old?: ServerObject): void {
  resource.strategy().dropDisabled?.(object, old)
}

/**
 * Why an object cannot be decoded; undefined when it can. For a custom kind this checks only metadata; where the
 * object's own were checked already, only those of embedded objects.
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
