import { Manager, silentLogger, type Controller, type ReconcileReport, type Transport } from 'homeostat'
import type { TestServer } from '../test-server.ts'

/** An operator that runs on a test's server, and what it does there. */
export interface RunningOperator extends AsyncDisposable {
  /** Its reconciles so far, of objects in the test's namespace or named after it. */
  readonly reports: readonly ReconcileReport[]
  /** The writes that it sent into the test's namespace, events aside: `PATCH deployments/viewer-x`. */
  readonly writes: readonly string[]
  /** Its page of metrics. */
  metrics(): string
  stop(): Promise<void>
}

/** Starts a controller as a new process would: with an empty cache and no memory. */
export async function runOperator(server: TestServer, controller: Controller): Promise<RunningOperator> {
  const reports: ReconcileReport[] = []
  const writes: string[] = []
  const transport: Transport = {
    ...server.transport,
    send(request) {
      // Other tests may have left objects of the same kind in namespaces of their own.
      const [, path] = request.path.split(`/namespaces/${server.namespace}/`)
      if (path && path !== 'events' && request.method !== 'GET') writes.push(`${request.method} ${path}`)
      return server.transport.send(request)
    },
  }
  const stopping = new AbortController()
  const manager = new Manager({
    transport,
    clock: server.clock,
    logger: silentLogger,
    onReconcile: (report) => {
      const { namespace, name } = report.request
      if (namespace === server.namespace || name.startsWith(server.namespace)) reports.push(report)
    },
  }).add(controller)
  const running = manager.start({ signal: stopping.signal })
  const stop = async (): Promise<void> => {
    stopping.abort()
    await running
  }
  await manager.synced
  return { reports, writes, metrics: () => manager.metrics.page(), stop, [Symbol.asyncDispose]: stop }
}
