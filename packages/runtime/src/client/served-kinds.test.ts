import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { failure, json, plain, ScriptedApi } from '../../test/scripted-api.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { Client } from './interface/client.ts'
import { createClient } from './create-client.ts'

function clientOf(api: ScriptedApi): Client {
  const clock = new SimulatedClock()
  return createClient({ transport: directTransport(api.handler, { clock }), clock })
}

const widgets = {
  name: 'widgets',
  singularName: 'widget',
  namespaced: true,
  kind: 'Widget',
  verbs: ['get', 'list'],
  shortNames: ['wd'],
}
const version = (...resources: object[]) => json({ kind: 'APIResourceList', resources })
const unknownVersion = plain('404 page not found\n', 404)

describe('a kind by its name', () => {
  it('has its path, scope and subresources from the server, and is asked for once', async () => {
    const api = new ScriptedApi().next(
      version(
        widgets,
        { ...widgets, name: 'widgets/status' },
        { ...widgets, name: 'gadgets', kind: 'Gadget' },
      ),
    )
    const client = clientOf(api)
    const kind = await client.kinds.find('example.com/v1', 'Widget')
    expect(kind).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      listKind: 'WidgetList',
      scope: 'Namespaced',
      shortNames: ['wd'],
      categories: [],
      columns: [],
      subresources: { status: true, scale: undefined },
    })
    expect(await client.kinds.find('example.com/v1', 'Widget')).toBe(kind)
    expect(api.described()).toEqual(['GET /apis/example.com/v1'])
  })

  it('of the core group stands below another path', async () => {
    const nodes = { name: 'nodes', namespaced: false, kind: 'Node', verbs: ['get'] }
    const api = new ScriptedApi().next(version(nodes))
    const kind = await clientOf(api).kinds.find('v1', 'Node')
    expect(kind).toMatchObject({ group: '', plural: 'nodes', singular: 'node', scope: 'Cluster' })
    expect(api.last()).toBe('GET /api/v1')
  })

  it('that is not served is looked for each time, and found once its definition is there', async () => {
    const api = new ScriptedApi().next(unknownVersion).next(version()).next(version(widgets))
    const { kinds } = clientOf(api)
    expect(await kinds.find('example.com/v1', 'Widget')).toBeUndefined()
    expect(await kinds.find('example.com/v1', 'Widget')).toBeUndefined()
    expect(await kinds.find('example.com/v1', 'Widget')).toMatchObject({ plural: 'widgets' })
  })

  it('is rediscovered after a failed request, also in another form', async () => {
    const api = new ScriptedApi()
      .next(version(widgets))
      .next(unknownVersion)
      .next(version({ ...widgets, namespaced: false }))
    const client = clientOf(api)
    const before = (await client.kinds.find('example.com/v1', 'Widget'))!
    await expect(client.get(before, { namespace: 'default', name: 'a' })).rejects.toMatchObject({
      code: 'API_KIND_NOT_SERVED',
    })
    expect(await client.kinds.find('example.com/v1', 'Widget')).toMatchObject({ scope: 'Cluster' })
  })

  it('is an error where the server refuses discovery', async () => {
    const api = new ScriptedApi().next(failure(403, 'Forbidden', {}))
    await expect(clientOf(api).kinds.find('v1', 'Node')).rejects.toMatchObject({ code: 'API_FORBIDDEN' })
  })
})

describe('all kinds', () => {
  it('come from one document for each of the two roots', async () => {
    const deployments = {
      resource: 'deployments',
      responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      verbs: ['list', 'watch'],
      subresources: [
        { subresource: 'status', verbs: ['get'] },
        { subresource: 'scale', verbs: ['get'] },
      ],
    }
    const api = new ScriptedApi().next(json({ kind: 'APIGroupDiscoveryList', items: [] })).next(
      json({
        kind: 'APIGroupDiscoveryList',
        items: [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [deployments] }] }],
      }),
    )
    const [served, ...others] = await clientOf(api).kinds.list()
    expect(others).toEqual([])
    expect(served!.verbs).toEqual(['list', 'watch'])
    expect(served!.kind).toMatchObject({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      scope: 'Namespaced',
      subresources: { status: true, scale: { specReplicasPath: '.spec.replicas' } },
    })
    expect(api.described()).toEqual(['GET /api', 'GET /apis'])
  })

  it('come from each version where the server knows no such document, the preferred one first', async () => {
    const api = new ScriptedApi().otherwise(({ path }) => {
      if (path === '/api') return json({ kind: 'APIVersions', versions: ['v1'] })
      if (path !== '/apis') return version({ ...widgets, kind: path })
      const versions = [{ groupVersion: 'example.com/v2alpha1' }, { groupVersion: 'example.com/v1' }]
      const groups = [{ name: 'example.com', versions, preferredVersion: versions[1] }]
      return json({ kind: 'APIGroupList', groups })
    })
    const kinds = await clientOf(api).kinds.list()
    expect(kinds.map(({ kind }) => kind.kind)).toEqual([
      '/api/v1',
      '/apis/example.com/v1',
      '/apis/example.com/v2alpha1',
    ])
  })
})
