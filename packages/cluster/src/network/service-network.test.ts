import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Reader } from 'homeostat'
import { Loopback } from './loopback.ts'
import { PodNetwork } from './pod-network.ts'
import { ServiceNetwork } from './service-network.ts'

let loopback: Loopback
let pods: PodNetwork
let network: ServiceNetwork
let servers: Server[]
let slices: object[]
let service: object | undefined

const key = { namespace: 'default', name: 'web' }

beforeEach(async () => {
  loopback = await Loopback.claim()
  pods = new PodNetwork(loopback)
  servers = []
  slices = []
  service = { metadata: key, spec: { ports: [{ name: 'http', port: 8080 }] } }
  const reader = {
    get: () => Promise.resolve(service),
    list: () => Promise.resolve(slices),
  } as unknown as Reader
  network = new ServiceNetwork({ reader, pods, loopback })
})

afterEach(async () => {
  await network.close()
  for (const server of servers) server.close()
  await loopback.close()
})

/** A Pod that says its name and then what it hears. */
async function pod(name: string, options: { ready?: boolean; listens?: boolean } = {}): Promise<void> {
  const address = await pods.attach(name)
  if (options.listens !== false) {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.write(`${name}:`)
      socket.pipe(socket)
    })
    await new Promise<void>((resolve) => server.listen(3000, address.host, resolve))
    servers.push(server)
  }
  slices.push({
    ports: [{ name: 'http', port: 3000 }],
    endpoints: [{ addresses: [address.podIP], conditions: { ready: options.ready ?? true } }],
  })
}

/** Sends text, ends, and gives what came back; `undefined` when the connection broke. */
function talk(address: { host: string; port: number }, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let heard = ''
    const socket: Socket = connect(address.port, address.host, () => socket.end(text))
    socket.on('data', (data) => (heard += data.toString()))
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(heard === '' ? undefined : heard))
  })
}

describe('the address of a Service', () => {
  it('connects to its ready Pods in turn', async () => {
    await pod('a')
    await pod('b')
    await pod('c', { ready: false })
    const address = await network.address(key, 8080)
    const answers = [await talk(address, '1'), await talk(address, '2'), await talk(address, '3')]
    expect(answers).toEqual(['a:1', 'b:2', 'a:3'])
  })

  it('is the port of the Service on a loopback address of its own, and stays', async () => {
    const address = await network.address(key, 'http')
    expect(address.host).toMatch(/^127\./)
    expect(address.port).toBe(8080)
    expect(await network.address(key, 8080)).toEqual(address)
    expect(await network.address(key)).toEqual(address)
  })

  it('closes connections while no Pod is ready, and follows when one is', async () => {
    const address = await network.address(key, 8080)
    expect(await talk(address, 'x')).toBeUndefined()
    await pod('a')
    expect(await talk(address, 'x')).toBe('a:x')
    slices = []
    expect(await talk(address, 'x')).toBeUndefined()
  })

  it('passes over a Pod that does not answer', async () => {
    await pod('dead', { listens: false })
    await pod('a')
    const address = await network.address(key, 8080)
    expect(await talk(address, '1')).toBe('a:1')
    expect(await talk(address, '2')).toBe('a:2')
  })

  it('says so when there is no such Service or port', async () => {
    await expect(network.address(key, 81)).rejects.toMatchObject({
      code: 'SERVICE_PORT_NOT_FOUND',
      message: 'the Service default/web has no port 81: it has 8080 (http)',
    })
    service = undefined
    await expect(network.address(key, 80)).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' })
  })
})

describe('forwarding a local port', () => {
  it('leads to the Service until it is closed', async () => {
    await pod('a')
    const forward = await network.forward({ service: key, port: 8080 })
    expect(forward.url).toBe(`http://localhost:${forward.port}`)
    expect(await talk(forward, 'x')).toBe('a:x')
    await forward.close()
    expect(await talk(forward, 'x')).toBeUndefined()
  })

  it('names a port that is in use, and the way out', async () => {
    const forward = await network.forward({ service: key })
    await expect(network.forward({ service: key, localPort: forward.port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: `port ${forward.port} of 127.0.0.1 is in use: end the program that uses it, or choose another port`,
    })
  })

  it('ends open connections when the network closes', async () => {
    await pod('a')
    const forward = await network.forward({ service: key })
    const socket = connect(forward.port, forward.host)
    await new Promise((resolve) => socket.once('data', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await network.close()
    expect(await closed).toBe(false)
  })
})
