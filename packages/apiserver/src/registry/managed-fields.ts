import { apiVersionOf } from '@homeostat/api'
import { updateFieldsInParts, type FieldsWrite } from '../fields/index.ts'
import type { Registry } from './registry.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'
import { atOnce, type InParts } from '../work/index.ts'

/** Records who owns the fields of a new object. */
export function manageCreate(...of: Parameters<typeof manageCreateInParts>): void {
  atOnce(manageCreateInParts(...of))
}

/** The same in parts. */
export function manageCreateInParts(
  registry: Registry,
  object: ServerObject,
  resource: Resource,
  manager: string,
): InParts<void> {
  return updateFieldsInParts({
    ...fieldsWrite(resource, manager, registry),
    before: undefined,
    after: object,
  })
}

/** Records who owns the fields that an update changed. */
export function manageUpdate(...of: Parameters<typeof manageUpdateInParts>): void {
  atOnce(manageUpdateInParts(...of))
}

/** The same in parts. */
export function manageUpdateInParts(
  registry: Registry,
  object: ServerObject,
  old: ServerObject,
  resource: Resource,
  manager: string,
  subresource: string | undefined,
): InParts<void> {
  return updateFieldsInParts({
    ...fieldsWrite(resource, manager, registry, subresource),
    before: old,
    after: object,
  })
}

/** What a write through a resource says about itself. */
export function fieldsWrite(
  resource: Resource,
  manager: string,
  registry: Registry,
  subresource?: string,
): FieldsWrite {
  return {
    schema: resource.schema,
    apiVersion: apiVersionOf(resource),
    manager,
    subresource,
    hasStatus: resource.subresources.status,
    now: registry.clock.now(),
  }
}
