import { controller, createClient, defineKind, Manager, schema as s, silentLogger } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const Page = defineKind({
  group: 'manager.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ text: s.string(), replicas: s.integer().default(1) }),
  status: s.object({ shown: s.string().optional() }),
})

/** An operator in small: it applies two objects of its own and says in the status what they show. */
const page = controller('page')
  .for(Page)
  .owns(ConfigMap)
  .owns(Deployment)
  .reconcile(async (request, { client }) => {
    const page = await client.get(Page, request)
    if (!page || page.metadata.deletionTimestamp) return
    const owner = {
      apiVersion: 'manager.example.com/v1',
      kind: 'Page',
      name: page.metadata.name,
      uid: page.metadata.uid,
      controller: true,
    }
    const metadata = { name: request.name, namespace: request.namespace, ownerReferences: [owner] }
    const labels = { app: request.name }
    await client.apply(ConfigMap, { metadata, data: { text: page.spec.text } })
    await client.apply(Deployment, {
      metadata,
      spec: {
        replicas: page.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }] },
        },
      },
    })
    await client.status.apply(Page, request, { shown: page.spec.text })
  })

describe('a manager', () => {
  let server: TestServer
  let running: Promise<void>
  const stop = new AbortController()

  beforeAll(async () => {
    server = await startTestServer({ kinds: [Page] })
    const { transport, clock } = server
    const manager = new Manager({ transport, clock, logger: silentLogger }).add(page)
    running = manager.start({ signal: stop.signal })
    await manager.synced
  })
  afterAll(async () => {
    stop.abort()
    await running
    await server?.close()
  })

  const key = () => ({ name: 'hello', namespace: server.namespace })

  test('brings into being what an object asks for', async () => {
    await server.client.create(Page, { metadata: key(), spec: { text: 'one' } })
    await server.until('a status', async () => {
      return (await server.client.get(Page, key()))?.status?.shown === 'one'
    })
    const deployment = await server.client.getOrThrow(Deployment, key())
    expect(deployment.spec).toMatchObject({ replicas: 1, progressDeadlineSeconds: 600 })
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: 'Page', name: 'hello' }])
  })

  test('sends nothing to write when all is as it should be, whatever the server has filled in', async () => {
    const before = server.writes.length
    const { transport, clock } = server
    const outsider = createClient({ transport, clock, fieldManager: 'outsider' })
    await outsider.apply(ConfigMap, { metadata: { ...key(), labels: { seen: 'yes' } } })
    await server.until('the label to be told', async () => {
      return (await server.client.get(ConfigMap, key()))?.metadata.labels?.seen === 'yes'
    })
    await settle()
    expect(server.writes.slice(before)).toEqual([
      `PATCH /api/v1/namespaces/${server.namespace}/configmaps/hello`,
    ])
  })

  test('creates a deleted ConfigMap again', async () => {
    const { uid } = (await server.client.getOrThrow(ConfigMap, key())).metadata
    await server.client.delete(ConfigMap, key())
    const again = await server.until('another ConfigMap', async () => {
      const found = await server.client.get(ConfigMap, key())
      return found && found.metadata.uid !== uid && found
    })
    expect(again.data).toEqual({ text: 'one' })
  })

  test('follows a change', async () => {
    await server.client.patch(Page, key(), { type: 'merge', body: { spec: { text: 'two', replicas: 3 } } })
    await server.until('the new text', async () => {
      return (await server.client.get(ConfigMap, key()))?.data?.text === 'two'
    })
    await server.until('the new status', async () => {
      return (await server.client.get(Page, key()))?.status?.shown === 'two'
    })
    expect((await server.client.getOrThrow(Deployment, key())).spec?.replicas).toBe(3)
  })

  /** Lets whatever follows happen: under simulated time all of it, on a real server what takes less than a second. */
  async function settle(): Promise<void> {
    let waited = 0
    await server.until('a pause', async () => waited++ >= 10)
  }
})
