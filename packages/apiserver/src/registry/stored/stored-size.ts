import { apiVersionOf } from '@homeostat/api'
import { protobuf } from '../../wire/index.ts'
import { failureWithoutReason, type Failure } from '../resource/failure.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/**
 * The longest request that etcd accepts, and the longest message that a Kubernetes API server sends to it, in bytes.
 */
const LONGEST_REQUEST = 1.5 * 1024 * 1024
const LONGEST_MESSAGE = 2 * 1024 * 1024
/** The bytes that etcd adds to a request before it checks the length. */
const RAFT_HEADER = 14
/** An object that is shorter than this as JSON is far below the limit in protobuf. */
const SHORT = 256 * 1024

/** A write of an object to the store. */
export interface StoredObject {
  readonly resource: Resource
  readonly key: string
  /** The revision that it replaces; 0 for a new object. */
  readonly expected: number
  readonly object: ServerObject
  /** The object as JSON, with its new resourceVersion. */
  readonly json: Uint8Array
}

/**
 * Refuses an object that would be too long for etcd, with a Kubernetes API server's message. The length is that of
 * its stored form there: JSON for custom kinds, protobuf for native ones.
 */
export function checkStoredSize(stored: StoredObject): void {
  const { resource, object, json } = stored
  if (json.length < SHORT) return
  const size = resource.custom ? undefined : encodedSize(object, resource)
  const message = messageSize(stored, size ?? jsonSize(object, json))
  if (message > LONGEST_MESSAGE) {
    const lengths = `(${message} vs. ${LONGEST_MESSAGE})`
    throw tooLarge(
      `rpc error: code = ResourceExhausted desc = trying to send message larger than max ${lengths}`,
    )
  }
  if (message + RAFT_HEADER > LONGEST_REQUEST) throw tooLarge()
}

/** Without the resourceVersion, which etcd itself knows, and with the end of the line. */
function jsonSize(object: ServerObject, json: Uint8Array): number {
  const { resourceVersion: version } = object.metadata
  return (
    json.length + 1 - (version === undefined ? 0 : `"resourceVersion":${JSON.stringify(version)},`.length)
  )
}

/**
 * The length of the etcd transaction that writes a value of this size: a comparison of the revision, a put, and a
 * read otherwise.
 */
function messageSize({ resource, key, expected }: StoredObject, size: number): number {
  const group = resource.custom ? `/${resource.group}` : ''
  const name = bytesOf(`/registry${group}/${resource.plural}/${key}`)
  const comparison = 2 + field(name) + 1 + varint(expected)
  const put = field(field(name) + field(size))
  const otherwise = expected === 0 ? 0 : field(field(field(name)))
  return field(comparison) + field(put) + otherwise
}

/** The size of a protobuf field with this many bytes of content. */
function field(length: number): number {
  return 1 + varint(length) + length
}

function varint(value: number): number {
  let length = 1
  for (let left = value; left >= 128; left = Math.floor(left / 128)) length++
  return length
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/**
 * The longest object, as JSON in characters: as long as the longest request. A longer one could not be sent back by a
 * client that has read it.
 */
const LONGEST_JSON = 3 * 1024 * 1024

/** The most values of a too long object for which the exact length is computed for the message. */
const MOST_VALUES = 50_000

/**
 * Refuses early an object that cannot be stored: one that defaults or managed fields made too long, or one whose number
 * of values makes computing its exact length slow. `json` is its encoding.
 */
export function refuseUnstorable(object: ServerObject, json: string, resource: Resource): void {
  if (json.length > LONGEST_JSON) throw tooLarge()
  if (json.length < LONGEST_REQUEST || !hasMoreValues(object, MOST_VALUES)) return
  const size = resource.custom ? undefined : encodedSize(object, resource)
  if ((size ?? json.length) > LONGEST_REQUEST) throw tooLarge()
}

/** How long a native object is in protobuf, which is how Kubernetes stores it; undefined where it has no such form. */
function encodedSize(object: ServerObject, resource: Resource): number | undefined {
  const apiVersion = apiVersionOf(resource)
  const { inEnvelope, writeObject } = protobuf.get()
  const raw = writeObject(apiVersion, resource.kind, object)
  return raw && inEnvelope(apiVersion, resource.kind, raw).length
}

/** Whether a value contains more than a number of values. */
function hasMoreValues(value: unknown, most: number): boolean {
  let left = most
  const exceeds = (part: unknown): boolean => {
    if (--left < 0) return true
    if (typeof part !== 'object' || part === null) return false
    return Array.isArray(part) ? part.some(exceeds) : Object.values(part).some(exceeds)
  }
  return exceeds(value)
}

/** The API's failure for an object that is too large for etcd. It has no reason. */
export function tooLarge(message = 'etcdserver: request is too large'): Failure {
  return failureWithoutReason(message)
}
