import { TestEnvironment } from '@homeostat/apiserver/testing'
import { controller, createClient, directTransport, Manager, silentLogger } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test, vi } from 'vitest'

/** The metrics that dashboards made for controller-runtime use: each name with its type and its labels. */
const CONTRACT: readonly [name: string, type: string, ...labels: string[]][] = [
  ['controller_runtime_reconcile_total', 'counter', 'controller', 'result'],
  ['controller_runtime_reconcile_errors_total', 'counter', 'controller'],
  ['controller_runtime_terminal_reconcile_errors_total', 'counter', 'controller'],
  ['controller_runtime_reconcile_panics_total', 'counter', 'controller'],
  ['controller_runtime_reconcile_timeouts_total', 'counter', 'controller'],
  ['controller_runtime_reconcile_time_seconds', 'histogram', 'controller'],
  ['controller_runtime_max_concurrent_reconciles', 'gauge', 'controller'],
  ['controller_runtime_active_workers', 'gauge', 'controller'],
  ['workqueue_depth', 'gauge', 'controller', 'name', 'priority'],
  ['workqueue_adds_total', 'counter', 'controller', 'name'],
  ['workqueue_queue_duration_seconds', 'histogram', 'controller', 'name'],
  ['workqueue_work_duration_seconds', 'histogram', 'controller', 'name'],
  ['workqueue_unfinished_work_seconds', 'gauge', 'controller', 'name'],
  ['workqueue_longest_running_processor_seconds', 'gauge', 'controller', 'name'],
  ['workqueue_retries_total', 'counter', 'controller', 'name'],
  ['rest_client_requests_total', 'counter', 'code', 'host', 'method'],
  ['leader_election_master_status', 'gauge', 'name'],
  ['process_cpu_seconds_total', 'counter'],
  ['process_resident_memory_bytes', 'gauge'],
  ['process_start_time_seconds', 'gauge'],
]

/** The types and the labels of all metrics of a page; `le` is a histogram's own. */
function readPage(page: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [, name, type] of page.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const sample = new RegExp(`^${name}(?:_bucket)?(?:\\{(.*)\\})? \\S+$`, 'm').exec(page)
    const labels = [...(sample?.[1] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label!)
    found.set(name!, [type!, ...labels.filter((label) => label !== 'le').sort()])
  }
  return found
}

test('the page of metrics has the names, types and labels that dashboards know', async () => {
  await using env = await TestEnvironment.start()
  const { clock } = env
  const transport = directTransport(env.handler, { clock: env.clock })
  const value = controller('at')
    .for(ConfigMap)
    .reconcile(async ({ name }, { clock }) => {
      // Others are ready while it works, so that the queue has a depth.
      if (name === 'slow') await clock.sleep(20_000)
    })
  const stop = new AbortController()
  const manager = new Manager({
    transport,
    clock,
    logger: silentLogger,
    metrics: { port: 0 },
    leaderElection: { name: 'at', namespace: 'default', identity: 'me' },
  }).add(value)
  const running = manager.start({ signal: stop.signal })
  await vi.waitUntil(() => manager.metricsUrl, { timeout: 60_000 })
  await env.settle()
  const client = createClient({ transport, clock })
  for (const name of ['slow', 'a', 'b']) {
    await client.create(ConfigMap, { metadata: { namespace: 'default', name } })
  }
  await env.settle()
  const found = readPage(await (await fetch(manager.metricsUrl!)).text())
  for (const [name, ...rest] of CONTRACT) expect([name, found.get(name)]).toEqual([name, rest])
  stop.abort()
  await env.advance('21s')
  await running
})
