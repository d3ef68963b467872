import { ApiServer } from '@homeostat/apiserver'
import { Dashboard } from '@homeostat/dashboard'
import { createClient, directTransport, SystemClock, type Client } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { openBrowser } from '../browser.ts'

/** One of so many reconciles changes its object. */
const CHANGED = 10

/** What a page shows while its frames are counted. */
export interface DrawnLoad {
  readonly objects: number
  /** A second. */
  readonly reconciles: number
  readonly seconds: number
}

/** How fast a page was drawn. */
export interface DrawnFrames {
  /** Frames a second. It depends on what else the machine does. */
  readonly rate: number
  /** The frames of the second with the fewest. */
  readonly lowest: number
  /** The CPU time of the page's thread for a frame in milliseconds, which does not depend on other processes. */
  readonly work: number
  /** How many reconciles were shown. */
  readonly reconciles: number
}

/** Shows an operator under load in a browser, and counts the frames. */
export async function drawFrames({ objects, reconciles, seconds }: DrawnLoad): Promise<DrawnFrames> {
  await using cleanUp = new AsyncDisposableStack()
  const clock = new SystemClock()
  const server = cleanUp.use(await ApiServer.start({ clock }))
  const transport = directTransport(server.handler, { clock })
  const client = createClient({ transport, clock, fieldManager: 'load' })
  for (let index = 0; index < objects; index++)
    await client.create(ConfigMap, { metadata: { namespace: 'default', name: `m-${index}` } })
  const dashboard = cleanUp.use(await Dashboard.start({ transport, clock }))
  const kinds = [{ apiVersion: 'v1', kind: 'ConfigMap' }]
  dashboard.operatorStarted({ name: 'load', kinds, owned: [], controllers: ['counter'] })
  const browser = cleanUp.use(await openBrowser())
  const tab = await browser.context.newPage()
  tab.setDefaultTimeout(120_000)
  await tab.goto(dashboard.address)
  await tab.getByRole('button', { name: /5,?\d{3}/ }).waitFor()
  const metrics = await browser.context.newCDPSession(tab)
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async (): Promise<number> => {
    const { metrics: found } = await metrics.send('Performance.getMetrics')
    return found.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await spent()
  const counted = tab.evaluate<{ frames: number; passed: number; lowest: number }>(`new Promise((resolve) => {
    let frames = 0
    const inSecond = new Array(${seconds}).fill(0)
    const begun = performance.now()
    const count = () => {
      frames++
      const passed = performance.now() - begun
      if (passed > ${seconds * 1000}) return resolve({ frames, passed, lowest: Math.min(...inSecond) })
      inSecond[Math.floor(passed / 1000)]++
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })`)
  const begun = clock.monotonic()
  let shown = 0
  while (clock.monotonic() - begun < seconds * 1000) {
    const due = ((clock.monotonic() - begun) / 1000) * reconciles
    for (; shown < due; shown++) {
      report(dashboard, clock.now(), shown, objects)
      if (shown % CHANGED === 0) await change(client, shown, objects)
    }
    await clock.sleep(20)
  }
  const { frames, passed, lowest } = await counted
  const work = ((await spent()) - before) * 1000
  return { rate: (frames * 1000) / passed, lowest, work: work / frames, reconciles: shown }
}

async function change(client: Client, index: number, objects: number): Promise<void> {
  const key = { namespace: 'default', name: `m-${index % objects}` }
  await client.patch(ConfigMap, key, { type: 'merge', body: { data: { index: String(index) } } })
}

/** Reports one reconcile, as a manager in another process does. */
function report(dashboard: Dashboard, at: number, index: number, objects: number): void {
  const request = { namespace: 'default', name: `m-${index % objects}` }
  const about = { controller: 'counter', request, reconcileID: `r-${index}` }
  const started = { causes: [], omittedCauses: 0, waited: 0 }
  dashboard.record({ type: 'started', sequence: 2 * index + 1, at, ...about, ...started })
  const ended = { result: 'success' as const, duration: 1, writes: [], omittedWrites: 0, isLoop: false }
  dashboard.record({ type: 'ended', sequence: 2 * index + 2, at, ...about, ...ended })
}
