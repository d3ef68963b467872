import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { quote } from '../../schema/index.ts'
import type { HealthMetrics } from '../../metrics/index.ts'
import type { Store } from '../../storage/index.ts'
import { textAnswer } from '../answer/answer.ts'

/**
 * The parts that kube-apiserver starts after it listens, in its order. This server has started its own before it
 * answers its first request, so these checks always pass. All have names, since probes ask for single checks.
 */
const STARTED = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
]
const OF_STORE = new Set(['etcd', 'etcd-readiness'])

/** The checks of each address, in the order of the answer. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...STARTED],
  livez: ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...STARTED],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...STARTED, 'shutdown'],
}

/** The addresses of all checks: `/healthz`, `/healthz/ping`, …. */
export const HEALTH_PATHS: readonly string[] = Object.entries(CHECKS).flatMap(([root, checks]) => [
  `/${root}`,
  ...checks.map((check) => `/${root}/${check}`),
])

/**
 * `/healthz`, `/livez` and `/readyz`, and each check below them. A server that answers is healthy, unless its store
 * cannot save writes. Undefined for other paths.
 */
export async function healthAnswer(
  request: ApiRequest,
  store: Store,
  results: HealthMetrics,
): Promise<ApiResponse | undefined> {
  const [root, check] = split(request.path)
  const checks = Object.hasOwn(CHECKS, root) ? CHECKS[root] : undefined
  if (!checks || (check !== undefined && !checks.includes(check))) return undefined
  const storeFails = await storeProblem(store)
  const fails = (name: string): boolean => storeFails && OF_STORE.has(name)
  if (check !== undefined) {
    return fails(check) ? textAnswer(500, 'internal server error: the store cannot be written\n') : passed()
  }
  const excluded = new Set(request.query.getAll('exclude'))
  const made = checks.filter((name) => !excluded.has(name))
  for (const name of made) results.checked(root, name, !fails(name))
  const failed = made.filter(fails)
  if (failed.length === 0 && !request.query.has('verbose')) return textAnswer(200, 'ok')
  const lines = checks.map((name) => {
    if (excluded.has(name)) return `[+]${name} excluded: ok\n`
    return fails(name) ? `[-]${name} failed: reason withheld\n` : `[+]${name} ok\n`
  })
  const unknown = [...excluded]
    .filter((name) => !checks.includes(name))
    .sort()
    .map(quote)
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}\n`)
  }
  lines.push(`${root} check ${failed.length === 0 ? 'passed' : 'failed'}\n`)
  return textAnswer(failed.length === 0 ? 200 : 500, lines.join(''))
}

/** Whether a path is that of a check. */
export function isHealthPath(path: string): boolean {
  return Object.hasOwn(CHECKS, split(path)[0])
}

/** The answer of a single check, which has fewer headers than that of all. */
function passed(): ApiResponse {
  const { 'x-content-type-options': _, ...headers } = textAnswer(200, '').headers
  return { ...textAnswer(200, 'ok'), headers }
}

/** The address and the check below it, where one is named. */
function split(path: string): [root: string, check?: string] {
  const slash = path.indexOf('/', 1)
  return slash < 0 ? [path.slice(1)] : [path.slice(1, slash), path.slice(slash + 1)]
}

async function storeProblem(store: Store): Promise<boolean> {
  try {
    await store.saved()
    return false
  } catch {
    return true
  }
}
