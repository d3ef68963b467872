/**
 * A manager in a process of its own, whose CPU time and memory `stream-cost.ts` reads. Each reconcile writes an object for the one that
 * it is called for, and the event of that write causes another reconcile, which changes nothing.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { operatorPage } from '@homeostat/dashboard'
import { controller, controllerReference, Manager, silentLogger } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'

/** The resources that the manager has used since its start. */
export interface ManagerUsage {
  /** User and system time, in milliseconds. */
  readonly cpu: number
  /** Bytes in use; after a collection of garbage where `memory` was asked for. */
  readonly heap: number
  readonly reconciles: number
}

/** The messages to the parent: the address of the page, then an answer to each message. */
export type ManagerMessage = { readonly pageUrl: string | undefined } | ManagerUsage

let reconciles = 0
const copies = controller('copies')
  .for(ConfigMap)
  .owns(Secret)
  .reconcile(async (key, { client }) => {
    reconciles++
    const source = await client.get(ConfigMap, key)
    if (!source) return
    const metadata = { ...key, ownerReferences: [controllerReference(source)] }
    await client.apply(Secret, { metadata, data: { n: btoa(source.data?.['n'] ?? '') } })
  })
const page = process.argv.includes('--page') ? operatorPage({ port: 0 }) : undefined
// KUBECONFIG names the cluster.
const manager = new Manager({ logger: silentLogger, page }).add(copies)
const stop = new AbortController()
process.on('disconnect', () => stop.abort())
process.on('message', (message) => {
  const { user, system } = process.cpuUsage()
  if (message === 'memory') collect()
  say({ cpu: (user + system) / 1000, heap: process.memoryUsage().heapUsed, reconciles })
})
const running = manager.start({ signal: stop.signal })
await manager.synced
say({ pageUrl: manager.pageUrl })
await running

function say(message: ManagerMessage): void {
  process.send?.(message)
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
}
