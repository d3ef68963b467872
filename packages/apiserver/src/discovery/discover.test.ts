import type { ApiRequest } from '@homeostat/api'
import { beforeEach, describe, expect, test } from 'vitest'
import { LiveCatalogue } from '../registry/resource/catalogue.ts'
import { nativeKinds } from '../native/index.ts'
import { nativeCatalogue } from '../registry/resource/native-catalogue.ts'
import type { Resource } from '../registry/resource/resource.ts'
import { Discovery } from './discover.ts'

const widget: Resource = {
  group: 'example.com',
  version: 'v1beta1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  scope: 'Namespaced',
  shortNames: ['wd'],
  categories: [],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  storageVersion: 'v1',
  subresources: {
    status: true,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  custom: true,
  strategy: () => ({}),
  schema: {
    root: {
      type: 'object',
      description: 'What a shop has many of',
      properties: {
        spec: {
          type: 'object',
          properties: {
            port: { 'x-kubernetes-int-or-string': true },
            inner: { type: 'object', 'x-kubernetes-embedded-resource': true },
          },
        },
      },
    },
    definitions: {},
  },
  columns: [],
}

let catalogue: LiveCatalogue
let discovery: Discovery
beforeEach(() => {
  catalogue = new LiveCatalogue(nativeCatalogue(nativeKinds))
  discovery = new Discovery(catalogue)
})

async function ask(path: string, headers: Record<string, string> = {}, method: ApiRequest['method'] = 'GET') {
  const url = new URL(path, 'http://server')
  const answer = await discovery.answer({ method, path: url.pathname, query: url.searchParams, headers })
  if (!answer) return undefined
  const text = new TextDecoder().decode(answer.body as Uint8Array)
  const body = text.startsWith('{') ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body }
}

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'
const groupNames = (body: any): string[] => body.items.map((group: any) => group.metadata.name)

describe('aggregated discovery', () => {
  test('lists the core group at /api and the others at /apis, with verbs and subresources', async () => {
    const core = (await ask('/api', { accept: AGGREGATED }))!
    expect(core.headers['content-type']).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    )
    expect(core.body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
    expect(core.body.items).toHaveLength(1)
    const { resources } = core.body.items[0].versions[0]
    expect(resources.find(({ resource }: any) => resource === 'secrets')).toEqual({
      resource: 'secrets',
      responseKind: { group: '', version: '', kind: 'Secret' },
      scope: 'Namespaced',
      singularResource: 'secret',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    })
    const others = (await ask('/apis', { accept: AGGREGATED }))!.body
    expect(groupNames(others).slice(0, 2)).toEqual(['apiregistration.k8s.io', 'apps'])
    expect(others.items[1].versions[0].resources[2].subresources).toEqual([
      {
        subresource: 'scale',
        responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        verbs: ['get', 'patch', 'update'],
      },
      {
        subresource: 'status',
        responseKind: { group: '', version: '', kind: 'Deployment' },
        verbs: ['get', 'patch', 'update'],
      },
    ])
  })

  test('answers 304 to a client that has the document, and in full once a kind is added', async () => {
    const { etag } = (await ask('/apis', { accept: AGGREGATED }))!.headers
    const again = { accept: AGGREGATED, 'if-none-match': etag! }
    expect(await ask('/apis', again)).toMatchObject({ status: 304, body: '' })
    catalogue.define('widgets.example.com', [widget])
    const updated = (await ask('/apis', again))!
    expect(updated.status).toBe(200)
    expect(groupNames(updated.body).at(-1)).toBe('example.com')
  })

  test.for(['v2beta1', 'v3'])('is refused with 406 in %s, which is not served', async (version) => {
    const accept = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
    expect(await ask('/apis', { accept })).toMatchObject({ status: 406, body: { reason: 'NotAcceptable' } })
  })
})

describe('discovery', () => {
  test('lists versions at /api and groups at /apis for older clients', async () => {
    expect((await ask('/api', { host: '127.0.0.1:6443' }))!.body).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    })
    const version = { groupVersion: 'apps/v1', version: 'v1' }
    const apps = { name: 'apps', versions: [version], preferredVersion: version }
    const groups = (await ask('/apis/'))!.body
    expect(groups).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' })
    expect(groups.groups[1]).toEqual(apps)
    expect((await ask('/apis/apps'))!.body).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...apps })
  })

  test('prefers the newest of several versions', async () => {
    const { body } = (await ask('/apis/autoscaling'))!
    expect(body.versions.map(({ version }: any) => version)).toEqual(['v2', 'v1'])
    expect(body.preferredVersion.version).toBe('v2')
  })

  test('lists the resources of a version by name, each before its subresources', async () => {
    const list = (await ask('/apis/apps/v1'))!.body
    expect(list).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1' })
    expect(list.resources.slice(3, 6)).toMatchObject([
      {
        name: 'deployments',
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        storageVersionHash: '8aSe+NMegvE=',
      },
      { name: 'deployments/scale', singularName: '', group: 'autoscaling', version: 'v1', kind: 'Scale' },
      { name: 'deployments/status', singularName: '', kind: 'Deployment' },
    ])
  })

  test('says of a custom kind in which version it is stored', async () => {
    catalogue.define('widgets.example.com', [widget, { ...widget, version: 'v1' }])
    const hashes = await Promise.all(
      ['v1', 'v1beta1'].map(async (version) => {
        const { body } = (await ask(`/apis/example.com/${version}`))!
        return body.resources[0].storageVersionHash
      }),
    )
    // The first eight bytes of the SHA-256 of `example.com/v1/Widget`.
    expect(hashes).toEqual(['gIwvi5rymmg=', 'gIwvi5rymmg='])
  })

  test.for(['/apis/apps/v9', '/api/v2'])('answers 404 with a Status at %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: { kind: 'Status', reason: 'NotFound' } })
  })

  test.for(['/apis/none', '/apis/none/v1', '/openapi'])('answers 404 with text at %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: '404 page not found\n' })
  })

  test.for(['/healthz', '/api/v1/pods', '/apis/apps/v1/deployments', '/versions'])(
    'does not answer %s',
    async (path) => {
      expect(await ask(path)).toBeUndefined()
    },
  )

  test('is read only', async () => {
    expect(await ask('/apis', {}, 'POST')).toMatchObject({
      status: 405,
      body: { reason: 'MethodNotAllowed' },
    })
  })

  test('reports the version of Kubernetes that it follows', async () => {
    expect((await ask('/version'))!.body).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.3+homeostat',
    })
  })
})

describe('OpenAPI v3', () => {
  const addresses = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      Object.entries((await ask('/openapi/v3'))!.body.paths).map(([path, entry]) => [
        path,
        (entry as any).serverRelativeURL,
      ]),
    )
  const path = '/openapi/v3/apis/example.com/v1beta1'

  test('lists a document for each version, with an address that changes only with its content', async () => {
    const before = await addresses()
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['api', 'api/v1', 'apis/apps/v1', 'version']))
    catalogue.define('widgets.example.com', [widget])
    const after = await addresses()
    expect(Object.keys(after)).toEqual([...Object.keys(before), 'apis/example.com/v1beta1'].sort())
    expect(after['apis/apps/v1']).toBe(before['apis/apps/v1'])
    const changed = { ...widget, schema: { root: { type: 'object' as const }, definitions: {} } }
    catalogue.define('widgets.example.com', [changed])
    expect((await addresses())['apis/example.com/v1beta1']).not.toBe(after['apis/example.com/v1beta1'])
    expect((await ask(path))!.body.components.schemas['com.example.v1beta1.Widget']).not.toHaveProperty(
      'spec',
    )
  })

  test('may be cached for ever under the right hash, and redirects from an old one', async () => {
    const address = (await addresses())['apis/apps/v1']!
    const answer = (await ask(address))!
    expect(answer.headers['cache-control']).toContain('immutable')
    expect((await ask(address, { 'if-none-match': answer.headers.etag! }))!.status).toBe(304)
    expect(await ask('/openapi/v3/apis/apps/v1?hash=OLD')).toMatchObject({
      status: 301,
      headers: { location: address },
    })
    expect((await ask('/openapi/v3/apis/apps/v1'))!.headers['cache-control']).toContain('no-cache')
  })

  test('has a PATCH for every kind that takes fieldValidation and dryRun, also on the status', async () => {
    catalogue.define('widgets.example.com', [widget])
    for (const [document, prefix, kind] of [
      ['apis/apps/v1', '/apis/apps/v1/namespaces/{namespace}/deployments', 'Deployment'],
      ['apis/example.com/v1beta1', '/apis/example.com/v1beta1/namespaces/{namespace}/widgets', 'Widget'],
    ]) {
      const { paths } = (await ask(`/openapi/v3/${document}`))!.body
      for (const { patch } of [paths[`${prefix}/{name}`], paths[`${prefix}/{name}/status`]]) {
        expect(patch['x-kubernetes-group-version-kind'].kind).toBe(kind)
        expect(patch.parameters.map(({ name }: any) => name)).toEqual(
          expect.arrayContaining(['dryRun', 'fieldValidation', 'fieldManager', 'force']),
        )
      }
      expect(paths[`${prefix}/{name}/scale`]).toHaveProperty('patch')
    }
  })

  test('describes native types', async () => {
    const { schemas } = (await ask('/openapi/v3/apis/apps/v1'))!.body.components
    expect(schemas['io.k8s.api.apps.v1.Deployment'].description).toMatch(/^Deployment enables/)
    expect(schemas['io.k8s.api.core.v1.PodSpec'].properties.restartPolicy.enum).toEqual([
      'Always',
      'Never',
      'OnFailure',
    ])
  })

  test('adds the fields of all objects to a custom kind, and expands its extensions', async () => {
    catalogue.define('widgets.example.com', [widget])
    const { schemas } = (await ask(path))!.body.components
    expect(schemas['com.example.v1beta1.Widget']).toMatchObject({
      description: 'What a shop has many of',
      properties: {
        apiVersion: { type: 'string', description: expect.stringContaining('versioned schema') },
        kind: { type: 'string' },
        metadata: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
        },
        spec: {
          properties: {
            port: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
            inner: { required: ['kind', 'apiVersion'], properties: { kind: { type: 'string' } } },
          },
        },
      },
    })
    const names = [...JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, n]) => n,
    )
    for (const name of names) expect(schemas).toHaveProperty([name!])
  })

  test('is refused to a client that does not accept JSON', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'
    expect((await ask('/openapi/v3/api/v1', { accept }))!.status).toBe(406)
  })
})
