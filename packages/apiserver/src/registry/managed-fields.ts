import { apiVersionOf } from '@homeostat/api'
import { updateFields, type FieldsWrite } from '../fields/index.ts'
import type { Registry } from './registry.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'

/** Records who owns the fields of a new object. */
export function manageCreate(
  registry: Registry,
  object: ServerObject,
  resource: Resource,
  manager: string,
): void {
  updateFields({ ...fieldsWrite(resource, manager, registry), before: undefined, after: object })
}

/** Records who owns the fields that an update changed. */
export function manageUpdate(
  registry: Registry,
  object: ServerObject,
  old: ServerObject,
  resource: Resource,
  manager: string,
  subresource: string | undefined,
): void {
  updateFields({ ...fieldsWrite(resource, manager, registry, subresource), before: old, after: object })
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
