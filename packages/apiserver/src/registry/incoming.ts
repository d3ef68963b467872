import { failure } from '@homeostat/api'
import { Failure } from './failure.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'
import { dropUnknownFields, fillDefaults, unreadable } from './shape.ts'
import type { WriteOptions } from './target.ts'

/**
 * Brings an object that a client sent, or that a patch made, into the form that the server works with:
 * unknown fields dropped and reported as the client wants it, defaults filled in. `duplicates` are the
 * fields that stood twice in the body; `refuse` words the failure when it cannot be read.
 */
export function takeIn(
  object: ServerObject,
  resource: Resource,
  options: WriteOptions,
  duplicates: readonly string[] = [],
  refuse: (problem: string) => Failure = (problem) => unreadableBody(object, resource, problem),
): ServerObject {
  const problem = unreadable(object, resource)
  if (problem !== undefined) throw refuse(problem)
  const unknown = dropUnknownFields(object, resource)
  if (options.fieldValidation !== 'Ignore') {
    const problems = [
      ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
      ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ]
    if (problems.length > 0 && options.fieldValidation === 'Strict') {
      throw refuse(`strict decoding error: ${problems.join(', ')}`)
    }
    for (const problem of problems) options.warn(problem)
  }
  fillDefaults(object, resource)
  return object
}

/** What the API answers when the body of a request cannot be read as an object of its kind. */
function unreadableBody(object: ServerObject, resource: Resource, problem: string): Failure {
  const { kind, version } = resource
  return new Failure(
    failure.badRequest(
      `${object.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`,
    ),
  )
}

/** The object that a write leaves must be named as the path says. */
export function checkName(object: ServerObject, name: string): void {
  if (object.metadata.name === name) return
  const why = object.metadata.name
    ? `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`
    : `the name of the object (${name} based on URL) was undeterminable: name must be provided`
  throw new Failure(failure.badRequest(why))
}
