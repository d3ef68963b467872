import { connect, createServer, type AddressInfo } from 'node:net'
import { SimulatedClock } from '@homeostat/api'
import { Event, Pod } from '@homeostat/api/kinds'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, Manager, silentLogger, type Client } from 'homeostat'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HostPorts } from './host-ports.ts'

const namespace = 'default'
const key = { namespace, name: 'web' }

let clock: SimulatedClock
let client: Client
let stop: () => Promise<void>

beforeEach(async () => {
  clock = new SimulatedClock()
  const pod = createServer((socket) => socket.end('the pod'))
  await new Promise<void>((resolve) => pod.listen(0, '127.0.0.1', resolve))
  const place = { host: '127.0.0.1', port: (pod.address() as AddressInfo).port }
  const locate = (address: string, port: number) =>
    address === '10.244.0.2' && port === 3000 ? place : undefined
  const server = await ApiServer.start({ clock })
  const transport = directTransport(server.handler, { clock })
  client = createClient({ transport, clock, fieldManager: 'test' })
  const ports = new HostPorts({ locate })
  const stopping = new AbortController()
  const running = new Manager({ transport, clock, logger: silentLogger })
    .add(ports.controller)
    .start({ signal: stopping.signal })
  stop = async () => {
    stopping.abort()
    await running
    await ports.close()
    await server.close()
    pod.close()
  }
  await clock.settle()
})
afterEach(() => stop())

async function createPod(hostPort: number): Promise<void> {
  const made = await client.create(Pod, {
    metadata: key,
    spec: { containers: [{ name: 'web', image: 'web', ports: [{ containerPort: 3000, hostPort }] }] },
  })
  await client.status.update(Pod, { ...made, status: { phase: 'Running', podIP: '10.244.0.2' } })
  await clock.settle()
}

function talk(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (data) => (heard += data.toString()))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    socket.on('close', () => resolve(heard))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

it('a port of the node leads to the Pod that asks for it, until the Pod has ended', async () => {
  const port = await freePort()
  await createPod(port)
  expect(await talk(port)).toBe('the pod')
  const pod = await client.getOrThrow(Pod, key)
  await client.status.update(Pod, { ...pod, status: { ...pod.status, phase: 'Succeeded' } })
  await clock.settle()
  expect(await talk(port)).toBe('ECONNREFUSED')
})

it('a port of the node is free again when the Pod is deleted', async () => {
  const port = await freePort()
  await createPod(port)
  await client.delete(Pod, key, { gracePeriodSeconds: 0 })
  await clock.settle()
  expect(await talk(port)).toBe('ECONNREFUSED')
})

it('a port that another program uses is reported in an event, and opened when it is free', async () => {
  const taken = createServer((socket) => socket.end('another'))
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  await createPod(port)
  await clock.advance('1s')
  expect(await client.list(Event, { namespace })).toMatchObject([
    {
      type: 'Warning',
      reason: 'HostPortUnavailable',
      note: expect.stringContaining(`port ${port} of 127.0.0.1 is in use`),
    },
  ])
  expect(await talk(port)).toBe('another')
  await new Promise((resolve) => taken.close(resolve))
  await clock.advance('15s')
  expect(await talk(port)).toBe('the pod')
})
