import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Loopback } from './loopback.ts'
import { PodNetwork } from './pod-network.ts'
import { podSubnet, subnetIndex } from './pod-subnet.ts'

let loopback: Loopback

beforeEach(async () => {
  loopback = await Loopback.claim()
})
afterEach(() => loopback.close())

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

describe('the Pod network', () => {
  it('gives every Pod an address of 10.244.0.0/16 that stays while it is attached', async () => {
    const network = new PodNetwork(loopback)
    const first = await network.attach('a')
    const second = await network.attach('b')
    expect([first.podIP, second.podIP]).toEqual(['10.244.0.2', '10.244.0.3'])
    expect(await network.attach('a')).toBe(first)
  })

  it('lets two Pods listen on one port', async () => {
    const network = new PodNetwork(loopback)
    const pods = [await network.attach('a', [3000]), await network.attach('b', [3000])]
    const servers = await Promise.all(pods.map((pod) => listen(pod.host, pod.port(3000))))
    expect(pods.map((pod) => network.locate(pod.podIP, 3000))).toEqual(
      servers.map((server) => expect.objectContaining({ port: (server.address() as { port: number }).port })),
    )
    for (const server of servers) server.close()
  })

  it('does not reuse an address at once, but reuses it in the end', async () => {
    const network = new PodNetwork(loopback)
    const { podIP } = await network.attach('a')
    network.detach('a')
    expect(network.locate(podIP, 80)).toBeUndefined()
    expect((await network.attach('b')).podIP).not.toBe(podIP)
  })

  it('leaves out addresses that end in 0 or 255', async () => {
    const network = new PodNetwork(loopback)
    const addresses = await Promise.all(Array.from({ length: 600 }, (_, i) => network.attach(`pod-${i}`)))
    expect(new Set(addresses.map((address) => address.podIP)).size).toBe(600)
    expect(addresses.filter((address) => /\.(0|255)$/.test(address.podIP))).toEqual([])
  })

  it('maps declared ports to free ones where all Pods share one address', async () => {
    await using narrow = await Loopback.claim({ wide: false })
    const network = new PodNetwork(narrow)
    const [first, second] = [await network.attach('a', [3000]), await network.attach('b', [3000])]
    expect([first.host, second.host]).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(first.port(3000)).not.toBe(second.port(3000))
    expect(network.locate(first.podIP, 3000)).toEqual({ host: '127.0.0.1', port: first.port(3000) })
  })

  it('gives a Pod the address again that it had, unless another Pod has it', async () => {
    const network = new PodNetwork(loopback)
    expect((await network.attach('a', [], '10.244.0.77')).podIP).toBe('10.244.0.77')
    expect((await network.attach('b', [], '10.244.0.77')).podIP).toBe('10.244.0.2')
    for (const foreign of ['10.244.9.9', '10.244.0.1', '10.244.0.255', '10.96.0.5', 'nonsense']) {
      expect((await network.attach(foreign, [], foreign)).podIP).not.toBe(foreign)
    }
  })

  it('moves a declared port that another program has', async () => {
    const network = new PodNetwork(loopback)
    const taken = await listen(loopback.address(0, 2), 3000)
    const pod = await network.attach('a', [3000, 3001])
    expect(pod.port(3000)).not.toBe(3000)
    expect([...pod.movedPorts.keys()]).toEqual([3000])
    expect(network.locate(pod.podIP, 3000)).toEqual({ host: pod.host, port: pod.port(3000) })
    taken.close()
  })

  it('gives each node a part of its own', async () => {
    const second = new PodNetwork(loopback, podSubnet(1))
    expect((await second.attach('a')).podIP).toBe('10.244.4.2')
    expect(subnetIndex('10.244.4.0/22')).toBe(1)
    expect(subnetIndex('10.0.0.0/8')).toBeUndefined()
  })

  it('keeps two clusters of one machine apart', async () => {
    await using other = await Loopback.claim()
    expect(other.address(0, 2)).not.toBe(loopback.address(0, 2))
  })
})
