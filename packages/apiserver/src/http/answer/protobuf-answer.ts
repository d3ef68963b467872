import { apiVersionOf, oncePerObject } from '@homeostat/api'
import { type Listed, type Resource, served } from '../../registry/index.ts'
import type { Stored } from '../../storage/index.ts'
import { protobuf } from '../../wire/index.ts'
import { listMeta } from './list-document.ts'

/** A document in protobuf, by its own kind; undefined where that is not native. */
export function protobufDocument(document: object): Uint8Array | undefined {
  const { kind, apiVersion }: { kind?: unknown; apiVersion?: unknown } = document
  if (typeof kind !== 'string' || kind === '') return undefined
  const version = typeof apiVersion === 'string' ? apiVersion : ''
  // The oldest documents of discovery have no version.
  const { inEnvelope, writeObject } = protobuf.get()
  const raw = writeObject(version || 'v1', kind, document)
  return raw && inEnvelope(version, kind, raw)
}

/** The entries of each resource, encoded once for all readers. */
const entriesOf = oncePerObject((resource: Resource) =>
  oncePerObject((stored: Stored) => {
    const raw = protobuf.get().writeObject(apiVersionOf(resource), resource.kind, served(stored, resource))
    if (!raw) throw new Error(`${resource.kind} of ${apiVersionOf(resource)} has no protobuf message`)
    return raw
  }),
)

function rawOf(stored: Stored, resource: Resource): Uint8Array {
  return entriesOf(resource)(stored)
}

/** A list of a native kind in protobuf. */
export function protobufList(resource: Resource, listed: Listed): Uint8Array {
  const { inEnvelope, writeList } = protobuf.get()
  const apiVersion = apiVersionOf(resource)
  const items = listed.entries.map((entry) => rawOf(entry, resource))
  return inEnvelope(apiVersion, resource.listKind, writeList(listMeta(resource, listed), items))
}

/** An event of a watch in protobuf, about an entry of a native kind. */
export function protobufEntryEvent(type: string, stored: Stored, resource: Resource): Uint8Array {
  const { inEnvelope, writeWatchEvent } = protobuf.get()
  const object = inEnvelope(apiVersionOf(resource), resource.kind, rawOf(stored, resource))
  return writeWatchEvent(type, object)
}

/** An event of a watch in protobuf, about a document with its own kind. */
export function protobufEvent(type: string, document: object): Uint8Array {
  return protobuf.get().writeWatchEvent(type, protobufDocument(document) ?? new Uint8Array())
}
