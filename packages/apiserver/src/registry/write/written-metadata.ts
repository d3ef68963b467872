import { exactInteger, timestamp, type Clock } from '@homeostat/api'
import { integerOf } from '../../schema/index.ts'
import { checkNamespace } from '../decode/check-identity.ts'
import { generateName, uid } from './names.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerMeta, ServerObject } from '../resource/server-object.ts'
import type { Place } from '../request/target.ts'

/** Sets the metadata of a new object that only the server sets, with a generated name if it asks for one. */
export function fillNewMeta(object: ServerObject, place: Place, clock: Clock): void {
  const meta = object.metadata
  placeNew(meta, place)
  if (meta.generateName && !meta.name) {
    const { keepsGenerateName = false } = place.resource.strategy()
    meta.name = keepsGenerateName ? meta.generateName : generateName(meta.generateName, clock)
  }
  meta.uid = uid(clock)
  meta.creationTimestamp = timestamp(clock.now())
}

/** Sets the namespace of a new object, and drops metadata that only the server sets. */
export function placeNew(meta: ServerMeta, place: Place): void {
  placeIn(meta, place)
  for (const field of WIPED) delete meta[field]
}

const WIPED = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']

/** Restores the metadata that an update left out or cannot change. */
export function keepMeta(object: ServerObject, old: ServerObject, place: Place): void {
  const meta = object.metadata
  placeIn(meta, place)
  meta.uid = meta.uid || old.metadata.uid
  for (const field of ['generation', 'creationTimestamp'] as const) carry(meta, old.metadata, field)
  if (old.metadata.deletionTimestamp) carry(meta, old.metadata, 'deletionTimestamp')
  if (meta.deletionGracePeriodSeconds === undefined) carry(meta, old.metadata, 'deletionGracePeriodSeconds')
}

/** The generation after a change. As in Kubernetes it has 64 bits. */
export function nextGeneration(generation: number | undefined): number {
  return writtenInteger(BigInt.asIntN(64, integerOf(generation) + 1n))
}

/** A whole number as objects have it. Beyond 2^53 it is an `ExactNumber`, although the type says number. */
export function writtenInteger(value: bigint): number {
  return exactInteger(value) as number
}

/** Refuses an object whose namespace is not that of the request. */
function placeIn(meta: ServerMeta, { resource, namespace }: Place): void {
  if (resource.scope === 'Cluster') {
    delete meta.namespace
    return
  }
  checkNamespace(meta, namespace)
  if (namespace) meta.namespace = namespace
}

function carry(meta: ServerMeta, old: ServerMeta, field: string): void {
  if (old[field] === undefined) delete meta[field]
  else meta[field] = old[field]
}

/**
 * The part of an object whose changes a generation counts: everything but metadata, and the status where it is a
 * subresource.
 */
export function countedPart(object: ServerObject, resource: Resource): Record<string, unknown> {
  const { metadata: _, apiVersion: __, kind: ___, ...rest } = object
  if (resource.subresources.status) delete rest['status']
  return rest
}
