import { applyDefaults } from '../../schema/defaults.ts'
import { copyJson } from '../../schema/json.ts'
import { toWireForm } from '../../schema/wire-form.ts'
import type { RulesContext } from '../kind-rules.ts'
import type { ServerObject } from '../server-object.ts'

/** A new object has the status that its kind begins with, whatever its writer says. */
export function clearStatus(object: ServerObject, { resource }: RulesContext): void {
  object['status'] = {}
  applyDefaults(resource.schema, object)
  toWireForm(resource.schema, object)
}

/** A write of the status leaves the metadata, too. */
export function keepMetadata(object: ServerObject, old: ServerObject): void {
  const { managedFields, resourceVersion } = object.metadata
  object.metadata = { ...copyJson(old.metadata), ...(managedFields && { managedFields }), resourceVersion }
}
