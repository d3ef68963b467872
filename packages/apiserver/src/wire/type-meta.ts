import { isObject, type JsonObject } from '../schema/index.ts'
import { BodyError } from './body-error.ts'

const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`

/** A body as an object, with its kind and version. Each is empty if the body does not name it. */
export interface TypedBody {
  readonly object: JsonObject
  readonly kind: string
  readonly apiVersion: string
}

/** Reads the kind and version of a body; null counts as an empty object. Fails with a {@link BodyError}. */
export function readTypeMeta(value: unknown): TypedBody {
  const { object, kind, apiVersion } = checkTypeMeta(value)
  if (apiVersion.split('/').length > 2) throw new BodyError(`unexpected GroupVersion string: ${apiVersion}`)
  return { object, kind, apiVersion }
}

/** Checks that kind and version, where a body has them, are texts. Fails with a {@link BodyError}. */
export function checkTypeMeta(value: unknown): TypedBody {
  const object: unknown = value ?? {}
  if (!isObject(object)) {
    throw unreadable(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${TYPE_META}`)
  }
  const text = (field: string): string => {
    const part = object[field] ?? ''
    if (typeof part === 'string') return part
    throw unreadable(`json: cannot unmarshal ${jsonKind(part)} into Go struct field .${field} of type string`)
  }
  return { object, apiVersion: text('apiVersion'), kind: text('kind') }
}

function unreadable(problem: string): BodyError {
  return new BodyError(`couldn't get version/kind; json parse error: ${problem}`)
}

/** Go's name for the type of a JSON value. */
export function jsonKind(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (Array.isArray(value)) return 'array'
  return isObject(value) ? 'object' : typeof value === 'object' ? 'number' : typeof value
}
