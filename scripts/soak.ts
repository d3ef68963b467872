/**
 * A soak: a manager on an API server in another process, whose objects change all the time. It checks that the
 * manager's memory stays flat and that nothing is lost. `npm run soak -- --help`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import {
  connect,
  createClient,
  customResourceDefinition,
  loadConfig,
  SystemClock,
  type Client,
  type Clock,
} from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { Child } from './soak/child.ts'
import type { Answer, Listening, Question, ServerUsage, Tally } from './soak/conversation.ts'
import { Load, lost } from './soak/load.ts'
import { memoryTrend, type MemorySample } from './soak/memory-trend.ts'
import { HELP, readOptions, type SoakOptions } from './soak/options.ts'
import { Sample } from './soak/sample.ts'

type Operator = Child<Question, Answer>

/** How often memory is measured. A short soak measures often enough for a line. */
const LOOK_SECONDS = 15
const FEWEST_LOOKS = 8
/** Below this, what processes need to start and to find their size is more than what could be lost. */
const JUDGED_FROM_MINUTES = 1
const CATCH_UP_MILLISECONDS = 60_000

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort())

try {
  const options = readOptions(process.argv.slice(2))
  if (!options) console.log(HELP)
  else if (!(await soak(options, interrupted.signal))) process.exitCode = 1
} catch (error) {
  console.error(interrupted.signal.aborted ? 'stopped' : error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Runs the soak, prints what came of it, and answers whether all is well. */
async function soak(options: SoakOptions, signal: AbortSignal): Promise<boolean> {
  const clock = new SystemClock()
  await using server = new Child<object, Listening & ServerUsage>('server')
  await using file = await temporaryFile((await server.next()).kubeconfig)
  await using transport = connect(loadConfig({ kubeconfig: file.path }), { clock })
  const client = createClient({ transport, clock, fieldManager: 'soak' })
  await serveSamples(client, clock)
  const load = new Load(client, clock, options.count)
  await load.fill()
  await using operator: Operator = new Child('operator', [file.path, String(options.count)])
  await operator.next()
  console.log(
    `${options.count} objects, ${options.rate} writes a second, ${options.minutes} minutes. Memory is read after a collection.`,
  )
  const before = await server.next({})
  const { samples, seconds, cpuSeconds } = await watchMemory(operator, load, options, clock, signal)
  if (load.failure !== undefined) throw load.failure
  signal.throwIfAborted()
  const serverSeconds = (await server.next({})).cpuSeconds - before.cpuSeconds
  const left = await catchUp(client, load, clock)
  const { tally } = await ask(operator, 'tally')
  operator.tell({ ask: 'stop' })
  const code = await operator.ended()
  return report({
    options,
    samples,
    seconds,
    cpuSeconds,
    serverSeconds,
    writes: load.writes,
    left,
    tally,
    code,
  })
}

async function serveSamples(client: Client, clock: Clock): Promise<void> {
  await client.create(CustomResourceDefinition, customResourceDefinition(Sample))
  while (!(await client.kinds.find('soak.example.com/v1', 'Sample'))) await clock.sleep(50)
}

/** Lets the load run for its time, and looks at the operator's memory now and then. */
async function watchMemory(
  operator: Operator,
  load: Load,
  options: SoakOptions,
  clock: Clock,
  signal: AbortSignal,
) {
  const seconds = options.minutes * 60
  const pause = Math.min(LOOK_SECONDS, seconds / FEWEST_LOOKS)
  const end = new AbortController()
  const begin = clock.monotonic()
  const stop = (): void => end.abort()
  signal.addEventListener('abort', stop, { once: true })
  const samples: MemorySample[] = []
  const before = await ask(operator, 'memory')
  let cpu = before.cpuSeconds
  const writing = load.run(options.rate, end.signal)
  for (let look = 1; look * pause <= seconds + 1e-9 && !end.signal.aborted; look++) {
    const wait = begin + look * pause * 1000 - clock.monotonic()
    await clock.sleep(Math.max(0, wait), { signal: end.signal }).catch(() => {})
    if (end.signal.aborted || load.failure !== undefined) break
    const { heap, resident, cpuSeconds } = await ask(operator, 'memory')
    cpu = cpuSeconds
    const sample = { seconds: (clock.monotonic() - begin) / 1000, heap, resident }
    samples.push(sample)
    console.log(
      `${sample.seconds.toFixed(0).padStart(5)} s  ${String(load.writes).padStart(8)} writes  heap ${mib(heap)}  resident ${mib(resident)}`,
    )
  }
  stop()
  await writing
  signal.removeEventListener('abort', stop)
  return { samples, seconds: (clock.monotonic() - begin) / 1000, cpuSeconds: cpu - before.cpuSeconds }
}

/** Waits until every object shows what was written to it last; gives those that do not. */
async function catchUp(client: Client, load: Load, clock: Clock): Promise<string[]> {
  const deadline = clock.monotonic() + CATCH_UP_MILLISECONDS
  for (;;) {
    const left = await lost(client, load.expected)
    if (left.length === 0 || clock.monotonic() > deadline) return left
    await clock.sleep(200)
  }
}

async function ask<A extends 'memory' | 'tally'>(
  operator: Operator,
  what: A,
): Promise<Extract<Answer, { type: A }>> {
  const answer = await operator.next({ ask: what })
  return answer as Extract<Answer, { type: A }>
}

interface Findings {
  readonly options: SoakOptions
  readonly samples: readonly MemorySample[]
  readonly seconds: number
  readonly cpuSeconds: number
  readonly serverSeconds: number
  readonly writes: number
  readonly left: readonly string[]
  readonly tally: Tally
  readonly code: number | null
}

/** Prints the table; answers whether all is well. */
function report(findings: Findings): boolean {
  const { options, samples, seconds, cpuSeconds, serverSeconds, writes, left, tally, code } = findings
  const heap = memoryTrend(samples, 'heap')
  const resident = memoryTrend(samples, 'resident')
  const judged = options.minutes >= JUDGED_FROM_MINUTES
  const rate = writes / seconds
  const rows: [string, string, boolean | undefined][] = [
    ['writes', `${writes}, ${rate.toFixed(1)} a second`, judged ? rate >= 0.9 * options.rate : undefined],
    ['reconciles', `${tally.reconciles}, ${tally.failures} of them failed as they should`, undefined],
    ['write to reconcile', `p50 ${tally.latency.p50} ms, p99 ${tally.latency.p99} ms`, undefined],
    ['CPU of the operator', `${((100 * cpuSeconds) / seconds).toFixed(1)} % of a core`, undefined],
    ['CPU of the server', `${((100 * serverSeconds) / seconds).toFixed(1)} % of a core`, undefined],
    ['heap, first and last', `${mib(heap.first)} → ${mib(heap.last)}`, undefined],
    ['heap, gained by trend', mib(heap.growth), judged ? heap.flat : undefined],
    ['resident, first and last', `${mib(resident.first)} → ${mib(resident.last)}`, undefined],
    ['resident, gained by trend', mib(resident.growth), judged ? resident.flat : undefined],
    ['objects left behind', String(left.length), left.length === 0],
    ['orderly stop', `exit code ${code}`, code === 0],
  ]
  console.log('')
  for (const [name, value, ok] of rows) {
    console.log(`${name.padEnd(28)}${value.padEnd(44)}${ok === undefined ? '' : ok ? 'ok' : 'FAILED'}`)
  }
  for (const line of left.slice(0, 10)) console.log(`  ${line}`)
  if (!judged) console.log(`Rate and memory are not judged below ${JUDGED_FROM_MINUTES} minute.`)
  return rows.every(([, , ok]) => ok !== false)
}

function mib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

async function temporaryFile(text: string): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'homeostat-soak-'))
  const path = join(folder, 'kubeconfig')
  await writeFile(path, text, { mode: 0o600 })
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
