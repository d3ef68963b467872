import { checkOptionNames, type AnyKind, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import type { ApplyOptions, Patch, StatusWriter, WriteOptions } from './interface/client.ts'
import type { ClientInternals } from './client-internals.ts'
import { WRITE_OPTIONS } from './option-names.ts'
import { checkKey, nameOf, typedObject } from '../requests/index.ts'

/** Writes the status of objects. */
export class ObjectStatus implements StatusWriter {
  readonly #client: ClientInternals

  constructor(client: ClientInternals) {
    this.#client = client
  }

  async update(kind: AnyKind, object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    checkOptionNames(options, WRITE_OPTIONS)
    checkKey(kind, object.metadata, 'object')
    const document = typedObject(kind, withoutManagedFields(object))
    return this.#client.writer.replace(kind, object.metadata, document, options, 'status')
  }

  async patch(
    kind: AnyKind,
    key: ObjectKey,
    change: Patch,
    options?: WriteOptions,
  ): Promise<KubernetesObject> {
    return this.#client.patch(kind, key, change, options, 'status')
  }

  async apply(
    kind: AnyKind,
    key: ObjectKey,
    status: object,
    options?: ApplyOptions,
  ): Promise<KubernetesObject> {
    const name = { ...typedObject(kind, {}), metadata: nameOf(key) }
    // A server reads an empty status as null where this manager had set fields before, and refuses it.
    const isEmpty = Object.values(status).every((value) => value === undefined)
    const document = isEmpty ? name : { ...name, status }
    return this.#client.applyPart(kind, key, document, options, 'status')
  }
}

/** A server ignores the managed fields that a write of the status sends; they are often a third of an object. */
function withoutManagedFields(object: KubernetesObject): object {
  if (!object.metadata.managedFields) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
