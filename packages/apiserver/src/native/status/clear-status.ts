import { oncePerObject } from '@homeostat/api'
import { fieldsAtPaths, type ResetFields } from '../../fields/index.ts'
import type { ServerObject, StrategyContext } from '../../registry/index.ts'
import { applyDefaults, copyJson, toWireForm, type JsonObject, type TypeSchema } from '../../schema/index.ts'

/** Drops the status that a client sends with a create. */
export function clearStatus(object: ServerObject, { resource }: StrategyContext): void {
  object['status'] = copyJson(emptyStatus(resource.schema))
  if (object['status'] === undefined) delete object['status']
}

/** The status of a new object of a kind, with its defaults. */
const emptyStatus = oncePerObject((schema: TypeSchema): unknown => {
  const object: JsonObject = { status: {} }
  applyDefaults(schema, object)
  toWireForm(schema, object)
  return object['status']
})

/** A write of the status owns no fields of the metadata, which it cannot change. */
export const keptMetadata: ResetFields = { status: fieldsAtPaths('spec', 'metadata') }

/** A write of the status does not change the metadata either. */
export function keepMetadata(object: ServerObject, old: ServerObject): void {
  const { managedFields, resourceVersion } = object.metadata
  object.metadata = { ...copyJson(old.metadata), ...(managedFields && { managedFields }), resourceVersion }
}

const RESET = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'selfLink'] as const

/** A write of the status does not change the metadata that a client can set. */
export function keepWritableMetadata(object: ServerObject, old: ServerObject): void {
  for (const field of RESET) {
    if (old.metadata[field] === undefined) delete object.metadata[field]
    else object.metadata[field] = copyJson(old.metadata[field]) as never
  }
}
