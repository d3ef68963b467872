import { ConfigMap } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Resources by the path of their version, with what both servers must say of them. */
const RESOURCES: readonly [version: string, plural: string][] = [
  ['/api/v1', 'configmaps'],
  ['/api/v1', 'namespaces'],
  ['/api/v1', 'pods'],
  ['/api/v1', 'secrets'],
  ['/api/v1', 'serviceaccounts'],
  ['/api/v1', 'services'],
  ['/apis/apps/v1', 'deployments'],
  ['/apis/apps/v1', 'replicasets'],
  ['/apis/batch/v1', 'jobs'],
  ['/apis/apiextensions.k8s.io/v1', 'customresourcedefinitions'],
  ['/apis/coordination.k8s.io/v1', 'leases'],
  ['/apis/rbac.authorization.k8s.io/v1', 'clusterroles'],
]

describe('discovery', () => {
  test('names resources as Kubernetes does', async () => {
    const found = []
    for (const [version, plural] of RESOURCES) {
      const { body } = await server.call('GET', version)
      const { storageVersionHash: _, ...entry } = body.resources.find(({ name }: any) => name === plural)
      found.push({ version, ...entry, verbs: entry.verbs.toSorted() })
    }
    const file = new URL('generated/discovery.json', import.meta.url)
    await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot(file.pathname)
  })

  test('says the same in one document as in many', async () => {
    const documents = await Promise.all(
      ['/api', '/apis'].map((path) => server.call('GET', path, { accept: AGGREGATED })),
    )
    const aggregated = documents.flatMap(({ body }) =>
      body.items.flatMap(({ metadata, versions }: any) =>
        versions.flatMap(({ version, resources }: any) =>
          resources.map((resource: any) => [
            metadata.name ? `/apis/${metadata.name}/${version}` : `/api/${version}`,
            resource,
          ]),
        ),
      ),
    )
    for (const [version, plural] of RESOURCES) {
      const { body } = await server.call('GET', version)
      const legacy = body.resources.find(({ name }: any) => name === plural)
      const [, resource] = aggregated.find(([path, { resource }]) => path === version && resource === plural)!
      expect({
        singular: resource.singularResource,
        kind: resource.responseKind.kind,
        namespaced: resource.scope === 'Namespaced',
        verbs: resource.verbs.toSorted(),
        shortNames: resource.shortNames,
        categories: resource.categories,
      }).toEqual({
        singular: legacy.singularName,
        kind: legacy.kind,
        namespaced: legacy.namespaced,
        verbs: legacy.verbs.toSorted(),
        shortNames: legacy.shortNames,
        categories: legacy.categories,
      })
    }
  })

  test('is not sent again to a client that has it', async () => {
    const headers = { accept: AGGREGATED }
    const ask = (more: Record<string, string> = {}) =>
      server.transport.send({
        method: 'GET',
        path: '/apis',
        query: new URLSearchParams(),
        headers: { ...headers, ...more },
      })
    const { headers: first } = await ask()
    expect((await ask({ 'if-none-match': first.etag! })).status).toBe(304)
  })
})

describe('a table', () => {
  const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const path = () => `/api/v1/namespaces/${server.namespace}/configmaps`

  test('is answered to who asks for it, with no objects where none are wanted', async () => {
    await server.client.create(ConfigMap, {
      metadata: { name: 'table-one', namespace: server.namespace },
      data: { a: '1' },
    })
    const { body } = await server.call('GET', `${path()}?includeObject=None&labelSelector=!none`, {
      accept: `${TABLE},application/json`,
    })
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
    expect(body.columnDefinitions.map(({ name }: any) => name)).toEqual(['Name', 'Data', 'Age'])
    const row = body.rows.find(({ cells }: any) => cells[0] === 'table-one')
    expect(row.cells[1]).toBe(1)
    expect(row.object).toBeFalsy()
  })

  test('tells its columns in the first event of a watch alone', async () => {
    for (const name of ['table-a', 'table-b']) {
      await server.client.create(ConfigMap, {
        metadata: { name, namespace: server.namespace, labels: { watched: 'yes' } },
      })
    }
    const abort = new AbortController()
    const { body } = await server.transport.send({
      method: 'GET',
      path: path(),
      query: new URLSearchParams({ watch: 'true', labelSelector: 'watched=yes', resourceVersion: '0' }),
      headers: { accept: TABLE },
      signal: abort.signal,
    })
    let text = ''
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      if (text.trimEnd().split('\n').length >= 2 && text.endsWith('\n')) break
    }
    abort.abort()
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ type, object }) => [type, object.kind, object.rows[0].cells[0]])).toEqual([
      ['ADDED', 'Table', 'table-a'],
      ['ADDED', 'Table', 'table-b'],
    ])
    expect(events.map(({ object }) => (object.columnDefinitions ?? []).length)).toEqual([3, 0])
    expect(events[0].object.rows[0].object.kind).toBe('PartialObjectMetadata')
  })

  test('is refused in a form that there is not', async () => {
    const { status, body } = await server.call('GET', path(), {
      accept: 'application/json;as=Chart;v=v1;g=meta.k8s.io',
    })
    expect(status).toBe(406)
    expect(body.reason ?? 'NotAcceptable').toBe('NotAcceptable')
  })

  test('is refused with words that it does not know of what goes with a row', async () => {
    const { status, body } = await server.call('GET', `${path()}?includeObject=Some`, { accept: TABLE })
    expect([status, body.reason]).toEqual([400, 'BadRequest'])
  })
})
