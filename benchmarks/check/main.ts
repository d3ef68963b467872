/** Measures the checker on one core: `npm run bench check`. How many runs it plays a second, and what more objects cost. */
import { check } from '@homeostat/check'
import { controller, controllerReference, defineKind, operator, sample, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import markdownView from '../../examples/markdownview/operator.ts'
import { markdownTable } from '../markdown-table.ts'
import { printControllers } from './controllers.ts'
import { printCorpus } from './corpus.ts'
import { printOperators } from './operators.ts'

const AIM = 500

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
  await measure('MarkdownView, first check of the process', markdownView)
  const rate = await measure('MarkdownView, second check', markdownView)
  for (const size of [1, 4, 16]) await measure(`ConfigMaps: ${size}`, setsOf(size))
  const head = ['operator', 'runs', 'states', 'CPU ms', 'runs a second, two cores', 'states a second']
  console.log(markdownTable(head, rows).join('\n'))
  console.log(
    rate >= AIM
      ? `MarkdownView: at least ${AIM} runs a second, as aimed for`
      : `MarkdownView: below the aim of ${AIM} runs a second`,
  )
}

/** Adds a row, and returns how many runs two cores play in a second. */
async function measure(name: string, checked: Parameters<typeof check>[0]): Promise<number> {
  const before = process.cpuUsage()
  const { runs, states } = await check(checked)
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
  return perSecond(runs)
}
