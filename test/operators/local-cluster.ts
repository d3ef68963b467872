import { Cluster, type ClusterOptions } from '@homeostat/cluster'
import {
  customResourceDefinition,
  HomeostatError,
  Manager,
  silentLogger,
  SimulatedClock,
  type AnyKind,
  type Client,
  type Controller,
} from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { expect } from 'vitest'

/** A local cluster with an operator on it, and what tests look at. */
export interface LocalCluster extends AsyncDisposable {
  readonly cluster: Cluster
  readonly client: Client
  /** Waits until the check holds: for two minutes of simulated time, or one and a half of real time. */
  until(what: string, check: () => Promise<boolean>): Promise<void>
  /** The answer at a Service's port. */
  page(service: { namespace: string; name: string }, port: number, path?: string): Promise<string>
  /** The log of a Pod in the namespace `default`. */
  log(pod: string): Promise<string>
}

/** Starts both. Under the machine's own clock, which is the default, Pods may be processes. */
export async function startLocalCluster(
  kind: AnyKind,
  controller: Controller,
  options: Pick<ClusterOptions, 'clock' | 'images'> = {},
): Promise<LocalCluster> {
  await using cleanUp = new AsyncDisposableStack()
  const cluster = cleanUp.use(await Cluster.start({ ...options, port: false }))
  const { client, clock, transport } = cluster
  await client.create(CustomResourceDefinition, customResourceDefinition(kind))
  if (clock instanceof SimulatedClock) await clock.settle()
  const stop = new AbortController()
  const running = new Manager({ transport, clock, logger: silentLogger })
    .add(controller)
    .start({ signal: stop.signal })
  cleanUp.defer(async () => {
    stop.abort()
    await running
  })
  const end = cleanUp.move()
  return {
    cluster,
    client,
    async until(what, check) {
      if (!(clock instanceof SimulatedClock)) {
        await expect.poll(check, { timeout: 90_000, interval: 100, message: what }).toBe(true)
        return
      }
      for (let tries = 0; tries < 240; tries++) {
        await clock.settle()
        if (await check()) return
        await clock.advance('500ms')
      }
      throw new HomeostatError('TEST_TIMEOUT', `${what} did not happen in two simulated minutes`)
    },
    async page(service, port, path = '/') {
      const address = await cluster.serviceAddress(service, port)
      return (await fetch(`http://${address.host}:${address.port}${path}`)).text()
    },
    async log(pod) {
      let text = ''
      for await (const chunk of cluster.logs({ namespace: 'default', pod })) {
        text += new TextDecoder().decode(chunk)
      }
      return text
    },
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  }
}
