import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { markdownTable } from '../markdown-table.ts'
import { Api } from '../runtime/api.ts'
import { processUsage } from '../runtime/process-usage.ts'
import { NAMESPACE_PATH, widget } from '../runtime/widgets.ts'
import type { Programs } from './compile-programs.ts'
import { create, define, list, watchUpdates } from './load.ts'
import type { Options } from './options.ts'
import { startOursOn, type RunningServer } from './servers.ts'

/** The pages of a list that a client reads in parts. */
const PAGE = 500
const PAGES = 20
const MOST_BYTES = 2.5e9
const LONGEST_START = 10_000

/**
 * Fills a folder with objects, starts ours on it, and prints the time until its first answer, and its memory after lists,
 * creates and watches.
 */
export async function measureMemory(
  programs: Programs,
  options: Options,
  signal: AbortSignal,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeostat-memory-'))
  const data = join(folder, 'data')
  try {
    await first(data, programs, signal)
    console.log(`Writing ${options.memory.toLocaleString('en')} objects to a folder …`)
    const fill = join(import.meta.dirname, 'fill-store.ts')
    const args = ['--conditions=source', '--max-old-space-size=8192', fill, data, String(options.memory)]
    await promisify(execFile)(process.execPath, args, { signal })
    console.log('Starting ours on it …')
    await using server = await startOursOn(data, programs)
    console.log((await measured(server, options, signal)).join('\n'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lets the server itself write the first object, and so the form of all. */
async function first(data: string, programs: Programs, signal: AbortSignal): Promise<void> {
  await using server = await startOursOn(data, programs)
  using api = new Api(server, 1)
  await define(api, signal)
  await api.send('POST', `${NAMESPACE_PATH}?fieldManager=benchmark`, widget(0))
}

async function measured(server: RunningServer, options: Options, signal: AbortSignal): Promise<string[]> {
  const usage = () => server.pids.map((pid) => processUsage(pid))
  const resident = () => usage().reduce((sum, { residentBytes }) => sum + residentBytes, 0)
  const started = usage().reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const afterStart = resident()
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`
  console.log(`  first answer after ${(server.firstAnswer / 1_000).toFixed(1)} s, ${gigabytes(afterStart)}`)
  using api = new Api(server, options.connections)
  const pages = await readPages(api, signal)
  const whole = await list(server, signal)
  const afterList = resident()
  console.log(`  list in ${whole.seconds.toFixed(1)} s, ${gigabytes(afterList)} after it`)
  const { connections, creates, memory, watchers, watchSeconds: seconds, writesPerSecond } = options
  const perSecond = await create(api, { from: memory, to: memory + creates, connections, signal })
  const pace = { perSecond: writesPerSecond, seconds }
  const watch = await watchUpdates(server, api, { watchers, objects: memory, ...pace, signal })
  const end = resident()
  const peak = usage().reduce((sum, { peakResidentBytes }) => sum + peakResidentBytes, 0)
  const aim = (met: boolean, what: string): string => `${what}: ${met ? 'met' : 'not met'}`
  return [
    `Load average ${(loadavg()[0] ?? 0).toFixed(1)} in the end.`,
    '',
    ...markdownTable(
      [`${memory.toLocaleString('en')} objects`, 'measured', 'aim'],
      [
        [
          'start from disk until the first answer',
          `${(server.firstAnswer / 1_000).toFixed(1)} s (${started.toFixed(1)} s of CPU)`,
          aim(server.firstAnswer < LONGEST_START, 'under 10 s'),
        ],
        ['memory after the start', gigabytes(afterStart), ''],
        [`${PAGES} pages of a list, ${PAGE} objects each`, `${pages.toFixed(0)} ms a page`, ''],
        ['the whole list', `${whole.seconds.toFixed(1)} s, ${gigabytes(whole.bytes)}`, ''],
        ['memory after the lists', gigabytes(afterList), ''],
        ['creates a second', perSecond.toFixed(0), ''],
        [
          `events seen by ${watchers} watchers`,
          `${watch.seen} of ${watch.expected}, lag p99 ${watch.lagP99.toFixed(0)} ms`,
          aim(watch.seen === watch.expected, 'all'),
        ],
        ['memory in the end', gigabytes(end), aim(end <= MOST_BYTES, 'at most 2.5 GB')],
        ['most memory at any time', gigabytes(peak), aim(peak <= MOST_BYTES, 'at most 2.5 GB')],
      ],
    ),
  ]
}

/** Reads the first pages of the list; milliseconds a page. */
async function readPages(api: Api, signal: AbortSignal): Promise<number> {
  const start = performance.now()
  let token = ''
  for (let page = 0; page < PAGES; page++) {
    signal.throwIfAborted()
    const answer = await api.send(
      'GET',
      `${NAMESPACE_PATH}?limit=${PAGE}&continue=${encodeURIComponent(token)}`,
    )
    token = (JSON.parse(answer) as { metadata: { continue?: string } }).metadata.continue ?? ''
    if (token === '') break
  }
  return (performance.now() - start) / PAGES
}
