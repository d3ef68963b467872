import { At, at } from '@homeostat/example-at'
import { MarkdownView, markdownView } from '@homeostat/example-markdownview'
import { Tenant, tenant } from '@homeostat/example-tenant'
import { vcap, VcapServicesConverter } from '@homeostat/example-vcap'
import { VisitorsApp, visitors } from '@homeostat/example-visitors'
import { visitorsImages } from '@homeostat/example-visitors/images'
import { isConditionTrue, SimulatedClock, timestamp, type AnyKind, type Client } from 'homeostat'
import { ConfigMap, Deployment, Namespace, Pod, ReplicaSet, Secret, Service } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { databaseImages } from './database.ts'
import { startLocalCluster } from './local-cluster.ts'

const namespace = 'default'
const key = { namespace, name: 'sample' }

describe('on the local cluster', { timeout: 60_000 }, () => {
  it('MarkdownView serves its pages, heals, follows and goes with all that it owned', async () => {
    const clock = new SimulatedClock()
    await using stage = await startLocalCluster(MarkdownView, markdownView, { clock })
    const { client } = stage
    const spec = { markdowns: { 'SUMMARY.md': '- [One](one.md)', 'one.md': '# One' }, replicas: 2 }
    await client.create(MarkdownView, { metadata: key, spec })
    const healthy = async () =>
      isConditionTrue((await client.get(MarkdownView, key))?.status?.conditions, 'Healthy')
    await stage.until('Healthy', healthy)
    const viewer = { namespace, name: 'viewer-sample' }
    expect(await stage.page(viewer, 80, '/one.html')).toContain('One</h1>')

    const { metadata } = await client.getOrThrow(Deployment, viewer)
    await client.delete(Deployment, viewer)
    await stage.until('the Deployment to come back', async () => {
      const now = await client.get(Deployment, viewer)
      return now !== undefined && now.metadata.uid !== metadata.uid && (await healthy())
    })
    await change(client, MarkdownView, { markdowns: { 'one.md': '# Edited' }, replicas: 3 })
    await stage.until('three Pods with the edit', async () => {
      const deployment = await client.get(Deployment, viewer)
      return (
        deployment?.status?.availableReplicas === 3 &&
        (await stage.page(viewer, 80, '/one.html')).includes('Edited</h1>')
      )
    })
    await client.delete(MarkdownView, key)
    await stage.until('all to go', () => isEmpty(client, Deployment, ReplicaSet, Pod, ConfigMap, Service))
  })

  it('At runs its command when the time has come, and its output is in the log', async () => {
    const clock = new SimulatedClock()
    await using stage = await startLocalCluster(At, at, { clock })
    const { client } = stage
    const spec = { schedule: timestamp(clock.now() + 300_000), command: 'echo YAY' }
    await client.create(At, { metadata: key, spec })
    await clock.advance('4m')
    expect((await client.get(At, key))?.status?.phase).toBe('PENDING')
    await clock.advance('1m')
    await stage.until('DONE', async () => (await client.get(At, key))?.status?.phase === 'DONE')
    expect(await stage.log('sample-pod')).toBe('YAY\n')
    await client.delete(At, key)
    await stage.until('its Pod to go', () => isEmpty(client, Pod))
  })

  it('VcapServicesConverter gives a Pod its document', async () => {
    const clock = new SimulatedClock()
    await using stage = await startLocalCluster(VcapServicesConverter, vcap, { clock })
    const { client } = stage
    await client.create(VcapServicesConverter, { metadata: key, spec: { secrets: ['orders'] } })
    const command = ['sh', '-c', 'echo "$VCAP_SERVICES"']
    const envFrom = [{ secretRef: { name: 'sample-vcap-services' } }]
    await client.create(Pod, {
      metadata: { namespace, name: 'app' },
      spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox', command, envFrom }] },
    })
    const labels = { 'deployment.hsc.philips.com.cn/service': 'postgresql' }
    await client.create(Secret, {
      metadata: { namespace, name: 'orders', labels },
      stringData: { user: 'me' },
    })
    const phase = async () => (await client.get(Pod, { namespace, name: 'app' }))?.status?.phase
    await stage.until('the Pod to end', async () => (await phase()) === 'Succeeded')
    expect(JSON.parse(await stage.log('app'))).toMatchObject({
      postgresql: [{ name: 'orders', credentials: { user: 'me' } }],
    })
    await client.delete(VcapServicesConverter, key)
    const output = { namespace, name: 'sample-vcap-services' }
    await stage.until('the document to go', async () => (await client.get(Secret, output)) === undefined)
  })

  it('Tenant has its Namespaces as long as it is there', async () => {
    const clock = new SimulatedClock()
    await using stage = await startLocalCluster(Tenant, tenant, { clock })
    const { client } = stage
    const spec = { namespaces: ['web', 'data'], members: ['alice'] }
    await client.create(Tenant, { metadata: { name: 'team' }, spec })
    await stage.until('Ready', async () =>
      isConditionTrue((await client.get(Tenant, { name: 'team' }))?.status?.conditions, 'Ready'),
    )
    await client.create(ConfigMap, { metadata: { namespace: 'data', name: 'precious' } })
    await client.delete(Namespace, { name: 'web' })
    await stage.until('web to be there again', async () => {
      const web = await client.get(Namespace, { name: 'web' })
      return web !== undefined && web.metadata.deletionTimestamp === undefined
    })
    await client.delete(Tenant, { name: 'team' })
    await stage.until('its Namespaces to go, with what is in them', async () => {
      const names = (await client.list(Namespace)).map(({ metadata }) => metadata.name)
      return !names.includes('web') && !names.includes('data')
    })
    expect(await client.get(ConfigMap, { namespace: 'data', name: 'precious' })).toBeUndefined()
  })

  it('VisitorsApp comes up tier by tier, counts its visitors, and goes in reverse', async () => {
    const clock = new SimulatedClock()
    const images = { ...visitorsImages, ...databaseImages }
    await using stage = await startLocalCluster(VisitorsApp, visitors, { clock, images })
    const { client } = stage
    await client.create(VisitorsApp, { metadata: key, spec: { size: 1, title: 'Hello <you>' } })
    await stage.until('Ready', async () =>
      isConditionTrue((await client.get(VisitorsApp, key))?.status?.conditions, 'Ready'),
    )
    const frontend = { namespace, name: 'sample-frontend' }
    expect(await stage.page(frontend, 3000)).toContain('<h1>Hello &#60;you&#62;</h1><p>Visits: 1</p>')
    expect(await stage.page(frontend, 3000)).toContain('<p>Visits: 2</p>')

    const gone: string[] = []
    const running = async () =>
      (await client.list(Deployment, { namespace })).map(({ metadata }) => metadata.name)
    await client.delete(VisitorsApp, key)
    await stage.until('all to go', async () => {
      const now = await running()
      for (const name of ['sample-frontend', 'sample-backend', 'sample-database']) {
        if (!now.includes(name) && !gone.includes(name)) gone.push(name)
      }
      return isEmpty(client, VisitorsApp, Deployment, ReplicaSet, Pod)
    })
    expect(gone).toEqual(['sample-frontend', 'sample-backend', 'sample-database'])
  })
})

function change(client: Client, kind: AnyKind, spec: object) {
  return client.patch(kind, key, { type: 'merge', body: { spec } })
}

/** Whether nothing of these kinds is left but what every cluster has. */
async function isEmpty(client: Client, ...kinds: readonly AnyKind[]): Promise<boolean> {
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace })))
  const names = lists.flat().map(({ metadata }: any) => metadata.name)
  return names.every((name) => name === 'kubernetes' || name === 'kube-root-ca.crt')
}
