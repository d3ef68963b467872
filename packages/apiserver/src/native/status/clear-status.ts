import { fieldsAtPaths, type ResetFields } from '../../fields/index.ts'
import type { ServerObject, StrategyContext } from '../../registry/index.ts'
import { applyDefaults, copyJson, toWireForm } from '../../schema/index.ts'

/** A new object has the status that its kind begins with, whatever its writer says. */
export function clearStatus(object: ServerObject, { resource }: StrategyContext): void {
  object['status'] = {}
  applyDefaults(resource.schema, object)
  toWireForm(resource.schema, object)
}

/** The writer of a status that leaves the metadata owns none of them. */
export const keptMetadata: ResetFields = { status: fieldsAtPaths('spec', 'metadata') }

/** A write of the status leaves the metadata, too. */
export function keepMetadata(object: ServerObject, old: ServerObject): void {
  const { managedFields, resourceVersion } = object.metadata
  object.metadata = { ...copyJson(old.metadata), ...(managedFields && { managedFields }), resourceVersion }
}

const RESET = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'selfLink'] as const

/** A write of the status leaves the metadata that a writer of the object can change. */
export function keepWritableMetadata(object: ServerObject, old: ServerObject): void {
  for (const field of RESET) {
    if (old.metadata[field] === undefined) delete object.metadata[field]
    else object.metadata[field] = copyJson(old.metadata[field]) as never
  }
}
