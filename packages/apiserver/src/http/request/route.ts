/** A path below `/api` or `/apis` that names a resource. */
export interface ResourceRoute {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
  /** The rest of the path after the subresource, for a proxy. */
  readonly rest?: string | undefined
  /** Whether the path is one of the old form that watches: `/api/v1/watch/…`. */
  readonly watch: boolean
}

/** Subresources of a namespace, which would otherwise read as resources inside it. */
const OF_NAMESPACE = new Set(['status', 'finalize'])

/** The resource that a path names; undefined when it names none. */
export function routeOf(path: string): ResourceRoute | undefined {
  const segments = decode(path)
  if (!segments) return undefined
  let group = ''
  const root = segments.shift()
  if (root === 'apis') group = segments.shift() ?? ''
  else if (root !== 'api') return undefined
  const version = segments.shift()
  if (!version || (root === 'apis' && group === '')) return undefined
  const watch = segments[0] === 'watch' && segments.length > 1
  if (watch) segments.shift()
  const [first, second, third] = segments
  if (!first) return undefined
  if (first === 'namespaces' && second !== undefined && third !== undefined && !OF_NAMESPACE.has(third)) {
    return { group, version, namespace: second, watch, ...tail(segments.slice(2)) }
  }
  return { group, version, watch, ...tail(segments) }
}

function tail(segments: readonly string[]): Pick<ResourceRoute, 'plural' | 'name' | 'subresource' | 'rest'> {
  const [plural = '', name, subresource, ...rest] = segments
  return { plural, name, subresource, ...(rest.length > 0 ? { rest: rest.join('/') } : {}) }
}

/** Whether a path can be decoded at all. */
export function isReadable(path: string): boolean {
  return decoded(path) !== undefined
}

/** The segments of the decoded path, without an empty last one. An encoded slash also separates segments. */
function decode(path: string): string[] | undefined {
  const segments = decoded(path)?.split('/').slice(1)
  if (!segments) return undefined
  if (segments.at(-1) === '') segments.pop()
  const proxied = PROXY.exec(segments.join('/'))
  // Another server decodes the path of a proxy.
  const own = proxied ? proxied[0].split('/').length : segments.length
  return segments.slice(0, own).includes('') ? undefined : segments
}

const PROXY = /^api\/v1\/(?:namespaces\/[^/]+\/(?:pods|services)|nodes)\/[^/]+\/proxy(?=\/|$)/

/** Whether requests to a path are passed on to a Pod, a Service or a node. */
export function isProxyPath(path: string): boolean {
  return PROXY.test((decoded(path) ?? '').slice(1))
}

function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
