/** `npm run demo`: a local cluster, an operator on it, and what it does, line by line. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { apiVersionOf } from '@homeostat/api'
import { Cluster } from '@homeostat/cluster'
import { Dashboard } from '@homeostat/dashboard'
import {
  Activity,
  directTransport,
  operatorDefinitions,
  operatorManager,
  silentLogger,
  type ObjectKey,
} from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { examples, missingProgram, type Example } from './examples.ts'
import { parseOptions, USAGE, UsageError, type DemoOptions } from './options.ts'
import { holdFolder, writePrivate } from './single-instance.ts'
import { bold, dim, ReconcilePrinter } from './print-reconciles.ts'
import { printedTable } from './table.ts'

process.exitCode = await main().catch((error: unknown) => {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof UsageError) console.error(`\n${USAGE}`)
  return error instanceof UsageError ? 2 : 1
})

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2))
  if (!options) {
    console.log(USAGE)
    return 0
  }
  const missing = missingProgram(examples[options.example])
  if (missing) throw new Error(missing)
  const held = await holdFolder(options.folder)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  try {
    await play(examples[options.example], options, stopping.signal)
    console.log(dim('Stopped: nothing is left running.'))
    return 0
  } finally {
    rmSync(join(options.folder, 'kubeconfig'), { force: true })
    held.release()
  }
}

/** Starts everything, shows it, and takes it down again, whatever happens on the way. */
async function play(example: Example, options: DemoOptions, interrupted: AbortSignal): Promise<void> {
  const started = performance.now()
  // In the demo's own folder, so that what a killed demo left behind goes with the next one.
  const dataDir = join(options.folder, 'node')
  rmSync(dataDir, { recursive: true, force: true })
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const cluster = cleanUp.use(await Cluster.start({ dataDir, images: example.images }))
  const kubeconfig = join(options.folder, 'kubeconfig')
  writePrivate(kubeconfig, cluster.kubeconfig())
  const took = dim(`(${Math.round(performance.now() - started)} ms)`)
  console.log(`A Kubernetes is up in this process ${took}. In another terminal:\n`)
  console.log(`  export KUBECONFIG=${kubeconfig}\n`)

  const activity = new Activity()
  const page = cleanUp.use(await showPage(example, cluster, activity))
  console.log(`See the loop: ${bold(page.address)}\n`)
  if (options.open) page.openInBrowser(() => console.log('There is no program here that opens a browser.\n'))
  const printer = new ReconcilePrinter(example.operator.controllers)
  const stop = new AbortController()
  const manager = operatorManager(example.operator, {
    transport: printer.observe(directTransport(cluster.handler, { clock: cluster.clock })),
    logger: silentLogger,
    activity,
    onReconcile: (report) => printer.print(report),
  })
  const running = manager.start({ signal: stop.signal })
  try {
    for (const definition of operatorDefinitions(example.operator)) {
      await cluster.client.create(CustomResourceDefinition, definition)
    }
    // The first line is about the creation of the sample, which the operator must not find at its start.
    await Promise.race([manager.synced, aborted(interrupted), running])
    await Promise.race([run(example, cluster, printer, options, interrupted), running])
  } finally {
    stop.abort()
    await running
  }
}

/** Serves the page that shows the example's operator. */
async function showPage({ operator }: Example, cluster: Cluster, activity: Activity): Promise<Dashboard> {
  const { clock } = cluster
  const page = await Dashboard.start({ transport: directTransport(cluster.handler, { clock }), clock })
  const nameOf = (kind: Example['kind']) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind })
  page.operatorStarted({
    name: operator.name,
    controllers: operator.controllers.map(({ name }) => name),
    kinds: operator.kinds.map(nameOf),
    owned: operator.controllers.flatMap(({ watches }) =>
      watches.flatMap((watch) => (watch.role === 'owns' ? [nameOf(watch.kind)] : [])),
    ),
  })
  page.follow(activity)
  return page
}

/** The scenes: a sample is created, the goal is reached, the result is shown. */
async function run(
  example: Example,
  cluster: Cluster,
  printer: ReconcilePrinter,
  options: DemoOptions,
  interrupted: AbortSignal,
): Promise<void> {
  const { client, clock } = cluster
  const key = await createSample(example, cluster)
  console.log(`${bold(`${example.kind.kind} ${key.name}`)} was created. What its operator does, and why:\n`)
  while (!interrupted.aborted) {
    const object = await client.get(example.kind, key)
    if (object && example.reached(object)) break
    await clock.sleep(20)
  }
  // The last reconcile, which finds nothing to do, is printed before, not between the tables.
  await clock.sleep(200, { signal: interrupted }).catch(() => {})
  if (interrupted.aborted) return
  await show(example, cluster, options)
  await showEdits(example, cluster, printer, interrupted)
  if (interrupted.aborted) return
  if (!options.follow) return
  console.log(`\nTry it:\n${example.suggestions.map((line) => `  ${line}`).join('\n')}\n`)
  console.log(dim('Following the loop; Ctrl-C ends it.\n'))
  await aborted(interrupted)
}

/** Makes each edit as kubectl would, and lets the operator heal it. */
async function showEdits(
  { edits = [] }: Example,
  { client, clock }: Cluster,
  printer: ReconcilePrinter,
  interrupted: AbortSignal,
): Promise<void> {
  if (edits.length > 0) console.log('\nNow kubectl changes the result, and the operator heals it:')
  for (const edit of edits) {
    console.log(`\n${bold(`$ ${edit.command}`)}`)
    await edit.make(client)
    while (!interrupted.aborted && !(await edit.isHealed(client))) await clock.sleep(20)
    // Reconciles that follow from it belong to this edit, not to the next.
    let printed: number
    do {
      printed = printer.printed
      await clock.sleep(50, { signal: interrupted }).catch(() => {})
    } while (!interrupted.aborted && printer.printed !== printed)
  }
}

/** Creates the samples, and returns the key of the one that the demo is about. */
async function createSample(example: Example, { client, clock }: Cluster): Promise<ObjectKey> {
  const samples = example.samples?.(clock.now()) ?? example.operator.samples
  for (const object of samples) {
    const kind = await client.kinds.find(object.apiVersion, object.kind)
    if (!kind) throw new Error(`the cluster does not serve ${object.apiVersion} ${object.kind}`)
    await client.create(kind, { ...object })
  }
  const own = samples.find(({ kind }) => kind === example.kind.kind)?.metadata
  if (!own?.name) throw new Error(`the samples have no ${example.kind.kind}`)
  return { namespace: own.namespace, name: own.name }
}

async function show(example: Example, cluster: Cluster, options: DemoOptions): Promise<void> {
  for (const { path, prefix } of example.tables) {
    console.log(`\n${await printedTable(cluster.handler, path, prefix)}`)
  }
  if (!example.service) return
  const { url } = await cluster.forward({ ...example.service, localPort: options.port })
  const page = await fetch(url)
  const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(await page.text())?.[1]?.replace(/<[^>]*>/g, '')
  if (!page.ok) throw new Error(`the page at ${url} answered ${page.status}`)
  console.log(
    `\nThe rendered page: ${bold(url)} ${dim(`(fetched: ${page.status}, "${title?.trim() ?? ''}")`)}`,
  )
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
