import { ConfigMap } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { isNativeGroup } from './native-groups.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** A value as text, one line for each part of it. */
function lines(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}
`
}

/** The file that holds what a real server answered. */
function recorded(name: string): string {
  return new URL(`recorded/${name}.json`, import.meta.url).pathname
}

/** An address of the host that was asked, and nothing else that differs. */
function stable(document: any): unknown {
  const { serverAddressByClientCIDRs, ...rest } = document
  return serverAddressByClientCIDRs
    ? { ...rest, serverAddressByClientCIDRs: serverAddressByClientCIDRs.length }
    : rest
}

describe('discovery', () => {
  test('says in one document what Kubernetes says', async () => {
    const core = await server.call('GET', '/api', { accept: AGGREGATED })
    // A real server says of a group that it could not ask in time that what it tells of it may be old.
    const others = await server.until('all that is new', async () => {
      const { body } = await server.call('GET', '/apis', { accept: AGGREGATED })
      const items: any[] = body.items.filter(({ metadata }: any) => isNativeGroup(metadata.name))
      return !JSON.stringify(items).includes('"Stale"') && { ...body, items }
    })
    expect(core.headers['content-type']).toBe(AGGREGATED)
    await expect(lines([core.body, others])).toMatchFileSnapshot(recorded('discovery-aggregated'))
  })

  test('says in many documents what Kubernetes says', async () => {
    const { body: api } = await server.call('GET', '/api')
    const { body: apis } = await server.call('GET', '/apis')
    const groups = apis.groups.filter(({ name }: any) => isNativeGroup(name))
    const paths = [
      '/api/v1',
      ...groups.map(({ name }: any) => `/apis/${name}`),
      ...groups.flatMap(({ versions }: any) =>
        versions.map(({ groupVersion }: any) => `/apis/${groupVersion}`),
      ),
    ]
    const documents = await Promise.all(paths.map(async (path) => (await server.call('GET', path)).body))
    await expect(lines([stable(api), { ...apis, groups }, ...documents])).toMatchFileSnapshot(
      recorded('discovery'),
    )
  })

  test.for([
    '/api/v2',
    '/apis/apps/v9',
    '/apis/none.example.com',
    '/apis/none.example.com/v1',
    '/openapi/v3/apis/none',
    '/openapi',
    '/none',
    '/healthz/none',
  ])('has nothing at %s', async (path) => {
    const { status, body } = await server.call('GET', path)
    await expect(lines({ status, body })).toMatchFileSnapshot(
      recorded(`nothing-at${path.replaceAll('/', '-')}`),
    )
  })

  test('tells the version', async () => {
    const { body } = await server.call('GET', '/version')
    expect(Object.keys(body)).toEqual([
      'major',
      'minor',
      'emulationMajor',
      'emulationMinor',
      'minCompatibilityMajor',
      'minCompatibilityMinor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ])
    expect(body).toMatchObject({ major: '1', minor: '36', minCompatibilityMinor: '35' })
  })

  test('names addresses at /, each of which answers', async () => {
    const { body } = await server.call('GET', '/')
    expect(body.paths).toEqual(body.paths.toSorted())
    expect(body.paths).toEqual(
      expect.arrayContaining([
        '/api',
        '/apis/apps/v1',
        '/healthz/ping',
        '/openapi/v3',
        '/readyz',
        '/version',
      ]),
    )
    if (server.name === 'kubernetes') return
    for (const path of body.paths) {
      expect([path, (await server.call('GET', path, { accept: '*/*' })).status]).toEqual([path, 200])
    }
  })

  test('refuses a form of discovery that there is not', async () => {
    const { status, body } = await server.call('GET', '/apis', {
      accept: AGGREGATED.replace('v2', 'v2beta1'),
    })
    expect(status).toBe(406)
    expect(body.reason).toBe('NotAcceptable')
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
    // A kind that another test has removed may leave the document between the two.
    const known = await server.until('an answer without the document', async () => {
      const { headers: first } = await ask()
      const again = await ask({ 'if-none-match': first.etag! })
      return again.status !== 200 && again
    })
    expect(known.status).toBe(304)
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
