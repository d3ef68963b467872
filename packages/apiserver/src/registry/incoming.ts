import { failure } from '@homeostat/api'
import { Failure } from './failure.ts'
import type { KindRules } from './kind-rules.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'
import { dropUnknownFields, fillDefaults, unreadable } from './shape.ts'
import type { WriteOptions } from './target.ts'

/**
 * Brings an object that a client sent, or that a patch made, into the form that the server works with:
 * unknown fields dropped and reported as the client wants it, defaults filled in. `duplicates` are the
 * fields that stood twice in the body.
 */
export function takeIn(
  object: ServerObject,
  resource: Resource,
  rules: KindRules,
  options: WriteOptions,
  duplicates: readonly string[] = [],
): ServerObject {
  const problem = unreadable(object, resource)
  if (problem !== undefined) {
    throw new Failure(failure.badRequest(`${handledAs(object, resource)}: ${problem}`))
  }
  const unknown = dropUnknownFields(object, resource)
  if (options.fieldValidation !== 'Ignore') {
    const problems = [
      ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
      ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ]
    if (problems.length > 0 && options.fieldValidation === 'Strict') {
      const list = `strict decoding error: ${problems.join(', ')}`
      throw new Failure(failure.badRequest(`${handledAs(object, resource)}: ${list}`))
    }
    for (const problem of problems) options.warn(problem)
  }
  fillDefaults(object, resource, rules)
  return object
}

function handledAs(object: ServerObject, resource: Resource): string {
  return `${object.kind} in version ${JSON.stringify(resource.version)} cannot be handled as a ${resource.kind}`
}
