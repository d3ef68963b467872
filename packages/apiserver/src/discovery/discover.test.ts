import type { ApiRequest } from '@homeostat/api'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Catalogue, Resource } from '../registry/resource.ts'
import { discover } from './discover.ts'

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const definitions = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
    type: 'object',
    properties: { name: { type: 'string' } },
  },
  'io.k8s.api.apps.v1.Deployment': {
    type: 'object',
    properties: {
      metadata: ref('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
      spec: {
        ...ref('io.k8s.api.apps.v1.DeploymentSpec'),
        default: {},
        'x-kubernetes-patch-strategy': 'retainKeys',
      },
    },
  },
  'io.k8s.api.apps.v1.DeploymentSpec': {
    type: 'object',
    properties: { again: ref('io.k8s.api.apps.v1.DeploymentSpec') },
  },
} as const

function resource(part: Partial<Resource> & Pick<Resource, 'group' | 'kind' | 'plural'>): Resource {
  return {
    version: 'v1',
    singular: part.kind.toLowerCase(),
    listKind: `${part.kind}List`,
    scope: 'Namespaced',
    shortNames: [],
    categories: [],
    verbs,
    subresources: { status: false },
    custom: false,
    schema: { root: { type: 'object' }, definitions },
    columns: [],
    ...part,
  }
}

const native = [
  resource({ group: '', kind: 'Pod', plural: 'pods', shortNames: ['po'], categories: ['all'] }),
  resource({ group: '', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' }),
  resource({
    group: 'apps',
    kind: 'Deployment',
    plural: 'deployments',
    subresources: {
      status: true,
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    schema: { root: ref('io.k8s.api.apps.v1.Deployment'), definitions },
  }),
]
const widget = resource({
  group: 'example.com',
  version: 'v1beta1',
  kind: 'Widget',
  plural: 'widgets',
  custom: true,
  schema: {
    root: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { port: { 'x-kubernetes-int-or-string': true } } } },
    },
    definitions: {},
  },
})

class ChangingCatalogue implements Catalogue {
  revision = 1
  #resources: readonly Resource[] = native
  all(): readonly Resource[] {
    return this.#resources
  }
  find(): undefined {}
  change(...resources: Resource[]): void {
    this.#resources = resources
    this.revision++
  }
}

let catalogue: ChangingCatalogue
beforeEach(() => {
  catalogue = new ChangingCatalogue()
})

function ask(path: string, headers: Record<string, string> = {}, method: ApiRequest['method'] = 'GET') {
  const url = new URL(path, 'http://server')
  const answer = discover({ method, path: url.pathname, query: url.searchParams, headers }, catalogue)
  if (!answer) return undefined
  const text = new TextDecoder().decode(answer.body as Uint8Array)
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : undefined }
}

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'

describe('aggregated discovery', () => {
  test('lists the core group at /api and the others at /apis, with all that a client must know', () => {
    const core = ask('/api', { accept: AGGREGATED })!
    expect(core.headers['content-type']).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    )
    expect(core.body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
    expect(core.body.items).toHaveLength(1)
    expect(core.body.items[0].versions[0].resources[1]).toEqual({
      resource: 'pods',
      responseKind: { group: '', version: 'v1', kind: 'Pod' },
      scope: 'Namespaced',
      singularResource: 'pod',
      verbs: verbs.toSorted(),
      shortNames: ['po'],
      categories: ['all'],
    })
    const others = ask('/apis', { accept: AGGREGATED })!.body
    expect(others.items.map((group: any) => group.metadata.name)).toEqual(['apps'])
    expect(others.items[0].versions[0].resources[0].subresources).toEqual([
      {
        subresource: 'scale',
        responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        verbs: ['get', 'patch', 'update'],
      },
      {
        subresource: 'status',
        responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
        verbs: ['get', 'patch', 'update'],
      },
    ])
  })

  test('comes in the older version where only that is asked for', () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList'
    expect(ask('/apis', { accept })!.body.apiVersion).toBe('apidiscovery.k8s.io/v2beta1')
  })

  test('answers 304 to a client that has it, and anew as soon as a kind comes', () => {
    const { etag } = ask('/apis', { accept: AGGREGATED })!.headers
    const again = { accept: AGGREGATED, 'if-none-match': etag! }
    expect(ask('/apis', again)).toMatchObject({ status: 304, body: undefined })
    catalogue.change(...native, widget)
    const anew = ask('/apis', again)!
    expect(anew.status).toBe(200)
    expect(anew.body.items.map((group: any) => group.metadata.name)).toEqual(['apps', 'example.com'])
  })

  test('is refused with 406 in a version that there is not', () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList'
    expect(ask('/apis', { accept })).toMatchObject({ status: 406, body: { reason: 'NotAcceptable' } })
  })
})

describe('discovery', () => {
  test('lists versions at /api and groups at /apis for clients that know nothing else', () => {
    expect(ask('/api', { host: '127.0.0.1:6443' })!.body).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    })
    const version = { groupVersion: 'apps/v1', version: 'v1' }
    const apps = { name: 'apps', versions: [version], preferredVersion: version }
    expect(ask('/apis/')!.body).toEqual({ kind: 'APIGroupList', apiVersion: 'v1', groups: [apps] })
    expect(ask('/apis/apps')!.body).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...apps })
  })

  test('lists the resources of a version by name, each before its subresources', () => {
    const list = ask('/apis/apps/v1')!.body
    expect(list).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1' })
    expect(list.resources).toMatchObject([
      { name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment' },
      { name: 'deployments/scale', singularName: '', group: 'autoscaling', version: 'v1', kind: 'Scale' },
      { name: 'deployments/status', singularName: '', kind: 'Deployment' },
    ])
    expect(ask('/api/v1')!.body.resources.map(({ name }: any) => name)).toEqual(['namespaces', 'pods'])
  })

  test.for(['/apis/none', '/apis/apps/v9', '/api/v2', '/openapi/v3/apis/none/v1', '/openapi/v2', '/openapi'])(
    'answers 404 with a Status at %s',
    (path) => {
      expect(ask(path)).toMatchObject({ status: 404, body: { kind: 'Status', reason: 'NotFound' } })
    },
  )

  test.for(['/', '/healthz', '/api/v1/pods', '/apis/apps/v1/deployments', '/versions'])(
    'leaves %s to others',
    (path) => {
      expect(ask(path)).toBeUndefined()
    },
  )

  test('is read only', () => {
    expect(ask('/apis', {}, 'POST')).toMatchObject({ status: 405, body: { reason: 'MethodNotAllowed' } })
  })

  test('tells the version of Kubernetes that it follows', () => {
    expect(ask('/version')!.body).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.3+homeostat',
    })
  })
})

describe('OpenAPI v3', () => {
  const addresses = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(ask('/openapi/v3')!.body.paths).map(([path, entry]) => [
        path,
        (entry as any).serverRelativeURL,
      ]),
    )

  test('lists a document for each version, by an address that changes only with its content', () => {
    const before = addresses()
    expect(Object.keys(before)).toEqual(['api/v1', 'apis/apps/v1'])
    catalogue.change(...native, widget)
    const after = addresses()
    expect(Object.keys(after)).toEqual(['api/v1', 'apis/apps/v1', 'apis/example.com/v1beta1'])
    expect(after['apis/apps/v1']).toBe(before['apis/apps/v1'])
    const changed = { ...widget, schema: { root: { type: 'object' as const }, definitions: {} } }
    catalogue.change(...native, changed)
    expect(addresses()['apis/example.com/v1beta1']).not.toBe(after['apis/example.com/v1beta1'])
  })

  test('may be kept for ever under the right hash, and redirects from an old one', () => {
    const address = addresses()['apis/apps/v1']!
    const answer = ask(address)!
    expect(answer.headers['cache-control']).toContain('immutable')
    expect(ask(address, { 'if-none-match': answer.headers.etag! })!.status).toBe(304)
    expect(ask('/openapi/v3/apis/apps/v1?hash=OLD')).toMatchObject({
      status: 301,
      headers: { location: address },
    })
    expect(ask('/openapi/v3/apis/apps/v1')!.headers['cache-control']).toContain('no-cache')
  })

  test('has a PATCH for every kind that takes fieldValidation and dryRun, also on the status', () => {
    const { paths } = ask('/openapi/v3/apis/apps/v1')!.body
    const path = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}'
    for (const { patch } of [paths[path], paths[`${path}/status`]]) {
      expect(patch['x-kubernetes-group-version-kind']).toEqual({
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
      })
      expect(patch.parameters.map(({ name }: any) => name)).toEqual(
        expect.arrayContaining(['dryRun', 'fieldValidation', 'fieldManager', 'force']),
      )
    }
    expect(paths[`${path}/scale`].patch['x-kubernetes-group-version-kind'].kind).toBe('Scale')
    expect(paths['/apis/apps/v1/deployments']).toHaveProperty('get')
  })

  test('gives every operation an id of its own', () => {
    const ids = ['/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1'].flatMap((path) =>
      Object.values<any>(ask(path)!.body.paths).flatMap((operations) =>
        Object.values<any>(operations).flatMap(({ operationId }) => operationId ?? []),
      ),
    )
    expect(ids).toContain('patchAppsV1NamespacedDeployment')
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('holds the schemas that a kind needs and no more, with what a patch must know beside the reference', () => {
    const { schemas } = ask('/openapi/v3/apis/apps/v1')!.body.components
    expect(Object.keys(schemas).sort()).toEqual([
      'io.k8s.api.apps.v1.Deployment',
      'io.k8s.api.apps.v1.DeploymentList',
      'io.k8s.api.apps.v1.DeploymentSpec',
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    ])
    expect(schemas['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
      properties: {
        spec: {
          'x-kubernetes-patch-strategy': 'retainKeys',
          allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }],
        },
      },
    })
  })

  test('adds to a custom kind what all objects have', () => {
    catalogue.change(...native, widget)
    const { schemas } = ask('/openapi/v3/apis/example.com/v1beta1')!.body.components
    expect(schemas['com.example.v1beta1.Widget']).toMatchObject({
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        spec: { properties: { port: { anyOf: [{ type: 'integer' }, { type: 'string' }] } } },
      },
    })
  })

  test('is refused to a client that takes no JSON', () => {
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'
    expect(ask('/openapi/v3/api/v1', { accept })!.status).toBe(406)
  })
})
