import type { ObjectsToConvert } from '../../registry/index.ts'
import { isObject, objectOf, textOf, type JsonObject } from '../../schema/index.ts'

export const GROUP = 'apiextensions.k8s.io'
/** The versions of ConversionReview that the server can send. */
const VERSIONS: readonly unknown[] = ['v1', 'v1beta1']

/** The version of ConversionReview that a webhook gets: the first in its list that the server knows. */
export function reviewVersion(accepted: readonly unknown[]): string | undefined {
  return accepted.find((version): version is string => VERSIONS.includes(version))
}

/** The ConversionReview that a webhook is sent. */
export function reviewOf(
  { objects, apiVersion }: ObjectsToConvert,
  version: string,
  uid: string,
): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: `${GROUP}/${version}`,
    request: { uid, desiredAPIVersion: apiVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  }
}

/** The objects in a webhook's answer. Throws an Error with kube-apiserver's message for an invalid answer. */
export function convertedObjects(answer: JsonObject, version: string, uid: string): readonly unknown[] {
  if (version === 'v1') checkKind(answer)
  const { response } = answer
  if (response === undefined || response === null) throw new Error('no response provided')
  const { uid: given, result, convertedObjects: objects } = readResponse(response)
  if (version === 'v1' && given !== uid) {
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`)
  }
  const { status, message } = result
  if (status !== 'Success') {
    throw new Error(message === '' ? `response.result.status was '${status}', not 'Success'` : message)
  }
  return objects
}

function checkKind({ apiVersion, kind }: JsonObject): void {
  const expected = `${GROUP}/v1, Kind=ConversionReview`
  const group = textOf(apiVersion ?? '')
  const given = `${group.includes('/') ? group : `/${group}`}, Kind=${textOf(kind ?? '')}`
  if (given !== expected) throw new Error(`expected webhook response of ${expected}, got ${given}`)
}

interface Response {
  readonly uid: string
  readonly result: { readonly status: string; readonly message: string }
  readonly convertedObjects: readonly unknown[]
}

function readResponse(response: unknown): Response {
  if (!isObject(response)) throw wrongType(response, 'ConversionReview.response', 'v1.ConversionResponse')
  const { uid = '', convertedObjects: objects = [], result } = response
  if (typeof uid !== 'string') throw wrongType(uid, 'ConversionResponse.response.uid', 'types.UID')
  if (objects !== null && !Array.isArray(objects))
    throw wrongType(objects, 'ConversionResponse.response.convertedObjects', '[]runtime.RawExtension')
  const { status, message } = objectOf(result)
  return {
    uid,
    result: { status: textOf(status ?? ''), message: textOf(message ?? '') },
    convertedObjects: objects ?? [],
  }
}

/** The message of Go's decoder for a field of another type. */
function wrongType(value: unknown, field: string, type: string): Error {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return new Error(`json: cannot unmarshal ${kind} into Go struct field ${field} of type ${type}`)
}
