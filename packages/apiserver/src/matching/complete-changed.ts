import type { AdmissionRequest } from '../admission/index.ts'
import { objectRules, type Registry, type ServerObject } from '../registry/index.ts'

/** Prunes and defaults an object that admission has changed. */
export function completeChanged(
  { catalogue }: Registry,
  object: ServerObject,
  { group, version, plural }: AdmissionRequest['resource'],
  submitted: AdmissionRequest['submitted'],
): void {
  if (submitted) {
    submitted.complete(object)
    return
  }
  const served = catalogue.find(group, version, plural)
  if (!served) return
  const { dropUnknownFields, fillDefaults } = objectRules.get()
  dropUnknownFields(object, served)
  fillDefaults(object, served)
}

/** Replaces the content of a write's object in place, so that all references to it see the change. */
export function replaceContent(object: ServerObject, content: ServerObject): void {
  for (const key of Object.keys(object)) if (!Object.hasOwn(content, key)) delete object[key]
  Object.assign(object, content)
}
