import { parseJson } from '@homeostat/api'
import {
  appliedObject,
  applyBody,
  applyTo,
  decodeAndDefault,
  type DecodeOptions,
  fieldsWrite,
  type TaskObject,
  nativeCatalogue,
  objectRules,
  parseServerObject,
  patchBody,
  patched,
  readObjectBody,
  refuseDuplicates,
  refuseUnstorable,
  type Resource,
  type SentResource,
  type ServerObject,
  type Tasks,
} from '../registry/index.ts'
import { customStrategy, nativeKinds } from '../native/index.ts'
import { updateFields } from '../fields/index.ts'
import { listed, type NativeTypes, type SchemaNode, type TypeSchema } from '../schema/index.ts'
import { jsonToYaml } from '../wire/index.ts'

/** The tasks of the background thread, for the native kinds of a release. This module imports all parts of the server that they need. */
export function tasksFor(types: NativeTypes): Tasks {
  const resourceOf = resourceFinder(types)
  return {
    check({ object: text, old, names, subresource, ...sent }) {
      const object = parseServerObject(text)
      const resource = resourceOf(sent)
      const { told, warn } = warnings()
      const { createProblems, updateProblems } = objectRules.get()
      const problems =
        old === undefined
          ? createProblems(object, resource, names)
          : updateProblems(object, parseServerObject(old), resource, names, subresource, warn)
      return { problems: [...listed(problems)], warnings: told }
    },

    read({ body, contentType, namespace, fieldValidation, ...sent }) {
      const resource = resourceOf(sent)
      const ignores = fieldValidation === 'Ignore'
      const { object, duplicates } = readObjectBody({ body, contentType, resource, namespace, ignores })
      return made(resource, fieldValidation, (options) =>
        decodeAndDefault(object, resource, options, duplicates),
      )
    },

    readApplied({ body, fieldValidation, ...sent }) {
      const { value, duplicates } = applyBody(body)
      if (fieldValidation === 'Strict') refuseDuplicates(duplicates)
      const object = JSON.stringify(appliedObject(value, resourceOf(sent)))
      return { object, duplicates, warnings: [] }
    },

    patch({ type, body, current, name, fieldValidation, ...sent }) {
      const { value, duplicates } = patchBody(body, type)
      const resource = resourceOf(sent)
      const request = { type, body: value, duplicates }
      return made(resource, fieldValidation, (options) =>
        patched(request, parseServerObject(current), { resource, name }, options),
      )
    },

    apply({
      applied,
      current,
      duplicates,
      force,
      name,
      manager,
      subresource,
      now,
      fieldValidation,
      ...sent
    }) {
      const resource = resourceOf(sent)
      const live = current === undefined ? undefined : parseServerObject(current)
      const request = { applied: parseServerObject(applied), duplicates, force }
      const write = fieldsWrite(resource, manager, now, subresource)
      return made(resource, fieldValidation, (options) =>
        applyTo(live, request, { resource, name }, write, options),
      )
    },

    manage({ object: text, before, manager, subresource, now, ...sent }) {
      const after = parseServerObject(text)
      const resource = resourceOf(sent)
      const write = fieldsWrite(resource, manager, now, subresource)
      updateFields({ ...write, before: before === undefined ? undefined : parseServerObject(before), after })
      const { managedFields } = after.metadata
      refuseUnstorable(after, JSON.stringify(after), resource)
      return managedFields === undefined ? undefined : JSON.stringify(managedFields)
    },

    writeYaml: jsonToYaml,
  }
}

/** The most warnings of a task: more than fit into the header of an answer. */
const MOST_WARNINGS = 1_000

function warnings(): { told: string[]; warn: (message: string) => void } {
  const told: string[] = []
  const warn = (message: string): void => {
    if (told.length < MOST_WARNINGS) told.push(message)
  }
  return { told, warn }
}

/** The result of a task that makes an object. */
function made(
  resource: Resource,
  fieldValidation: DecodeOptions['fieldValidation'],
  make: (options: DecodeOptions) => ServerObject,
): TaskObject {
  const { told, warn } = warnings()
  const object = make({ fieldValidation, warn })
  const json = JSON.stringify(object)
  refuseUnstorable(object, json, resource)
  return { object: json, warnings: told, duplicates: [] }
}

/** The last schemas, so that data derived from a schema serves many objects. */
const schemas = new Map<string, TypeSchema>()
const KEPT = 8

function resourceFinder(types: NativeTypes): (sent: SentResource) => Resource {
  const native = new Map(nativeCatalogue(nativeKinds, types).map((resource) => [keyOf(resource), resource]))
  return ({ resource, schema }) => {
    const known = native.get(keyOf(resource))
    if (schema === undefined && known) return known
    return { ...(resource as Resource), strategy: () => customStrategy, schema: schemaOf(schema ?? '{}') }
  }
}

function schemaOf(text: string): TypeSchema {
  let schema = schemas.get(text)
  if (!schema) {
    if (schemas.size >= KEPT) schemas.clear()
    schemas.set(text, (schema = { root: parseJson(text) as SchemaNode, definitions: {} }))
  }
  return schema
}

function keyOf({ group, version, plural }: Pick<Resource, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`
}
