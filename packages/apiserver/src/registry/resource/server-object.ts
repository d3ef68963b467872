import type { Stored } from '../../storage/index.ts'
import { parseJson, type ObjectMetaInput } from '@homeostat/api'

/** The metadata of an object inside the server, where any part may still be missing. */
export type ServerMeta = ObjectMetaInput & Record<string, unknown>

/** An object inside the server: JSON with a kind and metadata, on its way into or out of the store. */
export interface ServerObject {
  apiVersion: string
  kind: string
  metadata: ServerMeta
  [field: string]: unknown
}

/** The object of an entry, which is frozen. Every entry has one, since only the registry writes to the store. */
export function storedObject({ value }: Pick<Stored, 'value'>): ServerObject {
  return asServerObject(value)
}

/** JSON whose kind, apiVersion and metadata the caller has checked, as an object. */
export function asServerObject(checked: object): ServerObject {
  return checked as ServerObject
}

/** Parses JSON that the server itself has written: that of an entry, or of a task of the background thread. */
export function parseServerObject(json: string): ServerObject {
  return parseJson(json) as ServerObject
}

/**
 * The object in the form in which it is stored: `kind`, `apiVersion` and `metadata` come first, and nothing
 * is undefined. So the encoding of a list can leave out the first two.
 */
export function arrange(object: ServerObject): ServerObject {
  const { kind, apiVersion, metadata, ...rest } = object
  return { kind, apiVersion, metadata, ...rest }
}

/** The object's status as an object, empty where it has none. */
export function statusOf(object: ServerObject): Record<string, unknown> {
  const { status } = object
  return typeof status === 'object' && status !== null ? (status as Record<string, unknown>) : {}
}

/** A value, if it is text. */
export function textOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise
}

/** The object's spec as an object, empty where it has none. */
export function specOf(object: ServerObject): Record<string, unknown> {
  const { spec } = object
  return typeof spec === 'object' && spec !== null ? (spec as Record<string, unknown>) : {}
}
