/**
 * Sends hostile requests to a server in this process, and writes down for each how much was done: a line of JSON on its
 * output for each request. Work is counted by the engine itself, which counts how often each block of the code runs:
 * the same request always counts the same, however busy the machine is. Only the thread of the event loop counts.
 */
import { Session } from 'node:inspector'
import { argv, stdout } from 'node:process'
import type { HostileCall, HostileRequest } from './index.ts'

/** The cost of one request. */
export interface CountedWork {
  readonly title: string
  readonly size: number
  readonly code: number
  /** The bytes of its answer. */
  readonly answer: number
  /** Blocks of code that ran in all, and at most in one turn of the event loop. */
  readonly steps: number
  readonly longestTurn: number
  /** The growth of the heap that is left afterwards, in bytes. */
  readonly heap: number
}

const session = new Session()
session.connect()
session.post('Profiler.enable')
// Before anything that is counted is compiled.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const { ApiServer } = await import('@homeostat/apiserver')
const { HOSTILE_REQUESTS, hostileDefinition, CONFIG_MAPS, DEFINITIONS } = await import('./index.ts')

/** The blocks that ran since the last call, in code that the server consists of. */
function takeSteps(): number {
  let steps = 0
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const { url, functions } of coverage.result) {
      if (!url.includes('/packages/') && !/node_modules\/(?:re2js|yaml)\//.test(url)) continue
      for (const { ranges } of functions) for (const { count } of ranges) steps += count
    }
  })
  return steps
}

type Server = Awaited<ReturnType<typeof ApiServer.start>>

async function send(server: Server, call: HostileCall): Promise<{ code: number; answer: number }> {
  const [path = '', query] = call.path.split('?')
  const contentType =
    call.contentType ?? (call.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json')
  const { status, body } = await server.handler({
    method: call.method,
    path,
    query: new URLSearchParams(query),
    headers: { 'user-agent': 'hostile', 'content-type': contentType, ...call.headers },
    body: new TextEncoder().encode(typeof call.body === 'string' ? call.body : JSON.stringify(call.body)),
  })
  return { code: status, answer: (body as Uint8Array).length }
}

async function prepare(server: Server, hostile: HostileRequest, size: number): Promise<void> {
  const before = [
    { method: 'POST' as const, path: CONFIG_MAPS, body: { metadata: { name: 'warm' } } },
    ...(hostile.spec
      ? [
          {
            method: 'POST' as const,
            path: DEFINITIONS,
            body: hostileDefinition(hostile.spec, hostile.version),
          },
        ]
      : []),
    ...(hostile.before?.(size) ?? []),
  ]
  for (const call of before) {
    const { code } = await send(server, call)
    if (code >= 300)
      throw new Error(`${hostile.title}: ${call.method} ${call.path} was answered with ${code}`)
  }
}

async function count(hostile: HostileRequest, size: number): Promise<CountedWork> {
  const server = await ApiServer.start()
  try {
    await prepare(server, hostile, size)
    const call = hostile.request(size)
    globalThis.gc?.()
    const heap = process.memoryUsage().heapUsed
    let [steps, longestTurn, done] = [0, 0, false]
    let timer: NodeJS.Timeout
    takeSteps()
    const turn = (): void => {
      const taken = takeSteps()
      steps += taken
      longestTurn = Math.max(longestTurn, taken)
      // A timer that is due comes between two turns; while another thread works, little is to be counted.
      if (!done) timer = setTimeout(turn, 5)
    }
    timer = setTimeout(turn, 1)
    const answer = await send(server, call)
    done = true
    clearTimeout(timer)
    await new Promise((resolve) => setImmediate(resolve))
    turn()
    globalThis.gc?.()
    const left = process.memoryUsage().heapUsed - heap
    return { title: hostile.title, size, ...answer, steps, longestTurn, heap: left }
  } finally {
    await server.close()
  }
}

const [, , only = ''] = argv
for (const hostile of HOSTILE_REQUESTS) {
  if (!hostile.title.includes(only)) continue
  const sizes = [hostile.size / 32, hostile.size / 16, ...(hostile.whole ? [hostile.size] : [])]
  for (const size of sizes) {
    stdout.write(`${JSON.stringify(await count(hostile, Math.max(1, Math.floor(size))))}\n`)
  }
}
