import { parseFieldSelector, parseLabelSelector, SelectorError, type ApiRequest } from '@homeostat/api'
import type { Attributes } from '../../auth/index.ts'
import { segmentProblems } from '../../schema/index.ts'
import type { ResourceRoute } from './route.ts'

/** The action that a request asks for, in the terms of roles. */
export function attributesOf(
  request: ApiRequest,
  route: ResourceRoute | undefined,
  verb: string,
): Attributes {
  if (!route) return { verb, path: decoded(request.path) }
  const { group, version, plural, subresource } = route
  const name = route.name ?? (verb === 'list' || verb === 'watch' ? selectedName(request) : undefined)
  const attributes: Attributes = {
    verb,
    path: decoded(request.path),
    resource: { group, version, plural },
    subresource,
    // A namespace counts as being inside itself, so that a user with all rights in it may also read it.
    namespace: route.namespace ?? (plural === 'namespaces' ? route.name : undefined),
    name,
  }
  return SELECTING.has(verb) ? withSelectors(attributes, request) : attributes
}

const SELECTING = new Set(['list', 'watch', 'deletecollection'])

/**
 * Adds the selectors of a request. An invalid one is refused later; until then it is ignored. They are parsed when an
 * authorizer reads them; roles do not.
 */
function withSelectors(attributes: Attributes, { query }: ApiRequest): Attributes {
  return {
    ...attributes,
    get fieldSelector() {
      return parsed(query.get('fieldSelector'), parseFieldSelector)
    },
    get labelSelector() {
      return parsed(query.get('labelSelector'), parseLabelSelector)
    },
  }
}

function parsed<T>(text: string | null, parse: (text: string) => T): T | undefined {
  if (!text) return undefined
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof SelectorError) return undefined
    throw error
  }
}

/** A list or watch that selects one object by its name is about that object alone. */
function selectedName(request: ApiRequest): string | undefined {
  const selector = request.query.get('fieldSelector') ?? ''
  for (const part of selector.split(',')) {
    const name = /^metadata\.name={1,2}(.+)$/.exec(part)?.[1]
    if (name !== undefined) return segmentProblems(name).length === 0 ? name : undefined
  }
  return undefined
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
