import { decodeProblem } from '../schema/decode.ts'
import { applyDefaults } from '../schema/defaults.ts'
import type { FieldError } from '../schema/field-error.ts'
import { nativeBehaviour } from '../schema/native/index.ts'
import { prune } from '../schema/prune.ts'
import { validate, validateStatus } from '../schema/validate.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'

/** Takes away what the resource's schema does not know; the paths of what was taken away. */
export function dropUnknownFields(object: ServerObject, resource: Resource): string[] {
  return prune(resource.schema, object)
}

/** Fills in what the writer left out. */
export function fillDefaults(object: ServerObject, resource: Resource): void {
  applyDefaults(resource.schema, object)
  if (!resource.custom) nativeBehaviour(resource.group, resource.kind)?.default?.(object)
}

/** What is wrong with the object by the rules of its kind. */
export function kindProblems(
  object: ServerObject,
  old: ServerObject | undefined,
  resource: Resource,
  subresource?: string,
): FieldError[] {
  if (resource.custom) {
    return subresource === 'status'
      ? validateStatus(resource.schema, object, old)
      : validate(resource.schema, object, old)
  }
  const behaviour = nativeBehaviour(resource.group, resource.kind)
  return [
    ...(behaviour?.validate?.(object) ?? []),
    ...(old ? (behaviour?.validateUpdate?.(object, old) ?? []) : []),
  ]
}

/** Why an object of a native kind cannot be read at all; undefined when it can. */
export function unreadable(object: ServerObject, resource: Resource): string | undefined {
  return resource.custom ? undefined : decodeProblem(resource.schema, object, resource.kind)
}
