import { fieldsAtPaths, type ResetFields } from '../../fields/index.ts'
import type { ServerObject, StrategyContext } from '../../registry/index.ts'
import { applyDefaults, copyJson, toWireForm } from '../../schema/index.ts'

/** Drops the status that a client sends with a create. */
export function clearStatus(object: ServerObject, { resource }: StrategyContext): void {
  object['status'] = {}
  applyDefaults(resource.schema, object)
  toWireForm(resource.schema, object)
}

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
