import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Api } from '../runtime/api.ts'
import { processUsage } from '../runtime/process-usage.ts'
import { median } from '../runtime/statistics.ts'
import type { Programs } from './compile-programs.ts'
import { create, define, list, warmUp, watchUpdates, type WatchFindings } from './load.ts'
import type { Options } from './options.ts'
import { startServer, type ServerName } from './servers.ts'

/** How many objects are there when creates are first counted. */
export const FEW = 1_000

/** The measurements of one server. */
export interface Measurement {
  readonly name: ServerName
  /** Milliseconds. */
  readonly firstAnswer: number
  readonly idleBytes: number
  readonly createsPerSecond: number
  /** User and system time of the server for each create, in milliseconds. */
  readonly cpuPerCreate: number
  /** The same of the client. */
  readonly clientCpuPerCreate: number
  readonly createsPerSecondStored?: number | undefined
  readonly listSeconds?: number | undefined
  readonly listBytes?: number | undefined
  readonly watch?: WatchFindings | undefined
  readonly fullBytes: number
  /** How it does with few objects and with many; empty for the durable ones. */
  readonly growth: readonly Growth[]
}

/** How a server does while it holds so many objects. */
export interface Growth {
  readonly objects: number
  readonly createsPerSecond: number
  /** Milliseconds. */
  readonly cpuPerCreate: number
  readonly clientCpuPerCreate: number
  readonly listSeconds: number
  readonly residentBytes: number
}

/** Takes one server through everything. What takes long and says nothing new is left out for the durable ones. */
export async function measureServer(
  name: ServerName,
  programs: Programs,
  options: Options,
  signal: AbortSignal,
): Promise<Measurement> {
  const { connections, creates, objects, stored } = options
  const whole = name === 'ours' || name === 'kubernetes'
  const firstAnswers: number[] = []
  if (name.startsWith('ours')) {
    for (let start = 1; start < options.starts; start++) {
      await using server = await startServer(name, programs)
      firstAnswers.push(server.firstAnswer)
      signal.throwIfAborted()
    }
  }
  await using server = await startServer(name, programs)
  firstAnswers.push(server.firstAnswer)
  await sleep(options.idleSeconds * 1_000, undefined, { signal })
  const usage = () => server.pids.map((pid) => processUsage(pid))
  const resident = () => usage().reduce((sum, { residentBytes }) => sum + residentBytes, 0)
  const cpu = () => usage().reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const idleBytes = resident()

  using api = new Api(server, connections)
  await define(api, signal)
  await warmUp(api, { from: 0, to: options.warmUp, connections, signal })
  await create(api, { from: 0, to: FEW, connections, signal })
  const growth: Growth[] = []
  /** Measures a list of so many objects, and creates more. */
  const grow = async (from: number): Promise<Growth> => {
    const { seconds } = whole ? await list(server, signal) : { seconds: Number.NaN }
    const residentBytes = resident()
    const [before, clientBefore] = [cpu(), process.cpuUsage()]
    const createsPerSecond = await create(api, { from, to: from + creates, connections, signal })
    const cpuPerCreate = ((cpu() - before) * 1_000) / creates
    const { user, system } = process.cpuUsage(clientBefore)
    const clientCpuPerCreate = (user + system) / 1_000 / creates
    const listSeconds = seconds
    return { objects: from, createsPerSecond, cpuPerCreate, clientCpuPerCreate, listSeconds, residentBytes }
  }
  const few = await grow(FEW)
  if (whole) growth.push(few)
  const { createsPerSecond, cpuPerCreate, clientCpuPerCreate } = few
  let count = FEW + creates
  let listed: { seconds: number; bytes: number } | undefined
  let watch: WatchFindings | undefined
  let createsPerSecondStored: number | undefined
  if (whole) {
    const { watchers, writesPerSecond, watchSeconds } = options
    const pace = { perSecond: writesPerSecond, seconds: watchSeconds }
    watch = await watchUpdates(server, api, { watchers, objects: count, ...pace, signal })
    if (count < objects) await create(api, { from: count, to: objects, connections, signal })
    count = Math.max(count, objects)
    const lists: { seconds: number; bytes: number }[] = []
    for (let round = 0; round < 3; round++) lists.push(await list(server, signal))
    listed = { seconds: median(lists.map(({ seconds }) => seconds)) ?? 0, bytes: lists[0]?.bytes ?? 0 }
  }
  if (name === 'ours') {
    if (count < stored) await create(api, { from: count, to: stored, connections, signal })
    count = Math.max(count, stored)
    const many = await grow(count)
    growth.push(many)
    createsPerSecondStored = many.createsPerSecond
  }
  return {
    name,
    firstAnswer: median(firstAnswers) ?? Number.NaN,
    idleBytes,
    createsPerSecond,
    cpuPerCreate,
    clientCpuPerCreate,
    createsPerSecondStored,
    listSeconds: listed?.seconds,
    listBytes: listed?.bytes,
    watch,
    fullBytes: resident(),
    growth,
  }
}

/** The work of our server inside another program. */
export interface InProcess {
  /** Milliseconds until its module was loaded, and until the first answer was there, from the same moment. */
  readonly loaded: number
  readonly answered: number
  /** Servers started and stopped one after the other, each with a port. */
  readonly cycles: {
    readonly count: number
    readonly seconds: number
    readonly heapGrowth: number
    readonly handlesLeft: number
  }
}

/** Measures it in processes of their own. */
export async function measureInProcess(
  programs: Programs,
  options: Options,
  signal: AbortSignal,
): Promise<InProcess> {
  const run = async (...args: string[]): Promise<any> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...args], { signal })
    return JSON.parse(stdout)
  }
  const starts: { loaded: number; answered: number }[] = []
  for (let start = 0; start < options.starts; start++) starts.push(await run(programs['in-process']))
  return {
    loaded: median(starts.map(({ loaded }) => loaded)) ?? Number.NaN,
    answered: median(starts.map(({ answered }) => answered)) ?? Number.NaN,
    cycles: await run(programs['many-servers'], String(options.cycles)),
  }
}
