import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { segmentProblems } from '../../schema/index.ts'
import type { Call } from './call.ts'

/**
 * Refuses a path whose name or namespace cannot be part of a key, such as `..`, with a Kubernetes API server's
 * message.
 */
export function checkPathNames({ route, resource }: Call): void {
  const { namespace, name, subresource } = route
  // An unknown subresource is reported first.
  if (name !== undefined && (subresource === undefined || subresource === 'status')) checkNameInPath(name)
  if (namespace !== '.' && namespace !== '..') return
  const place = resource.custom ? `/${resource.group}/${resource.plural}` : `/${resource.plural}`
  const key = `${place}/${namespace}${name === undefined ? '' : `/${name}`}`
  throw new Failure(failure.withoutReason(`invalid key: ${JSON.stringify(key)}`))
}

/** Refuses a name that cannot be part of a path. */
export function checkNameInPath(name: string): void {
  const problems = segmentProblems(name)
  if (problems.length === 0) return
  const message = `Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(';')}`
  throw new Failure(failure.badRequest(message))
}
