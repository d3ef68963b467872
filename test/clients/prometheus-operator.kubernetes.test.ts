import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Cluster, type ContainerModule } from '@homeostat/cluster'
import { describe, expect, inject, test } from 'vitest'
import { PeerUnavailable } from '../../benchmarks/runtime/builds.ts'
import { preparePrometheusOperator } from './controllers.ts'
import { Kubectl, runPods, underController } from './run-controller.ts'

const MINUTES = 60_000

describe('prometheus-operator', { timeout: 30 * MINUTES }, () => {
  test('makes the same on our cluster as on the real servers', async ({ skip }) => {
    if (process.env['HOMEOSTAT_BUILD_CLIENTS'] !== '1') skip('`npm test clients` runs it')
    const operator = await preparePrometheusOperator(AbortSignal.timeout(30 * MINUTES)).catch(
      (error: unknown) => {
        if (error instanceof PeerUnavailable) skip(error.message)
        throw error
      },
    )
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-prometheus-operator-'))
    try {
      await using cluster = await Cluster.start({
        images: {
          prometheus: { module: answersOn(9090) },
          alertmanager: { module: answersOn(9093) },
          'config-reloader': { module: configReloader },
        },
      })
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
      const ours = await underController(operator, new Kubectl(kubeconfig, 'ours'), monitoring)
      const real = new Kubectl(inject('kubernetes').kubeconfig, 'real')
      expect(await underController(operator, real, monitoring)).toEqual(ours)
      // Both must not fail alike.
      expect(ours).toMatchObject({
        made: {
          statefulSets: [
            { name: 'alertmanager-main', spec: { replicas: 1 } },
            { name: 'prometheus-main', spec: { replicas: 2, podManagementPolicy: 'Parallel' } },
          ],
          services: [{ name: 'alertmanager-operated' }, { name: 'prometheus-operated' }],
        },
        changed: { statefulSets: [{}, { spec: { replicas: 1 } }] },
        replaced: { isAnother: true, statefulSets: [{}, { spec: { volumeClaimTemplates: [{}] } }] },
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** A container that answers its probes. */
function answersOn(port: number): ContainerModule {
  return async (container) => {
    const server = createServer((_, response) => response.end('ready'))
    await once(server.listen(container.port(port), container.address), 'listening')
    await aborted(container.signal)
    server.close()
    server.closeAllConnections()
  }
}

/** It runs once before the program starts, and then beside it. */
const configReloader: ContainerModule = async ({ args, signal }) => {
  if (!args.includes('--watch-interval=0')) await aborted(signal)
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** A Prometheus with what it scrapes and its rules, and an Alertmanager; both are changed and deleted. */
async function monitoring(kubectl: Kubectl): Promise<unknown> {
  await using _pods = runPods(kubectl)
  const apiVersion = 'monitoring.coreos.com/v1'
  const labels = { team: 'shop' }
  const selector = { matchLabels: labels }
  await kubectl.apply(
    {
      apiVersion,
      kind: 'ServiceMonitor',
      metadata: { name: 'shop', labels },
      spec: {
        selector: { matchLabels: { app: 'shop' } },
        endpoints: [{ port: 'web', interval: '15s', path: '/metrics' }],
      },
    },
    {
      apiVersion,
      kind: 'PrometheusRule',
      metadata: { name: 'shop', labels },
      spec: { groups: [{ name: 'shop', rules: [{ record: 'shop:up:sum', expr: 'sum(up{job="shop"})' }] }] },
    },
    {
      apiVersion,
      kind: 'Prometheus',
      metadata: { name: 'main', labels: { env: 'test' } },
      spec: {
        image: 'prometheus',
        version: 'v3.5.0',
        replicas: 2,
        retention: '2d',
        serviceMonitorSelector: selector,
        ruleSelector: selector,
        resources: { requests: { memory: '100Mi' } },
        alerting: {
          alertmanagers: [{ name: 'alertmanager-operated', namespace: 'third-party', port: 'web' }],
        },
      },
    },
    {
      apiVersion,
      kind: 'Alertmanager',
      metadata: { name: 'main' },
      spec: { image: 'alertmanager', version: 'v0.28.1', replicas: 1 },
    },
  )
  const available = async (object: string, replicas: number): Promise<void> => {
    await kubectl.until(object, '.status.availableReplicas', String(replicas))
    for (const condition of ['Reconciled', 'Available']) {
      await kubectl.run('wait', object, `--for=condition=${condition}`, '--timeout=180s')
    }
  }
  await available('prometheus/main', 2)
  await available('alertmanager/main', 1)
  const made = {
    prometheus: await statusOf(kubectl, 'prometheus'),
    alertmanager: await statusOf(kubectl, 'alertmanager'),
    statefulSets: await specsOf(kubectl, 'statefulsets'),
    services: await specsOf(kubectl, 'services'),
    secrets: await secretsOf(kubectl),
    rules: await rulesOf(kubectl),
    table: await tableOf(kubectl),
  }

  await patch(kubectl, { replicas: 1, logLevel: 'debug', externalLabels: { place: 'here' } })
  await kubectl.until('statefulset/prometheus-main', '.spec.replicas', '1')
  await available('prometheus/main', 1)
  const changed = { statefulSets: await specsOf(kubectl, 'statefulsets'), secrets: await secretsOf(kubectl) }

  // No StatefulSet may change its claims: the server refuses it, and the operator makes another one.
  const before = (
    await kubectl.run('get', 'statefulset/prometheus-main', '--output=jsonpath={.metadata.uid}')
  ).trim()
  const claim = { spec: { resources: { requests: { storage: '1Gi' } } } }
  await patch(kubectl, { storage: { volumeClaimTemplate: claim } })
  const claims = '.spec.volumeClaimTemplates[0].metadata.name'
  await expect
    .poll(() => kubectl.run('get', 'statefulsets', '--output', `jsonpath={.items[*]${claims}}`))
    .toContain('prometheus-main-db')
  const after = (
    await kubectl.run('get', 'statefulset/prometheus-main', '--output=jsonpath={.metadata.uid}')
  ).trim()
  const replaced = { isAnother: before !== after, statefulSets: await specsOf(kubectl, 'statefulsets') }

  await kubectl.run('delete', 'prometheus/main', 'alertmanager/main')
  await kubectl.run(
    'wait',
    '--for=delete',
    'statefulset/prometheus-main',
    'statefulset/alertmanager-main',
    '--timeout=180s',
  )
  return withoutUids({ made, changed, replaced })
}

/** The operator names files after the rules' identities. */
function withoutUids(story: object): unknown {
  return JSON.parse(JSON.stringify(story).replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UID'))
}

async function patch(kubectl: Kubectl, spec: object): Promise<void> {
  await kubectl.run('patch', 'prometheus/main', '--type=merge', '--patch', JSON.stringify({ spec }))
}

interface Monitored {
  metadata: { generation: number; finalizers?: string[] }
  status: { conditions: Record<string, unknown>[] }
}

async function statusOf(kubectl: Kubectl, kind: string): Promise<unknown> {
  const { metadata, status } = await kubectl.get<Monitored>(`${kind}/main`)
  const conditions = status.conditions.map((condition) => ({ ...condition, lastTransitionTime: 'TIME' }))
  return { finalizers: metadata.finalizers, status: { ...status, conditions } }
}

interface Made {
  metadata: {
    name: string
    labels?: object
    annotations?: Record<string, string>
    ownerReferences?: { kind: string; name: string; controller?: boolean }[]
  }
  spec: unknown
  data: Record<string, string>
}

async function listOf(kubectl: Kubectl, kind: string): Promise<Made[]> {
  const { items } = await kubectl.get<{ items: Made[] }>(kind)
  // A namespace has a ConfigMap of its own.
  return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
}

function metadataOf({ metadata }: Made): object {
  const { name, labels, annotations, ownerReferences = [] } = metadata
  return {
    name,
    labels,
    annotations,
    owners: ownerReferences.map(({ kind, name: owner, controller }) => ({ kind, name: owner, controller })),
  }
}

async function specsOf(kubectl: Kubectl, kind: string): Promise<unknown> {
  const items = await listOf(kubectl, kind)
  return items.map((item) => ({ ...metadataOf(item), spec: item.spec }))
}

/** With the text of the configurations in them. */
async function secretsOf(kubectl: Kubectl): Promise<unknown> {
  const items = await listOf(kubectl, 'secrets')
  return items.map((item) => ({
    ...metadataOf(item),
    data: Object.fromEntries(
      Object.entries(item.data ?? {}).map(([key, value]) => {
        const bytes = Buffer.from(value, 'base64')
        return [key, (key.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()]
      }),
    ),
  }))
}

async function rulesOf(kubectl: Kubectl): Promise<unknown> {
  const items = await listOf(kubectl, 'configmaps')
  return items.map((item) => ({ ...metadataOf(item), data: item.data }))
}

async function tableOf(kubectl: Kubectl): Promise<string> {
  const table = await kubectl.run('get', 'prometheuses,alertmanagers', '--output', 'wide')
  return table.replaceAll(/\b\d+s\b/g, 'AGE').replaceAll(/ +/g, ' ')
}
