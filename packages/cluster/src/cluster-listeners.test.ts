import { Pod, Service } from '@homeostat/api/kinds'
import { expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import { machineSockets } from './kubelet/separation/listeners.ts'

const namespace = 'default'

/** The sockets on which this process waits for others, by their inodes, with their addresses. */
async function ownListeners(): Promise<Map<string, string>> {
  const own = new Set(machineSockets.socketsOf(process.pid))
  const listeners = (await machineSockets.listeners()).filter(({ inode }) => own.has(inode))
  return new Map(listeners.map(({ inode, address }) => [inode, address]))
}

it.skipIf(process.platform !== 'linux')('listens on loopback addresses alone', async () => {
  const before = await ownListeners()
  await using cluster = await Cluster.start()
  const labels = { app: 'web' }
  await cluster.client.create(Service, {
    metadata: { namespace, name: 'web' },
    spec: { selector: labels, type: 'NodePort', ports: [{ port: 80 }] },
  })
  await cluster.client.create(Pod, {
    metadata: { namespace, name: 'web', labels },
    spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
  })
  const { host } = await cluster.serviceAddress({ namespace, name: 'web' })
  const addresses = async (): Promise<string[]> =>
    [...(await ownListeners())].flatMap(([inode, address]) => (before.has(inode) ? [] : [address]))
  // The API, the Service and the Pod.
  await expect.poll(async () => (await addresses()).length).toBeGreaterThanOrEqual(3)
  await expect.poll(addresses).toContain(host)
  expect((await addresses()).filter((address) => !address.startsWith('127.'))).toEqual([])
})
