/** Measures the checker on one core: `npm run bench check`. How many runs it plays a second, and what more objects cost. */
import { loadavg } from 'node:os'
import { check, checkModule, type CheckOptions } from '@homeostat/check'
import { controller, controllerReference, defineKind, operator, sample, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import markdownView from '../../examples/markdownview/operator.ts'
import { markdownTable } from '../markdown-table.ts'
import { printControllers } from './controllers.ts'
import { printCorpus } from './corpus.ts'
import { printOperators } from './operators.ts'

/** Runs a second on two cores, and milliseconds of CPU for a run. */
const [RATE_AIM, CPU_AIM] = [500, 5]
/** So many combinations of faults make a check long enough for the engine to have compiled what it runs. */
const COMBINATIONS = 1_500
/** Runs after which the rate of two threads is measured: before that they load and compile. */
const WARM_UP = 600

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
  await measure('MarkdownView, second check', markdownView)
  const { cpu, rate } = await measure('MarkdownView, a long check', markdownView, {
    combinations: COMBINATIONS,
  })
  for (const size of [1, 4, 16]) await measure(`ConfigMaps: ${size}`, setsOf(size))
  const head = ['operator', 'runs', 'states', 'CPU ms', 'runs a second, two cores', 'states a second']
  console.log(markdownTable(head, rows).join('\n'))
  console.log(`Load average ${load} before.`)
  console.log(
    `MarkdownView by two threads: ${(await rateOfThreads()).toFixed(0)} runs in a second of real time`,
  )
  console.log(
    `CPU of a run of the long check: ${cpu.toFixed(1)} ms, aim ${CPU_AIM} ms: ${met(cpu <= CPU_AIM)}`,
  )
  console.log(`its runs a second on two cores: ${rate.toFixed(0)}, aim ${RATE_AIM}: ${met(rate >= RATE_AIM)}`)
}

function met(isMet: boolean): string {
  return isMet ? 'met' : 'not met'
}

/** Adds a row. Returns the CPU time of a run in milliseconds, and how many runs two cores play in a second at that cost. */
async function measure(
  name: string,
  checked: Parameters<typeof check>[0],
  options: CheckOptions = {},
): Promise<{ cpu: number; rate: number }> {
  const before = process.cpuUsage()
  const { runs, states } = await check(checked, options)
  const { user, system } = process.cpuUsage(before)
  const milliseconds = (user + system) / 1_000
  const perSecond = (count: number): number => (2_000 * count) / milliseconds
  rows.push([
    name,
    String(runs),
    String(states),
    (milliseconds / runs).toFixed(1),
    perSecond(runs).toFixed(0),
    perSecond(states).toFixed(0),
  ])
  return { cpu: milliseconds / runs, rate: perSecond(runs) }
}

/** How many runs of MarkdownView two threads play in a second of real time, after their warm-up. */
async function rateOfThreads(): Promise<number> {
  let begin: { readonly at: number; readonly runs: number } | undefined
  const { runs } = await checkModule(new URL('../../examples/markdownview/operator.ts', import.meta.url), {
    jobs: 2,
    combinations: COMBINATIONS,
    onProgress: (progress) => {
      if (progress.runs >= WARM_UP) begin ??= { at: performance.now(), runs: progress.runs }
    },
  })
  if (!begin) throw new Error(`the check ended after ${runs} runs, before the warm-up of ${WARM_UP}`)
  return (1_000 * (runs - begin.runs)) / (performance.now() - begin.at)
}
