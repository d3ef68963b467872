/**
 * Measures what the page costs and how fast it draws: `npm run bench page`. The CPU time and the memory that a manager pays for a page
 * with a viewer, the frames a second of a browser with many objects, and the weight and the first reconcile of the playground.
 */
import { loadavg } from 'node:os'
import { gzipSync } from 'node:zlib'
import { buildPlayground } from '../../docs/playground/build/build-playground.ts'
import { openBrowser } from '../../test/browser.ts'
import { drawFrames } from '../../test/dashboard/draw-frames.ts'
import { serveFiles } from '../../test/playground/serve-files.ts'
import { readCommandLine } from '../command-line.ts'
import { markdownTable } from '../markdown-table.ts'
import { runBenchmark } from '../run-benchmark.ts'
import { streamCost } from './stream-cost.ts'

type Row = readonly [what: string, figure: string, aim: string]

await runBenchmark({
  help: 'npm run bench page -- [--seconds 20]: what the page costs a manager, how fast a browser draws it, and the playground',
  readOptions: (args) => {
    const line = readCommandLine(args, { seconds: 20 })
    return line && { seconds: line.number('seconds') }
  },
  run: async ({ seconds }) => {
    const before = load()
    const rows = [...(await managerRows(seconds)), ...(await frames(seconds)), ...(await playground())]
    for (const line of markdownTable(['page', 'measured', 'aim'], rows)) console.log(line)
    console.log(`load average: ${before} → ${load()}`)
  },
})

/** Measures the cost of the page to a manager with 100 reconciles a second, of which half write. */
async function managerRows(seconds: number): Promise<Row[]> {
  const { viewed, unviewed, memory, reconciles } = await streamCost(seconds)
  const what = `for 100 reconciles a second (measured at ${Math.round(reconciles)})`
  return [
    [`CPU for the page with a viewer, ${what}`, `${viewed.toFixed(1)} % of a core`, 'at most 2 %'],
    [`CPU for the page without a viewer, ${what}`, `${unviewed.toFixed(1)} % of a core`, 'at most 2 %'],
    ['memory for the page with a viewer', `${(memory / 1e6).toFixed(1)} MB`, 'at most 20 MB'],
  ]
}

/** The frames a second of a browser that shows 5,000 objects and 1,000 reconciles a second. */
async function frames(seconds: number): Promise<Row[]> {
  const load = { objects: 5000, reconciles: 1000, seconds }
  const { rate, lowest, work, reconciles } = await drawFrames(load)
  const what = `with ${load.objects} objects and ${Math.round(reconciles / seconds)} reconciles a second`
  return [
    [`frames a second ${what}`, `${rate.toFixed(0)}, never below ${lowest}`, 'at least 30'],
    [`CPU time of the page for a frame ${what}`, `${work.toFixed(1)} ms`, 'at most 12 ms'],
  ]
}

/** The compressed weight of the playground without the compiler, which comes after the first reconcile, and the time until that. */
async function playground(): Promise<Row[]> {
  const files = await buildPlayground()
  let bytes = 0
  for (const [name, file] of files)
    if (!/types|declarations|licenses/.test(name)) bytes += gzipSync(file).length
  await using cleanUp = new AsyncDisposableStack()
  const served = cleanUp.use(await serveFiles(files))
  const browser = cleanUp.use(await openBrowser())
  const tab = await browser.context.newPage()
  await tab.goto(served.url)
  const took = await tab.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const [mark] = performance.getEntriesByName('first reconcile')
      if (mark) resolve(mark.startTime)
      else requestAnimationFrame(look)
    }
    look()
  })`)
  return [
    ['weight of the playground, compressed', `${(bytes / 1e6).toFixed(2)} MB`, 'at most 3 MB'],
    ['time to the first reconcile of the playground', `${(took / 1000).toFixed(1)} s`, 'at most 2 s'],
  ]
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? ''
}
