import type { AnyKind, ApiRequest } from '@homeostat/api'

/** The resource of a request to the API. */
export interface RequestTarget {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string | undefined
  /** Absent where the request is about a collection, or creates an object. */
  readonly name?: string | undefined
  /** A part of the object, such as `status`. */
  readonly subresource?: string | undefined
}

export type WriteVerb = 'create' | 'update' | 'patch' | 'delete'

const VERBS: ReadonlyMap<string, WriteVerb> = new Map(
  Object.entries<WriteVerb>({
    POST: 'create',
    PUT: 'update',
    PATCH: 'patch',
    DELETE: 'delete',
  }),
)

/** Subresources of a Namespace. In a path they take the place of the resources in the namespace. */
const NAMESPACE_PARTS = new Set(['status', 'finalize'])

/** The resource of the request; `undefined` for other paths. */
export function targetOf({ path }: Pick<ApiRequest, 'path'>): RequestTarget | undefined {
  const [root, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent)
  if (root !== 'api' && root !== 'apis') return undefined
  const group = root === 'api' ? '' : rest.shift()
  const version = rest.shift()
  if (group === undefined || version === undefined) return undefined
  const inside = rest[0] === 'namespaces' && rest.length > 2 && !NAMESPACE_PARTS.has(rest[2]!)
  const namespace = inside ? rest[1] : undefined
  const [plural, name, ...below] = inside ? rest.slice(2) : rest
  const subresource = below.length > 0 ? below.join('/') : undefined
  return plural === undefined ? undefined : { group, version, plural, namespace, name, subresource }
}

/** How the request writes; `undefined` where it reads. */
export function writeVerbOf({ method }: Pick<ApiRequest, 'method'>): WriteVerb | undefined {
  return VERBS.get(method)
}

export function isOfKind(target: RequestTarget, kind: AnyKind): boolean {
  return target.group === kind.group && target.version === kind.version && target.plural === kind.plural
}
