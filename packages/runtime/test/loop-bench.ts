import { HomeostatError, SimulatedClock, type ObjectKey } from '@homeostat/api'
import { ConfigMap, Deployment } from '@homeostat/api/kinds'
import type { Client } from '../src/client/interface/client.ts'
import type { ReconcileContext } from '../src/reconcile/context.ts'
import { describeCauses } from '../src/reconcile/describe-cause.ts'
import type { Result } from '../src/reconcile/result.ts'
import { createLogger } from '../src/telemetry/create-logger.ts'
import { MetricsRegistry } from '../src/telemetry/metrics.ts'
import { WriteChains } from '../src/guards/write-chains.ts'
import { controller } from '../src/controller/builder.ts'
import type { Controller, ControllerOptions } from '../src/controller/controller.ts'
import type { ReconcileCaller, ReconcileReport } from '../src/controller/environment.ts'
import { HandFedCache } from './hand-fed-cache.ts'
import { MountedController } from '../src/controller/mounted-controller.ts'
import { onTestFinished } from 'vitest'

type Reconciler = (request: ObjectKey, context: ReconcileContext) => Result | Promise<Result>

/**
 * A controller on a cache that the test fills, under simulated time. Its controllers stop when the test ends.
 */
export function setUp() {
  const clock = new SimulatedClock()
  const cache = new HandFedCache()
  const metrics = new MetricsRegistry()
  const chains = new WriteChains(clock)
  const lines: Record<string, any>[] = []
  const reports: ReconcileReport[] = []
  const logger = createLogger({ format: 'json', clock, write: (line) => lines.push(JSON.parse(line)) })
  const writes: string[] = []
  const clients: ReconcileCaller[] = []
  const client = (options: ReconcileCaller): Client => {
    clients.push(options)
    const write = async (what: string): Promise<void> => {
      options.beforeWrite?.()
      writes.push(what)
    }
    const list = (kind: any): Promise<unknown> => Promise.resolve(cache.informer(kind).list())
    return { create: () => write('create'), list } as unknown as Client
  }

  function mount(value: Controller): MountedController {
    const events = { normal() {}, warning() {} }
    const running = new MountedController(value, {
      cache,
      clock,
      logger,
      metrics,
      chains,
      client,
      events: () => events,
      onReconcile: (report) => reports.push(report),
    })
    const run = running.run()
    onTestFinished(async () => {
      const drained = running.drain()
      running.abort(new HomeostatError('TEST_OVER', 'the test is over'))
      await clock.settle()
      await drained
      await run
    })
    return running
  }

  /** Mounts a controller for ConfigMaps, and records its calls with their time. */
  function loop(reconcile: Reconciler, options: ControllerOptions = {}) {
    const calls: { at: number; name: string; why: string }[] = []
    const value = controller('loop')
      .for(ConfigMap)
      .owns(Deployment)
      .reconcile((request, context) => {
        const name = request.namespace ? `${request.namespace}/${request.name}` : request.name
        calls.push({ at: clock.monotonic(), name, why: describeCauses(context.causes) })
        return reconcile(request, context)
      }, options)
    return { calls, times: () => calls.map((call) => call.at), running: mount(value) }
  }

  const put = (name: string, extra: object = {}): void =>
    cache.put(ConfigMap, { metadata: { namespace: 'default', name, ...extra } })

  return { clock, cache, metrics, lines, reports, writes, clients, mount, loop, put }
}

/** Returns or throws the results one after the other, and then repeats the last. */
export function inTurn(...results: readonly unknown[]): () => Result {
  let calls = 0
  return () => {
    const result = results[Math.min(calls++, results.length - 1)]
    if (result instanceof Error) throw result
    return result as Result
  }
}
