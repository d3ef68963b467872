import { SimulatedClock } from '@homeostat/api'
import { Deployment, Pod } from '@homeostat/api/kinds'
import type { Logger } from 'homeostat'
import { expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

it.each(['1.33', '1.34', '1.35'])('a cluster of Kubernetes %s runs a Deployment', async (release) => {
  const clock = new SimulatedClock()
  const problems: string[] = []
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: (message) => void problems.push(JSON.stringify(message)),
    error: (message) => void problems.push(JSON.stringify(message)),
    child: () => logger,
  }
  const images = { web: { module: () => new Promise<void>(() => {}) } }
  await using cluster = await Cluster.start({
    clock,
    port: false,
    images,
    kubernetesVersion: release,
    logger,
  })
  const labels = { app: 'web' }
  await cluster.client.create(Deployment, {
    metadata: { namespace: 'default', name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  })
  await clock.settle()
  const pods = await cluster.client.list(Pod, { namespace: 'default' })
  expect(pods.map(({ status }) => status.phase)).toEqual(['Running', 'Running'])
  const response = await cluster.handler({
    method: 'GET',
    path: '/version',
    query: new URLSearchParams(),
    headers: {},
  })
  expect(new TextDecoder().decode(response.body as Uint8Array)).toContain(`"v${release}.`)
  expect(problems).toEqual([])
})

it('a cluster of a Kubernetes that is not recorded does not start', async () => {
  await expect(Cluster.start({ port: false, kubernetesVersion: '1.20' })).rejects.toMatchObject({
    code: 'KUBERNETES_VERSION_UNKNOWN',
  })
})
