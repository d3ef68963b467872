import { resolve } from 'node:path'
import { onLauncherEnd } from '@homeostat/apiserver/launcher'
import { Activity } from 'homeostat'
import { Cluster } from '../cluster.ts'
import type { ClusterOptions } from '../cluster-options.ts'
import { writeKubeconfig, type KubeconfigFile } from './kubeconfig-file.ts'
import { WhatRuns } from './what-runs.ts'

/** The options of a cluster that serves until a signal. */
export interface Serving {
  readonly cluster: ClusterOptions
  /** The path of the kubeconfig. It is kept with a data folder, and removed at the end otherwise. */
  readonly kubeconfig: string
  readonly quiet: boolean
  /** The port of the page that shows the cluster. Default: none is served. */
  readonly pagePort?: number | undefined
  readonly say: (line: string) => void
}

/**
 * Runs a cluster until SIGTERM, SIGINT or SIGHUP, or until the npm or npx that started it has ended. A second signal ends it
 * at once.
 */
export async function serveUntilSignal({
  cluster: options,
  kubeconfig,
  quiet,
  pagePort,
  say,
}: Serving): Promise<void> {
  const asked = new AbortController()
  const ask = (): void => {
    // The guard ends processes that still run, as when this process is killed.
    if (asked.signal.aborted) process.exit(130)
    asked.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, ask)
  using _launcher = onLauncherEnd(() => asked.abort())
  try {
    let file: KubeconfigFile | undefined
    const activity = pagePort === undefined ? undefined : new Activity()
    const cluster = await Cluster.start({
      ...options,
      activity,
      secretFiles: [resolve(kubeconfig), ...(options.secretFiles ?? [])],
      // Before the first Pod runs: the mount that hides the file from Pods is lost when the file is replaced.
      onListening: (text) => (file = writeKubeconfig(kubeconfig, text)),
    })
    try {
      try {
        const took = Math.round(process.uptime() * 1_000)
        say(`Ready at ${cluster.url} after ${took} ms\nexport KUBECONFIG=${shellWord(resolve(kubeconfig))}`)
        await using page = activity && (await openPage(cluster, activity, pagePort))
        if (page) say(`See it work: ${page.address}`)
        if (cluster.formerPort !== undefined) say(movedPort(cluster.formerPort))
        if (!cluster.ownAddresses) say(SHARED_ADDRESS)
        const unnamed = await cluster.processNamesProblem()
        if (unnamed !== undefined) say(`${NO_NAMES}: ${unnamed}.`)
        for (const { what, why } of await cluster.separationProblems()) say(`Not separated: ${what}: ${why}.`)
        await follow(cluster, { quiet, say, signal: asked.signal })
      } finally {
        // Operators that run reach the next cluster on the data folder by it.
        if (options.dataDir === undefined) file?.remove()
      }
    } finally {
      await cluster.close()
    }
    say('Stopped: nothing is left running.')
  } finally {
    for (const signal of signals) process.off(signal, ask)
  }
}

/** Most clusters have no page, so its modules are loaded with the first. */
async function openPage(cluster: Cluster, activity: Activity, port = 0) {
  const { servePage } = await import('./cluster-page.ts')
  return servePage(cluster, { activity, port })
}

const SHARED_ADDRESS =
  'This system has only the loopback address 127.0.0.1, so all Pods and Services share it, on other ports than they declare.'

const NO_NAMES =
  'Processes other than Node find Services by environment variables (WEB_SERVICE_HOST, WEB_SERVICE_PORT), not by names'

function movedPort(former: number): string {
  return `This cluster listened on port ${former} before: programs that use its kubeconfig need the new one, or --port=${former} once that port is free.`
}

async function follow(
  cluster: Cluster,
  { quiet, say, signal }: { quiet: boolean; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  if (quiet) {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } else {
    say('Pods and Services as they change; Ctrl-C ends the cluster.\n')
    const { handler, clock, transport } = cluster
    await new WhatRuns({ handler, clock, say }).show(transport, signal)
  }
  say('\nStopping …')
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
