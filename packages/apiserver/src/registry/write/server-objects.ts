import { timestamp, type FieldsV1 } from '@homeostat/api'
import { equalJson, isObject, type JsonObject } from '../../schema/index.ts'
import { uid } from './names.ts'
import { keyIn, type Registry } from '../state/registry.ts'
import { nextGeneration } from './written-metadata.ts'
import type { Resource } from '../resource/resource.ts'
import { type ServerObject, storedObject } from '../resource/server-object.ts'

/** An object that the server itself creates, with all defaults. */
export interface OwnObject {
  readonly object: ServerObject
  /** Whether its kind counts generations. Default: false. */
  readonly generation?: boolean
  /** The field manager of the write. Default: the server's. */
  readonly manager?: string
  /** Which fields the manager owns. Default: all of `object`. */
  readonly fields?: FieldsV1
  /** Further fields that have no owner: its status. */
  readonly unowned?: Readonly<Record<string, unknown>>
}

/** Creates an object unless one of its name exists. It does not validate the object, so that a server starts fast. */
export function createIfMissing(registry: Registry, own: OwnObject): void {
  const { kind, apiVersion, metadata, ...fields } = own.object
  const resource = resourceOf(registry, own.object)
  const { name = '', namespace } = metadata
  const key = keyIn(resource, namespace, name)
  if (registry.get(resource, key)) return
  const now = timestamp(registry.clock.now())
  const managed = {
    manager: own.manager ?? 'kube-apiserver',
    operation: 'Update',
    apiVersion,
    time: now,
    fieldsType: 'FieldsV1',
    fieldsV1: own.fields ?? ownedFields(own.object),
  } as const
  registry.put(resource, key, 0, {
    kind,
    apiVersion,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid: uid(registry.clock),
      ...(own.generation && { generation: 1 }),
      creationTimestamp: now,
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: metadata.annotations }),
      managedFields: [managed],
    },
    ...fields,
    ...own.unowned,
  })
}

/** Replaces parts of an object that the server itself made, where they differ. */
export function replaceParts(
  registry: Registry,
  { kind, apiVersion, metadata }: ServerObject,
  parts: Readonly<Record<string, unknown>>,
): void {
  const resource = resourceOf(registry, { kind, apiVersion, metadata })
  const key = keyIn(resource, metadata.namespace, metadata.name ?? '')
  const stored = registry.get(resource, key)
  if (!stored) return
  const current = storedObject(stored)
  if (Object.entries(parts).every(([name, value]) => equalJson(current[name], value))) return
  const { generation } = current.metadata
  const counted = generation === undefined ? {} : { generation: nextGeneration(generation) }
  registry.put(resource, key, stored.revision, {
    ...current,
    metadata: { ...current.metadata, ...counted },
    ...parts,
  })
}

/** Removes an object that the server itself made, where it is still there. */
export function removeObject(registry: Registry, resource: Resource, key: string): void {
  const stored = registry.get(resource, key)
  if (stored) registry.remove(resource, key, stored.revision)
}

function resourceOf(registry: Registry, { apiVersion, kind }: ServerObject): Resource {
  const found = registry.catalogue.findKind(apiVersion, kind)
  if (!found) throw new TypeError(`${kind} in ${apiVersion} is not served`)
  return found
}

/** Fields that always exist, so that they have no owner. */
const ALWAYS_THERE = new Set(['metadata', 'spec', 'priorityLevelConfiguration'])

/** The fields of an object in the notation of managed fields. Its lists are taken for atomic. */
function ownedFields(object: ServerObject): FieldsV1 {
  const { kind: _, apiVersion: __, metadata, ...fields } = object
  const { labels, annotations } = metadata
  const ofMetadata = ownedParts({ ...(annotations && { annotations }), ...(labels && { labels }) })
  const named: FieldsV1 = Object.keys(ofMetadata).length > 0 ? { 'f:metadata': ofMetadata } : {}
  return { ...named, ...ownedParts(fields) }
}

function ownedParts(object: JsonObject): FieldsV1 {
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((name) => {
        const value = object[name]
        if (!isObject(value)) return [`f:${name}`, {}]
        return [`f:${name}`, ALWAYS_THERE.has(name) ? ownedParts(value) : { '.': {}, ...ownedParts(value) }]
      }),
  )
}
