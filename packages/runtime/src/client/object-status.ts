import type { AnyKind, KubernetesObject, ObjectKey } from '@homeostat/api'
import type { ApplyOptions, Patch, WriteOptions } from './client.ts'
import type { WholeClient } from './whole-client.ts'
import { nameOf, typedObject } from './typed-object.ts'

/** Writes the status of objects. */
export class ObjectStatus {
  readonly #client: WholeClient

  constructor(client: WholeClient) {
    this.#client = client
  }

  async update(kind: AnyKind, whole: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    const object = withoutInexactNumbers(whole)
    return this.#client.writer.replace(kind, object.metadata, typedObject(kind, object), options, 'status')
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
    // To a server an empty status is one that is null where this manager had set fields before, and so invalid.
    const isEmpty = Object.values(status).every((value) => value === undefined)
    const document = isEmpty ? name : { ...name, status }
    return this.#client.applyPart(kind, key, document, options, 'status')
  }
}

/**
 * The object without parts that a write of the status leaves alone and that were not read exactly: whole numbers beyond
 * 2^53 are rounded when they are read, and a server would take the rounded ones for a change.
 */
function withoutInexactNumbers(object: KubernetesObject): KubernetesObject {
  const inexact = Object.entries(object).filter(([name, part]) => name !== 'status' && isInexact(part))
  if (inexact.length === 0) return object
  const { deletionGracePeriodSeconds, ...metadata } = object.metadata as KubernetesObject['metadata'] & {
    deletionGracePeriodSeconds?: unknown
  }
  const kept = isInexact(deletionGracePeriodSeconds) ? metadata : object.metadata
  const others = Object.entries(object).filter((entry) => !inexact.some(([name]) => name === entry[0]))
  return { ...Object.fromEntries(others), metadata: kept } as KubernetesObject
}

function isInexact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(isInexact)
}
