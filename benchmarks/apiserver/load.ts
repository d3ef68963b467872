import { Agent, request } from 'node:https'
import { customResourceDefinition } from 'homeostat'
import { Widget } from '../peers/ours/widget.ts'
import { startOfClock } from '../peers/tally.ts'
import type { Api } from '../runtime/api.ts'
import { percentile } from '../runtime/statistics.ts'
import { NAMESPACE_PATH, nameOf, served, update, widget, WIDGETS_PATH } from '../runtime/widgets.ts'
import type { RunningServer } from './servers.ts'

const MEGABYTE = 1024 * 1024

/** Defines the kind that is measured with. */
export async function define(api: Api, signal: AbortSignal): Promise<void> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await api.send('POST', definitions, customResourceDefinition(Widget))
  await served(api, signal)
}

/** A range of objects by their numbers, and over how many connections requests for them are sent. */
interface Batch {
  readonly from: number
  /** The first number that is not in it. */
  readonly to: number
  readonly connections: number
  readonly signal: AbortSignal
}

/** Creates the objects of a batch; how many a second. */
export async function create(api: Api, batch: Batch): Promise<number> {
  const start = performance.now()
  await forEach(batch, (index) => api.send('POST', `${NAMESPACE_PATH}?fieldManager=benchmark`, widget(index)))
  return ((batch.to - batch.from) * 1_000) / (performance.now() - start)
}

/** Creates the objects of a batch and deletes them: the server's machine code, caches and connections settle. */
export async function warmUp(api: Api, batch: Batch): Promise<void> {
  await create(api, batch)
  await forEach(batch, (index) => api.send('DELETE', `${NAMESPACE_PATH}/${nameOf(index)}`))
}

async function forEach(
  { from, to, connections, signal }: Batch,
  send: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = from
  const sendSome = async (): Promise<void> => {
    while (next < to) {
      signal.throwIfAborted()
      await send(next++)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSome))
}

/** Lists all objects and throws the bytes away: how long it took, in seconds, and how many there were. */
export function list(
  server: RunningServer,
  signal: AbortSignal,
): Promise<{ seconds: number; bytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ seconds: number; bytes: number }>()
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json' }
  const options = { headers, ca: server.certificateAuthority, agent: false, signal } as const
  const start = performance.now()
  request(`${server.url}${WIDGETS_PATH}`, options, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.on('error', reject)
    response.on('end', () => {
      if (response.statusCode === 200) resolve({ seconds: (performance.now() - start) / 1_000, bytes })
      else reject(new Error(`the list was answered with ${response.statusCode}`))
    })
  })
    .on('error', reject)
    .end()
  return promise
}

/** The updates that watchers have seen. */
export interface WatchFindings {
  readonly expected: number
  readonly seen: number
  /** From before a write was sent until a watcher had it, in milliseconds. */
  readonly lagP50: number
  readonly lagP99: number
  readonly megabytesPerSecond: number
}

/** Lets many watch all objects while these are updated at an even pace. */
export async function watchUpdates(
  server: RunningServer,
  api: Api,
  options: { watchers: number; objects: number; perSecond: number; seconds: number; signal: AbortSignal },
): Promise<WatchFindings> {
  const { watchers, objects, perSecond, seconds, signal } = options
  const { metadata } = JSON.parse(await api.send('GET', `${WIDGETS_PATH}?limit=1`)) as {
    metadata: { resourceVersion: string }
  }
  const expected = watchers * perSecond * seconds
  const lags: number[] = []
  let bytes = 0
  const done = Promise.withResolvers<void>()
  const stop = new AbortController()
  const agent = new Agent({ maxSockets: Infinity, ca: server.certificateAuthority })
  const path = `${WIDGETS_PATH}?watch=true&resourceVersion=${metadata.resourceVersion}`
  const watching = Array.from({ length: watchers }, () =>
    openWatch(server, agent, path, AbortSignal.any([signal, stop.signal]), (lag, length) => {
      lags.push(lag)
      bytes += length
      if (lags.length === expected) done.resolve()
    }),
  )
  try {
    await Promise.all(watching)
    await update(api, { count: objects, perSecond, seconds, signal })
    const timeout = setTimeout(done.resolve, 10_000)
    await done.promise
    clearTimeout(timeout)
  } finally {
    stop.abort()
    agent.destroy()
  }
  return {
    expected,
    seen: lags.length,
    lagP50: percentile(lags, 0.5) ?? Number.NaN,
    lagP99: percentile(lags, 0.99) ?? Number.NaN,
    megabytesPerSecond: bytes / MEGABYTE / seconds,
  }
}

/** Resolves when the watch is open. The events are not parsed: a hundred watchers would measure the parser. */
function openWatch(
  server: RunningServer,
  agent: Agent,
  path: string,
  signal: AbortSignal,
  onEvent: (lag: number, bytes: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const clock = startOfClock()
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json' }
  const asked = request(`${server.url}${path}`, { headers, agent, signal }, (response) => {
    resolve()
    let rest: Buffer = Buffer.alloc(0)
    response.on('data', (chunk: Buffer) => {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const now = (clock + performance.now()) * 1_000
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const at = rest.lastIndexOf('"writtenAt":', end)
        const writtenAt = Number.parseInt(rest.toString('latin1', at + 12, at + 32), 10)
        onEvent((now - writtenAt) / 1_000, end)
        rest = rest.subarray(end + 1)
      }
    })
    response.on('error', () => undefined)
  })
  asked.on('error', reject)
  asked.end()
  return promise
}
