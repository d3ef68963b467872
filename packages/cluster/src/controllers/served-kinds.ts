import {
  parseApiVersion,
  type AnyKind,
  type ApiHandler,
  type ApiResponse,
  type OwnerReference,
  type Scope,
} from '@homeostat/api'

interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: { readonly kind: string }
  readonly scope: string
  readonly singularResource?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs: readonly string[]
}

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly {
    readonly version: string
    readonly resources?: readonly DiscoveredResource[]
  }[]
}

/** A kind that a server serves, and what it can do with it. */
export interface ServedKind {
  readonly kind: AnyKind
  readonly verbs: readonly string[]
}

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Asks a server what it serves: native and custom kinds, in all versions, the preferred version of each first. */
export async function discoverKinds(handler: ApiHandler, signal?: AbortSignal): Promise<ServedKind[]> {
  const kinds: ServedKind[] = []
  for (const path of ['/api', '/apis']) {
    const answer = await handler({
      method: 'GET',
      path,
      query: new URLSearchParams(),
      headers: { accept: ACCEPT },
      signal,
    })
    const { items = [] } = (await readJson(answer)) as { items?: readonly DiscoveredGroup[] }
    for (const { metadata, versions } of items) {
      for (const { version, resources = [] } of versions) {
        for (const resource of resources) kinds.push(servedKind(metadata.name ?? '', version, resource))
      }
    }
  }
  return kinds
}

/** One of each kind that can be listed, watched and deleted: in its preferred version. */
export function collectable(kinds: readonly ServedKind[]): AnyKind[] {
  const preferred = new Map<string, AnyKind>()
  for (const { kind, verbs } of kinds) {
    const name = `${kind.group}/${kind.plural}`
    if (!preferred.has(name) && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb))) {
      preferred.set(name, kind)
    }
  }
  return [...preferred.values()]
}

/** The kind that an owner reference names; in another version if that one is not served. */
export function kindOfOwner(
  kinds: readonly ServedKind[],
  owner: Pick<OwnerReference, 'apiVersion' | 'kind'>,
): AnyKind | undefined {
  const { group, version } = parseApiVersion(owner.apiVersion)
  const named = kinds.filter(({ kind }) => kind.group === group && kind.kind === owner.kind)
  return (named.find(({ kind }) => kind.version === version) ?? named[0])?.kind
}

function servedKind(group: string, version: string, resource: DiscoveredResource): ServedKind {
  const kind: AnyKind = {
    group,
    version,
    kind: resource.responseKind.kind,
    plural: resource.resource,
    singular: resource.singularResource ?? resource.responseKind.kind.toLowerCase(),
    listKind: `${resource.responseKind.kind}List`,
    scope: resource.scope as Scope,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    columns: [],
    subresources: { status: false },
  }
  return { kind, verbs: resource.verbs }
}

async function readJson({ body }: ApiResponse): Promise<unknown> {
  const decoder = new TextDecoder()
  if (body instanceof Uint8Array) return JSON.parse(decoder.decode(body))
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return JSON.parse(text + decoder.decode())
}
