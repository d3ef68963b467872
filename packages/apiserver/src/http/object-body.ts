import { apiVersionOf, failure } from '@homeostat/api'
import { Failure } from '../registry/failure.ts'
import type { Resource } from '../registry/resource.ts'
import { textOf, type ServerObject } from '../registry/server-object.ts'
import { causesOf, invalidValue } from '../schema/field-error.ts'
import { isObject, objectOf } from '../schema/json.ts'
import { decodeBody } from '../wire/index.ts'
import type { Call } from './call.ts'

/** The object in a request's body, with the fields that stood twice. It is of the resource's kind, and named as the path says. */
export function objectBody(
  call: Call,
  expected: Kind = call.resource,
): { object: ServerObject; duplicates: readonly string[] } {
  const { request } = call
  if (!request.body || request.body.length === 0) {
    throw new Failure(failure.badRequest('the request has no body: send the object as JSON or YAML'))
  }
  const { value, duplicates } = decodeBody(request.body, request.headers['content-type'])
  const object = asObject(value, expected, call.resource)
  return { object, duplicates }
}

interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Checks that a value is an object of a kind. Native kinds may leave out what the path says already. */
function asObject(value: unknown, expected: Kind, resource: Resource): ServerObject {
  const apiVersion = apiVersionOf(expected)
  if (!isObject(value))
    throw new Failure(failure.badRequest(`the body of the request is not an object of kind ${expected.kind}`))
  if (!resource.custom) {
    value['kind'] ||= expected.kind
    value['apiVersion'] ||= apiVersion
  }
  const kind = textOf(value['kind'])
  if (kind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(value)}'`
    throw new Failure(
      failure.badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why}`),
    )
  }
  if (value['apiVersion'] !== apiVersion) {
    const found = textOf(value['apiVersion'])
    throw new Failure(
      failure.badRequest(
        `the API version in the data (${found}) does not match the expected API version (${apiVersion})`,
      ),
    )
  }
  if (kind !== expected.kind) refuseKind(kind, value, expected, resource)
  if (value['metadata'] === undefined || value['metadata'] === null) value['metadata'] = {}
  if (!isObject(value['metadata'])) throw new Failure(failure.badRequest('metadata is not an object'))
  return value as unknown as ServerObject
}

function refuseKind(kind: string, value: Record<string, unknown>, expected: Kind, resource: Resource): never {
  if (resource.custom) {
    const name = textOf(objectOf(value['metadata'])['name'])
    const problem = invalidValue('kind', kind, `must be ${expected.kind}`)
    throw new Failure(failure.invalid({ group: expected.group, kind }, name, causesOf([problem])))
  }
  throw new Failure(
    failure.badRequest(
      `${kind} in version ${JSON.stringify(expected.version)} cannot be handled as a ${expected.kind}`,
    ),
  )
}

/** What a server-side apply sends: it must say what it is. */
export function appliedObject(value: unknown, resource: Resource): ServerObject {
  const fields = isObject(value) ? value : {}
  if (fields['kind'] !== resource.kind || fields['apiVersion'] !== apiVersionOf(resource)) {
    const apiVersion = textOf(fields['apiVersion'])
    const type = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${textOf(fields['kind'])}`
    throw new Failure(failure.badRequest(`invalid object type: ${type}`))
  }
  return asObject(value, resource, resource)
}

/** The object's name must be that of the path, or be left out. */
export function nameAsInPath(object: ServerObject, name: string): void {
  if (!object.metadata.name) object.metadata.name = name
  if (object.metadata.name === name) return
  throw new Failure(
    failure.badRequest(
      `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
    ),
  )
}
