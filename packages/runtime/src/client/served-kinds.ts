import {
  apiVersionOf,
  checkOptionNames,
  parseApiVersion,
  type AnyKind,
  type Kind,
  type Scope,
} from '@homeostat/api'
import { isKindNotServed, KnownKinds, type Requester } from '../requests/index.ts'
import { READ_OPTIONS } from './option-names.ts'
import type { KindFinder, RequestOptions, ServedKind } from './interface/client.ts'

/** A resource, or with a slash in its name a subresource, as the list of a version has it. */
interface ApiResource {
  readonly name: string
  readonly singularName?: string
  readonly namespaced: boolean
  readonly kind: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

interface ApiGroup {
  readonly versions: readonly { readonly groupVersion: string }[]
  readonly preferredVersion?: { readonly groupVersion: string }
}

/** All groups in one document, as servers since 1.27 give it. */
interface AggregatedDiscovery {
  readonly kind: string
  readonly items?: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly {
      readonly version: string
      readonly resources?: readonly AggregatedResource[]
    }[]
  }[]
}

interface AggregatedResource {
  readonly resource: string
  readonly responseKind: { readonly kind: string }
  readonly scope: string
  readonly singularResource?: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly { readonly subresource: string; readonly verbs: readonly string[] }[]
}

const AGGREGATED = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
)
const ACCEPT = [...AGGREGATED, 'application/json'].join(',')

/**
 * Asks a server what it serves. Found kinds are cached for all clients of the server, until the server no longer
 * serves them.
 */
export class ServedKinds implements KindFinder {
  readonly #requester: Requester
  readonly #known: KnownKinds

  constructor(requester: Requester) {
    this.#requester = requester
    this.#known = new KnownKinds(requester.memory.kinds)
  }

  async find(apiVersion: string, kind: string, options: RequestOptions = {}): Promise<Kind | undefined> {
    checkOptionNames(options, READ_OPTIONS)
    const known = this.#known.get(apiVersion, kind)
    if (known) return known
    const served = await this.#ofVersion(apiVersion, options)
    const found = served.find((candidate) => candidate.kind.kind === kind)?.kind
    if (found) this.#known.add(found)
    return found
  }

  async list(options: RequestOptions = {}): Promise<readonly ServedKind[]> {
    checkOptionNames(options, READ_OPTIONS)
    const answers = await Promise.all(['/api', '/apis'].map((path) => this.#ofGroups(path, options)))
    return answers.flat()
  }

  async #ofGroups(path: string, options: RequestOptions): Promise<ServedKind[]> {
    const answer = await this.#get<
      AggregatedDiscovery & { versions?: readonly string[]; groups?: readonly ApiGroup[] }
    >(path, options, ACCEPT)
    if (answer.kind === 'APIGroupDiscoveryList') return aggregated(answer)
    const versions = [...(answer.versions ?? []), ...(answer.groups ?? []).flatMap(preferredFirst)]
    const kinds = await Promise.all(versions.map((version) => this.#ofVersion(version, options)))
    return kinds.flat()
  }

  async #ofVersion(apiVersion: string, options: RequestOptions): Promise<ServedKind[]> {
    const base = parseApiVersion(apiVersion).group === '' ? '/api' : '/apis'
    try {
      const { resources = [] } = await this.#get<{ resources?: readonly ApiResource[] }>(
        `${base}/${apiVersion}`,
        options,
      )
      return kindsOf(apiVersion, resources)
    } catch (error) {
      // The last kind of this version was removed a moment ago.
      if (isKindNotServed(error)) return []
      throw error
    }
  }

  #get<T>(path: string, options: RequestOptions, accept?: string): Promise<T> {
    return this.#requester.json<T>({
      accept,
      verb: 'discovery',
      kind: DISCOVERY,
      method: 'GET',
      path,
      signal: options.signal,
    })
  }
}

/** Names the requests for discovery in messages. */
const DISCOVERY: AnyKind = {
  group: '',
  version: '',
  kind: 'APIResourceList',
  plural: 'API groups and versions',
  singular: '',
  listKind: '',
  scope: 'Cluster',
  shortNames: [],
  categories: [],
  columns: [],
  subresources: { status: false },
}

function preferredFirst({ versions, preferredVersion }: ApiGroup): string[] {
  const names = versions.map(({ groupVersion }) => groupVersion)
  const preferred = preferredVersion?.groupVersion
  return preferred === undefined ? names : [preferred, ...names.filter((name) => name !== preferred)]
}

function aggregated({ items = [] }: AggregatedDiscovery): ServedKind[] {
  return items.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      kindsOf(apiVersionOf({ group: metadata.name ?? '', version }), resources.flatMap(flat)),
    ),
  )
}

/** A resource and its subresources, as the list of one version has them. */
function flat(resource: AggregatedResource): ApiResource[] {
  const whole: ApiResource = {
    ...resource,
    name: resource.resource,
    singularName: resource.singularResource ?? '',
    namespaced: resource.scope === 'Namespaced',
    kind: resource.responseKind.kind,
  }
  const parts = resource.subresources ?? []
  return [whole, ...parts.map(({ subresource }) => ({ ...whole, name: `${whole.name}/${subresource}` }))]
}

function kindsOf(apiVersion: string, resources: readonly ApiResource[]): ServedKind[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => ({ kind: kindOf(apiVersion, resource, resources), verbs: resource.verbs }))
}

function kindOf(apiVersion: string, resource: ApiResource, all: readonly ApiResource[]): Kind {
  const has = (part: string): boolean => all.some(({ name }) => name === `${resource.name}/${part}`)
  const scope: Scope = resource.namespaced ? 'Namespaced' : 'Cluster'
  return {
    ...parseApiVersion(apiVersion),
    kind: resource.kind,
    plural: resource.name,
    singular: resource.singularName || resource.kind.toLowerCase(),
    listKind: `${resource.kind}List`,
    scope,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    columns: [],
    subresources: {
      status: has('status'),
      // Discovery does not name the path of the replicas. It is nearly always this one.
      scale: has('scale')
        ? { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
        : undefined,
    },
  }
}
