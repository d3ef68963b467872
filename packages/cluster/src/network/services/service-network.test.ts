import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { EndpointSlice, Event, Service } from '@homeostat/api/kinds'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, Manager, silentLogger, type Client } from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AddressBook } from '../addresses/address-book.ts'
import { ClusterNetwork } from '../cluster-network.ts'
import { Loopback } from '../addresses/loopback.ts'
import { PodNetwork } from '../addresses/pod-network.ts'
import { ServiceNetwork } from './service-network.ts'

let clock: SimulatedClock
let client: Client
let loopback: Loopback
let pods: PodNetwork
let services: ServiceNetwork
let network: ClusterNetwork
let servers: Map<string, Server>
let stop: () => Promise<void>

const namespace = 'default'
const web = { namespace, name: 'web' }

beforeEach(() => start())

async function start(options: { wide?: boolean } = {}): Promise<void> {
  clock = new SimulatedClock()
  const server = await ApiServer.start({ clock })
  const transport = directTransport(server.handler, { clock })
  client = createClient({ transport, clock, fieldManager: 'test' })
  loopback = await Loopback.claim(options)
  pods = new PodNetwork(loopback)
  const locator = new AddressBook()
  locator.add(pods)
  services = new ServiceNetwork({ reader: client, locator, loopback, clock })
  network = new ClusterNetwork({ services, locator, clock })
  servers = new Map()
  const stopping = new AbortController()
  const running = new Manager({ transport, clock, logger: silentLogger })
    .add(services.controller)
    .start({ signal: stopping.signal })
  stop = async () => {
    stopping.abort()
    await running
    await network.close()
    await services.close()
    for (const one of servers.values()) one.close()
    await loopback.close()
    await server.close()
  }
  await clock.settle()
}

afterEach(() => stop())

async function service(spec: object = {}, name = 'web'): Promise<void> {
  await client.create(Service, {
    metadata: { namespace, name },
    spec: { ports: [{ name: 'http', port: 8080 }], ...spec },
  })
  await clock.settle()
}

/** A Pod that sends its name and then echoes; returns its address. */
async function pod(name: string): Promise<string> {
  const address = await pods.attach(name, [3000])
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.write(`${name}:`)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(address.port(3000), address.host, resolve))
  servers.set(name, server)
  return address.podIP
}

type Endpoint = [address: string, rest?: object]

/** Says in a slice which endpoints there are. */
async function endpoints(...list: Endpoint[]): Promise<void> {
  const key = { namespace, name: 'web-slice' }
  const content = {
    ports: [{ name: 'http', port: 3000 }],
    endpoints: list.map(([address, rest]) => ({
      addresses: [address],
      conditions: { ready: true },
      ...rest,
    })),
  }
  const known = await client.get(EndpointSlice, key)
  if (known) await client.update(EndpointSlice, { ...known, ...content })
  else {
    const labels = { 'kubernetes.io/service-name': 'web' }
    await client.create(EndpointSlice, { metadata: { ...key, labels }, addressType: 'IPv4', ...content })
  }
  await clock.settle()
}

/** Sends text, ends, and returns the answer, or the code of an error. */
function talk(address: { host: string; port: number }, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let heard = ''
    const socket: Socket = connect(address.port, address.host, () => socket.end(text))
    socket.on('data', (data) => (heard += data.toString()))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    socket.on('close', () => resolve(heard))
  })
}

/** The same through the network, as a container does. */
async function ask(host: string, port: number, text = 'x', from = { namespace }): Promise<string> {
  const connection = await network.connect(host, port, from)
  const writer = connection.writable.getWriter()
  await writer.write(new TextEncoder().encode(text))
  await writer.close()
  return new Response(connection.readable).text()
}

describe('the address of a Service', () => {
  it('connects to its ready Pods in turn', async () => {
    const [a, b, c] = [await pod('a'), await pod('b'), await pod('c')]
    await service()
    await endpoints([a], [b], [c, { conditions: { ready: false } }])
    const address = await services.address(web, 8080)
    const answers = [await talk(address, '1'), await talk(address, '2'), await talk(address, '3')]
    expect(answers).toEqual(['a:1', 'b:2', 'a:3'])
  })

  it('is the port of the Service on a loopback address of its own, and stays', async () => {
    await service()
    const address = await services.address(web, 'http')
    expect(address.host).toMatch(/^127\.\d+\.128\./)
    expect(address.port).toBe(8080)
    expect(await services.address(web, 8080)).toEqual(address)
    expect(await services.address(web)).toEqual(address)
  })

  it('refuses connections while no Pod is ready, and follows when one is', async () => {
    await service()
    const address = await services.address(web, 8080)
    expect(await talk(address, 'x')).toBe('ECONNREFUSED')
    await endpoints([await pod('a')])
    expect(await talk(address, 'x')).toBe('a:x')
    await endpoints()
    expect(await talk(address, 'x')).toBe('ECONNREFUSED')
  })

  it('skips a Pod that does not answer', async () => {
    const [dead, a] = [await pod('dead'), await pod('a')]
    servers.get('dead')?.close()
    await service()
    await endpoints([dead], [a])
    const address = await services.address(web, 8080)
    expect([await talk(address, '1'), await talk(address, '2')]).toEqual(['a:1', 'a:2'])
  })

  it('keeps a connection open when its Pod is no longer an endpoint', async () => {
    const [a, b] = [await pod('a'), await pod('b')]
    await service()
    await endpoints([a])
    const address = await services.address(web, 8080)
    const socket = connect({ ...address, allowHalfOpen: true })
    let heard = ''
    socket.on('data', (data) => (heard += data.toString()))
    await new Promise((resolve) => socket.once('data', resolve))
    await endpoints([b])
    expect(await talk(address, 'x')).toBe('b:x')
    await endpoints()
    await client.delete(Service, web)
    await clock.settle()
    socket.end('still there')
    await new Promise((resolve) => socket.once('close', resolve))
    expect(heard).toBe('a:still there')
  })

  it('keeps a client with its Pod where the Service has session affinity', async () => {
    const [a, b] = [await pod('a'), await pod('b')]
    await service({ sessionAffinity: 'ClientIP' })
    await endpoints([a], [b])
    const address = await services.address(web, 8080)
    expect([await talk(address, '1'), await talk(address, '2')]).toEqual(['a:1', 'a:2'])
  })

  it('fails for an unknown Service or port', async () => {
    await service()
    await expect(services.address(web, 81)).rejects.toMatchObject({
      code: 'SERVICE_PORT_NOT_FOUND',
      message: 'the Service default/web has no port 81: it has 8080 (http)',
    })
    await expect(services.address({ namespace, name: 'none' })).rejects.toMatchObject({
      code: 'SERVICE_NOT_FOUND',
    })
  })

  it('has another port where the Service’s is in use, and reports it once', async () => {
    const first = await loopbackPortOfNextService()
    await service()
    const address = await services.address(web, 8080)
    expect(address.host).toBe(first.host)
    expect(address.port).not.toBe(8080)
    await endpoints([await pod('a')])
    expect(await talk(address, 'x')).toBe('a:x')
    first.server.close()
    await clock.advance('1s')
    const note = `port 8080 is served at ${address.host}:${address.port}, because this machine cannot open 8080`
    expect(await client.list(Event, { namespace })).toMatchObject([
      { type: 'Warning', reason: 'PortMoved', note: expect.stringContaining(note) },
    ])
  })

  /** Takes port 8080 of the address that the next Service will have: `kubernetes` is the one before. */
  async function loopbackPortOfNextService(): Promise<{ host: string; server: Server }> {
    const before = await services.address({ namespace, name: 'kubernetes' })
    const host = before.host.replace(/\d+$/, (last) => String(Number(last) + 1))
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(8080, host, resolve))
    return { host, server }
  }
})

describe('where the system has only one address', () => {
  it('Services and Pods share it, with ports of their own', async () => {
    await stop()
    await start({ wide: false })
    await service()
    await endpoints([await pod('a')], [await pod('b')])
    const address = await services.address(web, 8080)
    expect(address.host).toBe('127.0.0.1')
    expect(address.port).not.toBe(8080)
    expect([await talk(address, '1'), await talk(address, '2')]).toEqual(['a:1', 'b:2'])
    expect(await ask('web', 8080)).toBe('a:x')
    const variables = await services.environment(namespace, { links: true, process: true })
    expect(variables).toMatchObject({ WEB_SERVICE_HOST: '127.0.0.1', WEB_SERVICE_PORT: String(address.port) })
  })
})

describe('a NodePort', () => {
  it('is open on 127.0.0.1 while the Service has it', async () => {
    await service({ type: 'NodePort' })
    await endpoints([await pod('a')])
    const { spec } = await client.getOrThrow(Service, web)
    const port = spec.ports?.[0]?.nodePort ?? 0
    expect(port).toBeGreaterThanOrEqual(30_000)
    expect(await talk({ host: '127.0.0.1', port }, 'x')).toBe('a:x')
    await client.delete(Service, web)
    await clock.settle()
    expect(await talk({ host: '127.0.0.1', port }, 'x')).toBe('ECONNREFUSED')
  })

  it('that another program uses is reported by an event, and opened when it is free', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(31_987, '127.0.0.1', () => resolve(31_987))
    })
    await service({ type: 'NodePort', ports: [{ name: 'http', port: 8080, nodePort: port }] })
    await endpoints([await pod('a')])
    expect(await talk(await services.address(web), 'x')).toBe('a:x')
    await clock.advance('1s')
    const [event] = await client.list(Event, { namespace })
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'PortUnavailable',
      note: expect.stringContaining(`port ${port} of 127.0.0.1 is in use`),
      regarding: { kind: 'Service', name: 'web' },
    })
    await new Promise((resolve) => taken.close(resolve))
    await clock.advance('15s')
    expect(await talk({ host: '127.0.0.1', port }, 'x')).toBe('a:x')
  })
})

describe('a port that is not TCP', () => {
  it('is not served, and an event says so', async () => {
    await service({ ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] })
    await clock.advance('1s')
    expect(await client.list(Event, { namespace })).toMatchObject([
      { type: 'Warning', reason: 'UnsupportedProtocol', note: expect.stringContaining('53/UDP') },
    ])
  })
})

describe('connecting by name', () => {
  it('reaches a Service under each of its names, and its address', async () => {
    await service()
    await endpoints([await pod('a')])
    const { spec } = await client.getOrThrow(Service, web)
    for (const host of [
      'web',
      'web.default',
      'web.default.svc',
      'web.default.svc.cluster.local',
      'web.default.svc.cluster.local.',
      spec.clusterIP ?? '',
    ]) {
      expect(await ask(host, 8080), host).toBe('a:x')
    }
    expect(await ask('web.default', 8080, 'y', { namespace: 'other' })).toBe('a:y')
    await expect(ask('web', 8080, 'y', { namespace: 'other' })).rejects.toMatchObject({
      code: 'HOST_NOT_FOUND',
    })
    await expect(ask('web', 8081)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' })
  })

  it('reaches the Pods of a headless Service, each by its hostname', async () => {
    await service({ clusterIP: 'None' })
    await endpoints([await pod('a'), { hostname: 'a-0' }], [await pod('b'), { hostname: 'a-1' }])
    expect(await ask('a-1.web', 3000)).toBe('b:x')
    expect(await ask('a-0.web.default.svc.cluster.local', 3000)).toBe('a:x')
    expect([await ask('web', 3000), await ask('web', 3000)].sort()).toEqual(['a:x', 'b:x'])
    await expect(ask('a-2.web', 3000)).rejects.toMatchObject({ code: 'HOST_NOT_FOUND' })
    await expect(ask('web', 8080)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' })
  })

  it('reaches a Pod by its address, and itself as localhost', async () => {
    const podIP = await pod('a')
    expect(await ask(podIP, 3000)).toBe('a:x')
    expect(await ask(`${podIP.replaceAll('.', '-')}.default.pod`, 3000)).toBe('a:x')
    const connection = await network.connect('localhost', 3000, { namespace, podIP })
    connection.close()
    await expect(ask('10.244.9.9', 3000)).rejects.toMatchObject({ code: 'HOST_NOT_FOUND' })
  })

  it('follows a Service that is another name, and does not leave the cluster', async () => {
    await service()
    await endpoints([await pod('a')])
    await service(
      { type: 'ExternalName', externalName: 'web.default.svc.cluster.local', ports: undefined },
      'alias',
    )
    await service({ type: 'ExternalName', externalName: 'example.com', ports: undefined }, 'out')
    await service(
      { type: 'ExternalName', externalName: 'loop.default.svc.cluster.local', ports: undefined },
      'loop',
    )
    expect(await ask('alias', 8080)).toBe('a:x')
    await expect(ask('out', 80)).rejects.toMatchObject({ code: 'HOST_OUTSIDE' })
    await expect(ask('93.184.216.34', 80)).rejects.toMatchObject({ code: 'HOST_OUTSIDE' })
    await expect(ask('loop', 80)).rejects.toMatchObject({ code: expect.stringMatching(/^HOST_/) })
  })
})

describe('a hosts file', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'homeostat-hosts-'))
    network.openHostsFile({ path: join(folder, 'hosts'), namespace, head: '' })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** The addresses of a name. */
  function hosts(name: string): string[] {
    const lines = readFileSync(join(folder, 'hosts'), 'utf8').split('\n')
    return lines.filter((line) => line.split(/\s/).includes(name)).map((line) => line.split('\t')[0] ?? '')
  }

  it('has Services, the Pods of headless ones, and other names for them', async () => {
    await service({ clusterIP: 'None' })
    await service({}, 'plain')
    await service({ type: 'ExternalName', externalName: 'plain.default.svc.cluster.local' }, 'alias')
    await service({ type: 'ExternalName', externalName: 'example.com' }, 'outside')
    const [a, b] = [await pod('a'), await pod('b')]
    await endpoints([a, { hostname: 'web-0' }], [b, { hostname: 'web-1' }])
    const { host } = await services.address({ namespace, name: 'plain' })
    const [first, second] = [pods.locate(a, 0)?.host, pods.locate(b, 0)?.host]
    expect([hosts('plain'), hosts('alias.default.svc'), hosts('outside')]).toEqual([[host], [host], []])
    expect([hosts('web'), hosts('web-1.web.default')]).toEqual([[first, second], [second]])
    await endpoints([b, { hostname: 'web-1' }])
    expect([hosts('web'), hosts('web-0.web')]).toEqual([[second], []])
  })

  it('leaves out a Service whose ports are moved: another program may listen on the declared one', async () => {
    const before = await services.address({ namespace, name: 'kubernetes' })
    // They are the addresses of the next two Services.
    const taken = await Promise.all([1, 2].map((step) => takePort(before.host, step)))
    await service({}, 'lost')
    const ports = [
      { name: 'a', port: 8080 },
      { name: 'b', port: 8081 },
    ]
    await service({ ports }, 'half')
    const lost = await services.address({ namespace, name: 'lost' })
    const half = await services.address({ namespace, name: 'half' }, 'b')
    expect([lost.port === 8080, half.port]).toEqual([false, 8081])
    expect([hosts('kubernetes'), hosts('lost'), hosts('half')]).toEqual([[before.host], [], [half.host]])
    for (const server of taken) server.close()
  })

  /** Takes port 8080 of a later address, by its distance. */
  async function takePort(host: string, step: number): Promise<Server> {
    const server = createServer()
    const other = host.replace(/\d+$/, (last) => String(Number(last) + step))
    await new Promise<void>((resolve) => server.listen(8080, other, resolve))
    return server
  }
})

describe('the variables of Services', () => {
  it('are loopback addresses for a process, and the Services’ own for others', async () => {
    await service()
    const { spec } = await client.getOrThrow(Service, web)
    const own = await services.environment(namespace, { links: true, process: false })
    expect(own).toMatchObject({ WEB_SERVICE_HOST: spec.clusterIP, KUBERNETES_SERVICE_HOST: '10.96.0.1' })
    const loopbacks = await services.environment(namespace, { links: true, process: true })
    const address = await services.address(web)
    expect(loopbacks).toMatchObject({
      WEB_SERVICE_HOST: address.host,
      WEB_SERVICE_PORT: String(address.port),
      WEB_PORT_8080_TCP: `tcp://${address.host}:${address.port}`,
    })
  })

  it('are only those of the API where a Pod wants no links', async () => {
    await service()
    const names = Object.keys(await services.environment(namespace, { links: false, process: false }))
    expect(names.filter((name) => name.endsWith('_SERVICE_HOST'))).toEqual(['KUBERNETES_SERVICE_HOST'])
  })
})

describe('forwarding a local port', () => {
  it('leads to the Service until it is closed', async () => {
    await service()
    await endpoints([await pod('a')])
    const forward = await services.forward({ service: web, port: 8080 })
    expect(forward.url).toBe(`http://localhost:${forward.port}`)
    expect(await talk(forward, 'x')).toBe('a:x')
    await forward.close()
    expect(await talk(forward, 'x')).toBe('ECONNREFUSED')
  })

  it('can begin before the Service is there', async () => {
    const forward = await services.forward({ service: web, port: 'http' })
    expect(await talk(forward, 'x')).toBe('ECONNRESET')
    await service()
    expect(await talk(forward, 'x')).toBe('ECONNRESET')
    await endpoints([await pod('a')])
    expect(await talk(forward, 'x')).toBe('a:x')
  })

  it('reports a port that is in use, with the remedy', async () => {
    const forward = await services.forward({ service: web })
    await expect(services.forward({ service: web, localPort: forward.port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: `port ${forward.port} of 127.0.0.1 is in use: end the program that uses it, or choose another port`,
    })
  })

  it('ends open connections when the network closes', async () => {
    await service()
    await endpoints([await pod('a')])
    const forward = await services.forward({ service: web })
    const socket = connect(forward.port, forward.host)
    await new Promise((resolve) => socket.once('data', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await services.close()
    expect(await closed).toBe(false)
  })
})
