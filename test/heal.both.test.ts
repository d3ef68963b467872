import {
  controller,
  controllerReference,
  defineKind,
  describeCauses,
  Manager,
  schema as s,
  silentLogger,
  type ApplyOptions,
  type ReconcileReport,
} from 'homeostat'
import { Deployment, Event } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const Site = defineKind({
  group: 'heal.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ replicas: s.integer() }),
  status: s.object({ url: s.string().optional() }),
})

/** Applies a Deployment and a status. With `left` it leaves the number of replicas to others. */
function siteController(options: { apply?: ApplyOptions; left?: boolean } = {}) {
  return controller('site')
    .for(Site)
    .owns(Deployment)
    .reconcile(async (request, { client }) => {
      const site = await client.get(Site, request)
      if (!site || site.metadata.deletionTimestamp) return
      const labels = { app: request.name }
      const wanted = {
        metadata: { ...request, ownerReferences: [controllerReference(site)] },
        spec: {
          ...(options.left ? {} : { replicas: site.spec.replicas }),
          minReadySeconds: 3,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
        },
      }
      await client.apply(Deployment, wanted, options.apply)
      await client.status.apply(Site, request, { url: 'http://site' }, options.apply)
    })
}

async function start(options?: Parameters<typeof siteController>[0]) {
  const server = await startTestServer({ kinds: [Site] })
  const { transport, clock, namespace } = server
  const reports: ReconcileReport[] = []
  const stop = new AbortController()
  const manager = new Manager({
    transport,
    clock,
    logger: silentLogger,
    cache: { namespaces: [namespace] },
    onReconcile: (report) => reports.push(report),
  }).add(siteController(options))
  const running = manager.start({ signal: stop.signal })
  await manager.synced
  const key = { namespace, name: 'web' }
  await server.client.create(Site, { metadata: key, spec: { replicas: 2 } })
  await server.until('the status', async () => (await server.client.getOrThrow(Site, key)).status?.url)
  return {
    server,
    key,
    reports,
    deployment: () => server.client.getOrThrow(Deployment, key),
    /** Sets the number of replicas as another manager, and waits for this number to be there. */
    async scale(fieldManager: string, replicas: number, healed: number) {
      const body = { spec: { replicas } }
      await server.client.patch(Deployment, key, { type: 'merge', body }, { fieldManager })
      await server.until(`${healed} replicas`, async () => {
        return (await server.client.getOrThrow(Deployment, key)).spec.replicas === healed
      })
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
      await server.close()
    },
  }
}

const events = async ({ server }: { server: TestServer }, reason: string) =>
  (await server.client.list(Event, { namespace: server.namespace })).filter(
    (event) => event.reason === reason,
  )

describe('a reconcile that applies', () => {
  it('heals an edit by kubectl patch, scale and edit, of a status too, and then sends nothing', async () => {
    await using test = await start()
    const { server, key } = test
    await test.scale('kubectl-patch', 5, 2)

    const scale = { type: 'merge', body: { spec: { replicas: 7 } } } as const
    await server.client.subresource('scale').patch(Deployment, key, scale, { fieldManager: 'kubectl' })
    await server.until('the scale to be healed', async () => (await test.deployment()).spec.replicas === 2)

    const body = { spec: { minReadySeconds: 9, replicas: 0 } }
    await server.client.patch(Deployment, key, { type: 'merge', body }, { fieldManager: 'kubectl-edit' })
    await server.until('the edit to be healed', async () => {
      const { spec } = await test.deployment()
      return spec.replicas === 2 && spec.minReadySeconds === 3
    })

    const status = { status: { url: 'http://elsewhere' } }
    await server.client.status.patch(
      Site,
      key,
      { type: 'merge', body: status },
      { fieldManager: 'kubectl-edit' },
    )
    await server.until('the status to be healed', async () => {
      return (await server.client.getOrThrow(Site, key)).status?.url === 'http://site'
    })

    const ours = (await test.deployment()).metadata.managedFields?.find(({ manager }) => manager === 'site')
    expect(ours?.fieldsV1?.['f:spec']).toMatchObject({ 'f:replicas': {}, 'f:minReadySeconds': {} })
    const written = server.writes.length
    const reconciled = test.reports.length
    await server.client.patch(Site, key, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } })
    await server.until('another reconcile', async () => test.reports.length > reconciled)
    expect(server.writes.slice(written + 1)).toEqual([])
    expect(test.reports.filter(({ error }) => error)).toEqual([])
    expect(await events(test, 'FieldContested')).toEqual([])
  })

  it('sends its apply again after another manager removed a field, and not after one set it to the same', async () => {
    await using test = await start()
    const { server, key } = test
    await server.client.patch(
      Deployment,
      key,
      { type: 'json', body: [{ op: 'remove', path: '/spec/minReadySeconds' }] },
      { fieldManager: 'kubectl-edit' },
    )
    await server.until(
      'the field to be back',
      async () => (await test.deployment()).spec.minReadySeconds === 3,
    )

    const body = { spec: { replicas: 2, minReadySeconds: 3 }, metadata: { labels: { seen: 'yes' } } }
    await server.client.patch(Deployment, key, { type: 'merge', body }, { fieldManager: 'kubectl' })
    const written = server.writes.length
    await server.until('a reconcile of the label', async () =>
      test.reports.some(({ causes }) => describeCauses(causes).includes('updated (labels)')),
    )
    expect(server.writes.slice(written)).toEqual([])
  })

  it('leaves a field that it does not apply to an autoscaler', async () => {
    await using test = await start({ left: true })
    await test.scale('autoscaler', 5, 5)
    const reconciled = test.reports.length
    await test.server.client.patch(Site, test.key, {
      type: 'merge',
      body: { metadata: { labels: { a: 'b' } } },
    })
    await test.server.until('another reconcile', async () => test.reports.length > reconciled)
    expect((await test.deployment()).spec.replicas).toBe(5)
  })

  it('with force: false gets the conflict, changes nothing, and an event tells who holds the field', async () => {
    await using test = await start({ apply: { force: false } })
    await test.scale('autoscaler', 5, 5)
    const event = await test.server.until('the event', async () => (await events(test, 'ReconcileFailed'))[0])
    const failures = test.reports.filter(({ result }) => result === 'error')
    expect(failures[0]?.error).toMatchObject({ code: 'API_APPLY_CONFLICT' })
    expect(event).toMatchObject({ type: 'Warning', regarding: { kind: 'Site', name: 'web' } })
    expect(event.regarding?.uid).toBe((await test.server.client.getOrThrow(Site, test.key)).metadata.uid)
    expect(event.note).toContain('"autoscaler"')
    expect(event.note).toContain('.spec.replicas')
    expect((await test.deployment()).spec.replicas).toBe(5)
  })

  it('reports a manager that takes the same field again and again, by an event that names the remedy', async () => {
    await using test = await start()
    for (let time = 0; time < 4; time++) await test.scale('autoscaler', 5, 2)
    const event = await test.server.until('the event', async () => (await events(test, 'FieldContested'))[0])
    expect(event).toMatchObject({
      type: 'Warning',
      reportingController: 'site',
      regarding: { kind: 'Site', name: 'web' },
    })
    expect(event.regarding?.uid).toBe((await test.server.client.getOrThrow(Site, test.key)).metadata.uid)
    expect(event.note).toBe(
      `autoscaler keeps changing spec.replicas of Deployment ${test.key.namespace}/web, and site keeps changing it back. Leave the field out of what site writes, or stop autoscaler from writing it. Until then events reconcile this object less often.`,
    )
  })
})
