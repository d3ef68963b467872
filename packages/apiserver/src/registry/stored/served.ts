import { apiVersionOf, oncePerObject } from '@homeostat/api'
import {
  applyDefaults,
  copyJson,
  equalJson,
  propertiesOf,
  prune,
  type TypeSchema,
} from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { needsWebhook } from './needs-webhook.ts'
import type { Resource } from '../resource/resource.ts'
import { arrange, parseServerObject, type ServerObject, storedObject } from '../resource/server-object.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const OPENING = encoder.encode('{')

/** An entry in the form in which one resource serves it. */
interface Form {
  readonly resource: Resource
  /** Undefined where the entry is served as it is stored. */
  readonly object: ServerObject | undefined
  json: Uint8Array | undefined
}

/** The form in which each entry of a custom kind was last served. */
const forms = new WeakMap<Stored, Form>()

/** The form of the many entries that a resource serves as they are stored. */
const asStored = oncePerObject((resource: Resource): Form => ({
  resource,
  object: undefined,
  json: undefined,
}))

/** The length of the beginning of every stored object of the resource: `{"kind":"Pod","apiVersion":"v1",`. */
const headLength = oncePerObject((resource: Resource): number => {
  const { kind } = resource
  return encoder.encode(JSON.stringify({ kind, apiVersion: apiVersionOf(resource) })).length
})

/**
 * The stored object as the resource serves it. It is frozen or shared: callers copy it before they change it. An entry that
 * only a webhook can convert must have been read through `Conversions`.
 */
export function served(stored: Stored, resource: Resource): ServerObject {
  return formOf(stored, resource)?.object ?? storedObject(stored)
}

/** The served object as JSON, encoded once for all readers. */
export function servedJson(stored: Stored, resource: Resource): Uint8Array {
  const form = formOf(stored, resource)
  if (!form?.object) return stored.json
  return (form.json ??= encodeObject(form.object))
}

/** The entry where readers in this process may share its value: it is parsed now, and served as it is stored. */
export function sharedEntry(stored: Stored, resource: Resource): Stored | undefined {
  return stored.isShareable && !formOf(stored, resource)?.object ? stored : undefined
}

/** The served object as an item of a list: the items of native kinds have neither kind nor version. */
export function servedItem(stored: Stored, resource: Resource): Uint8Array[] {
  const json = servedJson(stored, resource)
  return resource.custom ? [json] : [OPENING, json.subarray(headLength(resource))]
}

/** Encodes an object that is not stored. */
export function encodeObject(object: object): Uint8Array {
  return encoder.encode(JSON.stringify(object))
}

/** Records that an entry was written through a resource. If it is stored in that version, it is served unchanged. */
export function writtenThrough(stored: Stored, resource: Resource): void {
  if (!resource.custom || stored.apiVersion !== apiVersionOf(resource)) return
  forms.set(stored, asStored(resource))
}

/**
 * Whether reads add a status to an object, by the default of the whole status. A new custom object is stored without one, since
 * the status that the client sends is dropped.
 */
export function readsAddStatus(object: ServerObject, resource: Resource): boolean {
  if (!resource.custom || object['status'] !== undefined || !resource.subresources.status) return false
  return propertiesOf(schemaOf(object, resource).root).get('status')?.default !== undefined
}

/** Undefined where the object is served as it is stored. */
function formOf(stored: Stored, resource: Resource): Form | undefined {
  if (!resource.custom && stored.apiVersion === apiVersionOf(resource)) return undefined
  const known = forms.get(stored)
  if (known?.resource === resource) return known
  if (needsWebhook(stored, resource)) {
    throw new TypeError(
      `${stored.key} is stored in ${stored.apiVersion}, and its webhook has not converted it`,
    )
  }
  const form = isUnchanged(stored, resource) ? asStored(resource) : renewed(stored, resource)
  forms.set(stored, form)
  return form
}

/**
 * Whether a custom object is certainly served as it is stored. Parses it for itself, since the first list after a start asks this of
 * every object: values that the store caches live long enough to fill the heap with garbage.
 */
function isUnchanged(stored: Stored, resource: Resource): boolean {
  if (!resource.custom) return false
  const text = decoder.decode(stored.json)
  const object = parseServerObject(text)
  if (object.apiVersion !== apiVersionOf(resource)) return false
  const schema = schemaOf(object, resource)
  if (schema !== resource.schema) return false
  prune(schema, object)
  applyDefaults(schema, object)
  return JSON.stringify(object) === text
}

/** The entry in another version, or under a schema that changed since. */
function renewed(stored: Stored, resource: Resource): Form {
  const copy = copyJson(storedObject(stored))
  if (!resource.custom) return { resource, object: arrange(convertedTo(copy, resource)), json: undefined }
  // The object gets the defaults of its stored version; conversion to another version only drops unknown fields.
  const before = schemaOf(copy, resource)
  prune(before, copy)
  applyDefaults(before, copy)
  const object = convertedTo(copy, resource)
  if (before !== resource.schema) prune(resource.schema, object)
  return equalJson(object, stored.value) ? asStored(resource) : { resource, object, json: undefined }
}

/** The schema of the version that an object is in. */
function schemaOf({ apiVersion }: ServerObject, resource: Resource): TypeSchema {
  return resource.versions?.get(apiVersion.slice(apiVersion.indexOf('/') + 1)) ?? resource.schema
}

/** Converts an object of a custom kind to the stored version; returns it unchanged where it is in that version. */
export function inStorageVersion(object: ServerObject, resource: Resource): ServerObject {
  const { storageVersion, group, versions } = resource
  const schema = storageVersion === undefined ? undefined : versions?.get(storageVersion)
  const apiVersion = `${group}/${storageVersion}`
  if (!schema || object.apiVersion === apiVersion) return object
  if (resource.conversionWebhook !== undefined) {
    throw new TypeError(
      `${object.metadata.name} is in ${object.apiVersion}, and its webhook has not converted it`,
    )
  }
  const copy = { ...copyJson(object), apiVersion }
  prune(schema, copy)
  return copy
}

/** The answer to a dry run: the object without the fields that the storage version would drop, and with its defaults. */
export function asIfStored(object: ServerObject, resource: Resource): ServerObject {
  if (!resource.custom) return object
  const kept = resource.conversionWebhook === undefined ? inStorageVersion(object, resource) : object
  if (kept === object) {
    const isOwn = object.apiVersion === apiVersionOf(resource)
    return isOwn && readsAddStatus(object, resource) ? withDefaults(copyJson(object), resource) : object
  }
  const answer = { ...withDefaults(kept, resource), apiVersion: object.apiVersion }
  prune(resource.schema, answer)
  return answer
}

function withDefaults(object: ServerObject, resource: Resource): ServerObject {
  applyDefaults(schemaOf(object, resource), object)
  return object
}

/** The object in the resource's version. Some native kinds have other fields there; else only the version's name differs. */
export function convertedTo(object: ServerObject, resource: Resource): ServerObject {
  const apiVersion = apiVersionOf(resource)
  if (object.apiVersion === apiVersion) return object
  return resource.convert?.(object, resource) ?? { ...object, apiVersion }
}
