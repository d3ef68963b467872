/**
 * Measures what the page costs and how fast it draws: `npm run bench page`. The CPU time and the memory that a manager pays for a page
 * with a viewer, the frames a second of a browser with many objects, and the weight and the first reconcile of the playground.
 */
import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { ApiServer } from '@homeostat/apiserver'
import { operatorPage } from '@homeostat/dashboard'
import { controller, createClient, directTransport, Manager, silentLogger, SystemClock } from 'homeostat'
import { ClusterRole, ClusterRoleBinding, ConfigMap, ServiceAccount } from 'homeostat/kinds'
import { buildPlayground } from '../../docs/playground/build/build-playground.ts'
import { openBrowser } from '../../test/browser.ts'
import { drawFrames } from '../../test/dashboard/draw-frames.ts'
import { serveFiles } from '../../test/playground/serve-files.ts'
import { markdownTable } from '../markdown-table.ts'
import { numberOptions, runBenchmark, wholeNumber } from '../run-benchmark.ts'

const RECONCILES = 100
const clock = new SystemClock()

type Row = readonly [what: string, figure: string, aim: string]

await runBenchmark({
  help: 'npm run bench page -- [--seconds 20]: what the page costs a manager, how fast a browser draws it, and the playground',
  readOptions: (args) => {
    const options = { help: { type: 'boolean', default: false }, ...numberOptions({ seconds: 20 }) } as const
    const { values } = parseArgs({ args: [...args], options })
    return values.help ? undefined : { seconds: wholeNumber('seconds', values.seconds) }
  },
  run: async ({ seconds }) => {
    const before = load()
    const rows = [...(await streamCost(seconds)), ...(await frames(seconds)), ...(await playground())]
    for (const line of markdownTable(['page', 'measured', 'aim'], rows)) console.log(line)
    console.log(`load average: ${before} → ${load()}`)
  },
})

/** What a manager with 100 reconciles a second pays for its page and one viewer: the difference of two runs. */
async function streamCost(seconds: number): Promise<Row[]> {
  const without = await runManager(seconds, false)
  const shown = await runManager(seconds, true)
  const cpu = ((shown.cpu - without.cpu) / seconds) * 100
  const memory = (shown.heap - without.heap) / 1e6
  const rates = `${Math.round(without.reconciles / seconds)} and ${Math.round(shown.reconciles / seconds)} reconciles a second`
  return [
    [`CPU for the stream (${rates})`, `${cpu.toFixed(1)} % of a core`, 'at most 2 %'],
    ['memory for the stream', `${memory.toFixed(1)} MB`, 'at most 20 MB'],
  ]
}

/** Runs a manager whose objects change 100 times a second. */
async function runManager(seconds: number, hasPage: boolean) {
  await using cleanUp = new AsyncDisposableStack()
  const server = cleanUp.use(await ApiServer.start({ clock }))
  const client = createClient({
    transport: directTransport(server.handler, { clock }),
    clock,
    fieldManager: 'bench',
  })
  let reconciles = 0
  const counter = controller('counter')
    .for(ConfigMap)
    .reconcile(() => void reconciles++)
  const stop = new AbortController()
  const page = hasPage ? operatorPage({ port: 0 }) : undefined
  const manager = new Manager({ config: { handler: server.handler }, clock, logger: silentLogger, page }).add(
    counter,
  )
  const running = manager.start({ signal: stop.signal })
  cleanUp.defer(async () => {
    stop.abort()
    await running
  })
  await manager.synced
  for (let index = 0; index < RECONCILES; index++)
    await client.create(ConfigMap, {
      metadata: { namespace: 'default', name: `m-${index}` },
      data: { n: '0' },
    })
  if (hasPage) {
    const viewer = readStream(manager.pageUrl ?? '', await viewerToken(client))
    cleanUp.defer(() => void viewer.kill())
    await new Promise((resolve) => viewer.stdout.once('data', resolve))
  }
  await update(client, 2)
  reconciles = 0
  const from = process.cpuUsage()
  await update(client, seconds)
  const { user, system } = process.cpuUsage(from)
  collect()
  return { cpu: (user + system) / 1e6, heap: process.memoryUsage().heapUsed, reconciles }
}

/** Writes 100 changes a second, each to another object. */
async function update(client: ReturnType<typeof createClient>, seconds: number): Promise<void> {
  const begun = clock.monotonic()
  for (let count = 0; count < seconds * RECONCILES; count++) {
    const late = begun + (count * 1000) / RECONCILES - clock.monotonic()
    if (late > 0) await clock.sleep(late)
    const key = { namespace: 'default', name: `m-${count % RECONCILES}` }
    await client.patch(ConfigMap, key, { type: 'merge', body: { data: { n: String(clock.now()) } } })
  }
}

/** A user who may read everything. */
async function viewerToken(client: ReturnType<typeof createClient>): Promise<string> {
  const key = { namespace: 'default', name: 'viewer' }
  await client.create(ServiceAccount, { metadata: key })
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]
  await client.create(ClusterRole, { metadata: { name: 'viewer' }, rules })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' } as const
  const subjects = [{ kind: 'ServiceAccount' as const, ...key }]
  await client.create(ClusterRoleBinding, { metadata: { name: 'viewer' }, roleRef, subjects })
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await client.subresource('token').create(ServiceAccount, key, body)
  return (status as { token: string }).token
}

/** Reads the stream in a process of its own, whose CPU time does not count. */
function readStream(url: string, token: string) {
  const code = `
    const [url, token] = process.env.READ_STREAM.split(' ')
    const answer = await fetch(url + '/stream', { headers: { authorization: 'Bearer ' + token, origin: url } })
    if (!answer.ok) throw new Error(await answer.text())
    console.log('open')
    for await (const _ of answer.body);`
  const env = { ...process.env, READ_STREAM: `${url} ${token}` }
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** The frames a second of a browser that shows 5,000 objects and 1,000 reconciles a second. */
async function frames(seconds: number): Promise<Row[]> {
  const load = { objects: 5000, reconciles: 1000, seconds }
  const { rate, work, reconciles } = await drawFrames(load)
  const what = `with ${load.objects} objects and ${Math.round(reconciles / seconds)} reconciles a second`
  return [
    [`frames a second ${what}`, rate.toFixed(0), 'at least 30'],
    [`CPU time of the page for a frame ${what}`, `${work.toFixed(1)} ms`, 'at most 33 ms'],
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

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? ''
}
