import { SimulatedClock } from '@homeostat/api'
import { DaemonSet, Node, Pod } from '@homeostat/api/kinds'
import { expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

const namespace = 'default'

it('runs a DaemonSet on each node, and not on one with a NoExecute taint', async () => {
  const clock = new SimulatedClock()
  await using cluster = await Cluster.start({ clock, port: false, nodes: 3 })
  const labels = { app: 'agent' }
  await cluster.client.create(DaemonSet, {
    metadata: { namespace, name: 'agent' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'pause' }] } },
    },
  })
  await clock.settle()
  const status = async () => (await cluster.client.getOrThrow(DaemonSet, { namespace, name: 'agent' })).status
  expect(await status()).toMatchObject({ desiredNumberScheduled: 3, numberReady: 3, numberAvailable: 3 })
  const node = await cluster.client.getOrThrow(Node, { name: 'homeostat-2' })
  const taints = [{ key: 'broken', effect: 'NoExecute' as const }]
  await cluster.client.update(Node, { ...node, spec: { ...node.spec, taints } })
  await clock.advance('1m')
  const pods = await cluster.client.list(Pod, { namespace })
  expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['homeostat-1', 'homeostat-3']))
  expect(await status()).toMatchObject({ desiredNumberScheduled: 2, numberReady: 2 })
})
