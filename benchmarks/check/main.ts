/** Measures the checker: `npm run bench check`. How many runs it plays a second in one and two threads, and what more objects cost. */
import { loadavg } from 'node:os'
import { check, checkModule, type CheckOptions } from '@homeostat/check'
import { controller, controllerReference, defineKind, operator, sample, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import markdownView from '../../examples/markdownview/operator.ts'
import { markdownTable } from '../markdown-table.ts'
import { printControllers } from './controllers.ts'
import { printCorpus } from './corpus.ts'
import { printOperators } from './operators.ts'

/** Runs a second by two threads, and milliseconds of a run. */
const [RATE_AIM, RUN_AIM] = [500, 5]
/** So many combinations of faults make a check long enough for the engine to have compiled what it runs. */
const COMBINATIONS = 1_500
/** The combinations of each of the samples with which two threads play at their full rate for about ten seconds. */
const COMBINATIONS_OF_THREADS = 1_200
/** Runs after which the full rate of two threads is measured: each has compiled by then what it runs. */
const WARM_UP = 2_000

const Set = defineKind({
  group: 'bench.example.com',
  version: 'v1',
  kind: 'Set',
  spec: s.object({ text: s.string(), note: s.string().optional() }),
})

/** An operator that makes so many ConfigMaps for each object. */
function setsOf(size: number) {
  const sets = controller('sets')
    .for(Set)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .reconcile(async (key, { client }) => {
      const set = await client.get(Set, key)
      if (!set) return
      for (let index = 0; index < size; index++) {
        const { namespace } = key
        const ownerReferences = [controllerReference(set)]
        const metadata = { namespace, name: `${key.name}-${index}`, ownerReferences }
        await client.apply(ConfigMap, { metadata, data: { text: set.spec.text } })
      }
    })
  const metadata = { name: 'one', namespace: 'default' }
  return operator('sets', { controllers: [sets], samples: [sample(Set, { metadata, spec: { text: 'a' } })] })
}

const rows: string[][] = []
if (process.argv.includes('--corpus')) await checkCorpus()
else if (process.argv.includes('--controllers')) await checkControllers()
else await measureAll()

async function checkCorpus(): Promise<void> {
  // Names after it are those of folders of the corpus.
  if (process.argv.at(-1) === '--corpus') await printCorpus()
  const outdated = await printOperators()
  if (outdated.length === 0) return
  console.log(`bring test/check/corpus/missed.ts up to date: ${outdated.join('; ')}`)
  process.exitCode = 1
}

async function checkControllers(): Promise<void> {
  const found = await printControllers()
  if (found > 0) process.exitCode = 1
}

async function measureAll(): Promise<void> {
  const load = loadavg()[0]?.toFixed(1)
  await measure('MarkdownView, first check of the process', markdownView)
  const second = await measure('MarkdownView, second check', markdownView)
  await measure('MarkdownView, a long check', markdownView, { combinations: COMBINATIONS })
  for (const size of [1, 4, 16]) await measure(`ConfigMaps: ${size}`, setsOf(size))
  const head = [
    'operator',
    'runs',
    'states',
    'ms of its thread',
    'CPU ms',
    'runs a second',
    'states a second',
  ]
  console.log(markdownTable(head, rows).join('\n'))
  const { start, played, rate, cpu, share } = await measureThreads()
  console.log(
    `MarkdownView with four samples by two threads: ${start.runs} runs in the first ${(start.milliseconds / 1_000).toFixed(1)} s ` +
      `with ${(start.cpu / start.runs).toFixed(1)} ms of CPU each, then ${played} runs at ${rate.toFixed(0)} in a second of real time ` +
      `with ${cpu.toFixed(1)} ms of CPU each, in ${(100 * share).toFixed(0)} % of the time of two CPUs`,
  )
  console.log(`Load average ${load} before, ${loadavg()[0]?.toFixed(1)} after.`)
  console.log(
    `a run of the second check: ${second.toFixed(1)} ms of its thread, aim ${RUN_AIM} ms: ${met(second <= RUN_AIM)}`,
  )
  console.log(`runs a second by two threads: ${rate.toFixed(0)}, aim ${RATE_AIM}: ${met(rate >= RATE_AIM)}`)
}

function met(isMet: boolean): string {
  return isMet ? 'met' : 'not met'
}

/**
 * Adds a row. Returns the milliseconds of a run: those in which the thread that plays it computes. The CPU time of the process is more, since
 * the engine compiles and collects garbage in other threads.
 */
async function measure(
  name: string,
  checked: Parameters<typeof check>[0],
  options: CheckOptions = {},
): Promise<number> {
  const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()]
  const { runs, states } = await check(checked, options)
  const thread = millisecondsOf(process.threadCpuUsage(ofThread))
  const all = millisecondsOf(process.cpuUsage(ofProcess))
  rows.push([
    name,
    String(runs),
    String(states),
    (thread / runs).toFixed(1),
    (all / runs).toFixed(1),
    ((1_000 * runs) / thread).toFixed(0),
    ((1_000 * states) / thread).toFixed(0),
  ])
  return thread / runs
}

function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}

/** A moment of a check. */
interface Moment {
  readonly runs: number
  readonly milliseconds: number
  readonly cpu: number
}

/** The full rate of two threads, after their start. */
interface ThreadRate {
  readonly start: Moment
  readonly played: number
  /** Runs in a second of real time. */
  readonly rate: number
  /** The milliseconds of CPU time of a run. */
  readonly cpu: number
  /** The part of two CPUs that the process got: less than 1 where other processes run, or where a thread waits. */
  readonly share: number
}

/** How fast two threads play MarkdownView in real time: until each has compiled what it runs, and after that. */
async function measureThreads(): Promise<ThreadRate> {
  const [began, ofProcess] = [performance.now(), process.cpuUsage()]
  const momentAfter = (runs: number): Moment => {
    const cpu = millisecondsOf(process.cpuUsage(ofProcess))
    return { runs, milliseconds: performance.now() - began, cpu }
  }
  let start: Moment | undefined
  const { runs } = await checkModule(new URL('./markdownviews.ts', import.meta.url), {
    jobs: 2,
    combinations: COMBINATIONS_OF_THREADS,
    onProgress: (progress) => {
      if (progress.runs >= WARM_UP) start ??= momentAfter(progress.runs)
    },
  })
  if (!start) throw new Error(`the check ended after ${runs} runs, before the warm-up of ${WARM_UP}`)
  const end = momentAfter(runs)
  const [played, milliseconds, cpu] = [
    end.runs - start.runs,
    end.milliseconds - start.milliseconds,
    end.cpu - start.cpu,
  ]
  const rate = (1_000 * played) / milliseconds
  return { start, played, rate, cpu: cpu / played, share: cpu / (2 * milliseconds) }
}
