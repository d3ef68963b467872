import type { ApiResponse } from '@homeostat/api'
import {
  DEFINITIONS,
  HOSTILE_REQUESTS,
  HOSTILES,
  hostileDefinition,
  type HostileCall,
  type HostileRequest,
} from '../../test/hostile/requests/index.ts'
import type { ClusterProcess } from '../cluster/cluster-process.ts'
import { bytesOf } from './bytes-of.ts'
import type { HostileCase } from './hostile-case.ts'

const TIMEOUT = 30_000

/** Each hostile request in its full size, and where that is more also as long as a body may be. */
const requests: readonly HostileRequest[] = HOSTILE_REQUESTS.flatMap((hostile) => {
  const { title, unstorable: size } = hostile
  return size === undefined
    ? [hostile]
    : [hostile, { ...hostile, title: `${title}, too many to be stored`, size, code: 500 }]
})

/** Each is sent once. */
export const requestCases: readonly HostileCase[] = requests.map((hostile) => ({
  group: 'requests',
  title: hostile.title,
  prepare: (cluster, signal) => prepare(cluster, hostile, signal),
  async run(cluster, _seconds, signal) {
    const answer = await send(cluster, hostile.request(hostile.size), signal)
    const length = await bytesOf(answer)
    const code = hostile.overPort ?? hostile.code
    if (answer.status !== code) throw new Error(`answered ${answer.status}, not ${code}`)
    return { answer: length, note: `answered ${answer.status}` }
  },
}))

async function prepare(
  cluster: ClusterProcess,
  { spec, version, before, size }: HostileRequest,
  signal: AbortSignal,
): Promise<void> {
  if (spec) {
    await mustSucceed(
      cluster,
      { method: 'POST', path: DEFINITIONS, body: hostileDefinition(spec, version) },
      signal,
    )
    // The kind is served a moment after its definition was made.
    for (const end = performance.now() + TIMEOUT; ;) {
      const answer = await send(cluster, { method: 'GET', path: HOSTILES }, signal)
      await bytesOf(answer)
      if (answer.status === 200) break
      if (performance.now() > end) throw new Error('the custom kind is not served')
    }
  }
  for (const call of before?.(size) ?? []) await mustSucceed(cluster, call, signal)
}

async function mustSucceed(cluster: ClusterProcess, call: HostileCall, signal: AbortSignal): Promise<void> {
  const answer = await send(cluster, call, signal)
  await bytesOf(answer)
  if (answer.status >= 300) throw new Error(`${call.method} ${call.path} was answered with ${answer.status}`)
}

function send({ transport }: ClusterProcess, call: HostileCall, signal: AbortSignal): Promise<ApiResponse> {
  const [path = '', query = ''] = call.path.split('?', 2)
  const type =
    call.contentType ?? (call.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json')
  const text = typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  return transport.send({
    method: call.method,
    path,
    query: new URLSearchParams(query),
    headers: { ...(call.body === undefined ? {} : { 'content-type': type }), ...inOneLine(call.headers) },
    body: call.body === undefined ? undefined : new TextEncoder().encode(text),
    signal,
  })
}

/** A port has only one header of a name here, and a line break cannot be sent. */
function inOneLine(headers: HostileCall['headers'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll('\n', ', ')]),
  )
}
