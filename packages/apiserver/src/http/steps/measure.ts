import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { RequestLabels, RequestSeries, ServerMetrics } from '../../metrics/index.ts'
import { Failure } from '../../registry/index.ts'
import { failureAnswer } from '../answer/answer.ts'
import { ListStream } from '../answer/list-stream.ts'
import { WatchStream } from '../answer/watch-stream.ts'
import { isWrite, type Call } from '../request/call.ts'
import type { Exchange } from '../request/exchange.ts'
import { isTrue } from '../request/request-options.ts'
import type { Next, Step } from './step.ts'

const COMPONENT = 'apiserver'
/** Subresources that connect the client with a Pod, a Service or a node. */
const CONNECTIONS = new Set(['log', 'exec', 'portforward', 'attach', 'proxy'])
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** The names of verbs in the sizes of bodies. */
const BODY_VERBS = new Map([['deletecollection', 'delete_collection']])

/** Whether a request lasts as long as its client wants. */
export function isLongRunning({ verb, route }: Pick<Exchange, 'verb' | 'route'>): boolean {
  return verb === 'watch' || (route?.subresource !== undefined && CONNECTIONS.has(route.subresource))
}

/** Counts and times the requests to some paths that name no resource: those of health checks and OpenAPI. */
export const countPath: Step<Exchange> = (exchange, next, { metrics }) => {
  const path = exchange.route ? undefined : countedPath(exchange.request)
  if (!path) return next(exchange)
  const { method } = exchange.request
  const verb = METHODS.has(method) ? method : 'GET'
  const series = metrics.requests.series(`${verb} ${path.subresource}`, () => pathLabels(verb, path))
  return counted(() => next(exchange), series, { received: exchange.received, metrics, reads: true })
}

/**
 * Counts a request to a resource, and measures the time from its arrival until its answer is ready, or for a watch
 * until its end.
 */
export const measureCall: Step<Call> = (call, next, { metrics }) => {
  const { request, received, resource, registry } = call
  const series = seriesOf(call, metrics)
  if (isWrite(call)) {
    const verb = BODY_VERBS.get(call.verb) ?? call.verb
    metrics.bodySizes.of(resource.group, resource.plural, verb).observe(request.body?.length ?? 0)
  }
  if (resource.deprecation !== undefined && !resource.custom) {
    metrics.deprecated.of(resource.group, '', resource.plural, '', resource.version).count = 1
  }
  const saved = isWrite(call) ? () => registry.store.saved() : undefined
  const running =
    isLongRunning(call) && call.route.subresource !== 'log' ? runningOf(call, metrics) : undefined
  const reads = request.method === 'GET' && !connects(call) && !(call.route.watch && call.verb === 'watch')
  return counted(() => next(call), series, { received, metrics, saved, running, reads, call })
}

/** How an answer is counted. */
interface CountedRequest {
  readonly received: number
  readonly metrics: ServerMetrics
  /** Whether the size of the answer counts. */
  readonly reads: boolean
  /** Waits until what was written is saved. */
  readonly saved?: (() => Promise<void> | undefined) | undefined
  /** Called when a long-running request begins. The function that it returns is called when the request ends. */
  readonly running?: (() => () => void) | undefined
  readonly call?: Call
}

function counted(
  answer: () => ReturnType<Next<unknown>>,
  series: RequestSeries,
  counting: CountedRequest,
): ApiResponse | Promise<ApiResponse> {
  const end = counting.running?.()
  const fail = (error: unknown): never => {
    end?.()
    if (!(error instanceof Failure)) series.count(500, elapsed(counting))
    else
      series.count(
        error.status.code,
        elapsed(counting),
        counting.reads ? sizeOf(failureAnswer(error)) : undefined,
      )
    throw error
  }
  try {
    const waiting = answer()
    if (waiting instanceof Promise) {
      return waiting.then((response) => countAnswer(response, series, counting, end), fail)
    }
    return countAnswer(waiting, series, counting, end)
  } catch (error) {
    return fail(error)
  }
}

function sizeOf({ body }: ApiResponse): number | undefined {
  return body instanceof Uint8Array ? body.length : undefined
}

function countAnswer(
  response: ApiResponse,
  series: RequestSeries,
  counting: CountedRequest,
  end: (() => void) | undefined,
): ApiResponse {
  const { status, body } = response
  if (body instanceof WatchStream && counting.call) {
    observeWatch(body, series, counting, counting.call, end)
    return response
  }
  end?.()
  // A method that the path does not take is not counted.
  if (status === 405) return response
  if (body instanceof ListStream) {
    body.observe((bytes) => series.count(status, elapsed(counting), bytes))
    return response
  }
  const size = counting.reads ? sizeOf(response) : undefined
  const saving = status < 300 ? counting.saved?.() : undefined
  if (!saving) series.count(status, elapsed(counting), size)
  else {
    saving.then(
      () => series.count(status, elapsed(counting), size),
      () => series.count(500, elapsed(counting)),
    )
  }
  return response
}

function observeWatch(
  stream: WatchStream,
  series: RequestSeries,
  counting: CountedRequest,
  { resource }: Call,
  end: (() => void) | undefined,
): void {
  const { metrics } = counting
  const labels = [resource.group, resource.plural, resource.version] as const
  const sizes = metrics.watchEvents.of(...labels)
  const events = metrics.watchEventCounts.of(...labels)
  let total = 0
  stream.observe({
    sent(bytes) {
      total += bytes
      sizes.observe(bytes)
      events.count++
    },
    ended() {
      end?.()
      series.count(200, elapsed(counting), counting.reads ? total : undefined)
    },
  })
}

function elapsed({ metrics, received }: CountedRequest): number {
  return metrics.seconds() - received
}

function connects({ route }: Call): boolean {
  return route.subresource !== undefined && CONNECTIONS.has(route.subresource)
}

function seriesOf(call: Call, metrics: ServerMetrics): RequestSeries {
  const { request, route, resource } = call
  const scope = scopeOf(call)
  const verb = reportedVerb(call, scope)
  const dryRun = dryRunOf(request)
  const { group, version, plural } = resource
  const { subresource = '' } = route
  const key = `${verb} ${group} ${version} ${plural} ${subresource} ${scope} ${dryRun}`
  return metrics.requests.series(key, () => ({
    verb,
    group,
    version,
    resource: plural,
    subresource,
    scope,
    component: COMPONENT,
    dryRun,
  }))
}

function scopeOf({ route, verb }: Call): string {
  if (route.name !== undefined || verb === 'create') return 'resource'
  return route.namespace === undefined ? 'cluster' : 'namespace'
}

function reportedVerb(call: Call, scope: string): string {
  const { request, verb } = call
  if (connects(call)) return 'CONNECT'
  if (verb === 'watch') return 'WATCH'
  if (request.method === 'GET' || request.method === 'HEAD') return scope === 'resource' ? 'GET' : 'LIST'
  if (request.method === 'PATCH' && request.headers['content-type'] === 'application/apply-patch+yaml') {
    return 'APPLY'
  }
  return METHODS.has(request.method) ? request.method : 'other'
}

function dryRunOf({ query }: ApiRequest): string {
  if (!query.has('dryRun')) return ''
  return query.getAll('dryRun').every((value) => value === 'All') ? 'All' : 'invalid'
}

/**
 * Counts a long-running request as under way. A watch that selects one object by its name counts as a watch of that
 * object.
 */
function runningOf(call: Call, metrics: ServerMetrics): () => () => void {
  const { route, resource, request } = call
  const selected = request.query.get('fieldSelector')?.startsWith('metadata.name=')
  const scope = selected ? 'resource' : scopeOf(call)
  const watches = call.verb === 'watch' && isTrue(request.query.get('watch'))
  // As in kube-apiserver, a watch through the old path `/watch/` counts as a GET or a LIST.
  const plain = scope === 'resource' ? 'GET' : 'LIST'
  const verb = connects(call) ? 'CONNECT' : watches ? 'WATCH' : plain
  const { group, plural, version } = resource
  const labels = [COMPONENT, group, plural, scope, route.subresource ?? '', verb, version]
  return () => {
    const running = metrics.longRunning.of(...labels)
    running.count++
    return () => running.count--
  }
}

interface CountedPath {
  readonly subresource: string
  readonly component: string
}

function countedPath({ path, headers }: ApiRequest): CountedPath | undefined {
  if (path === '/livez' || path === '/readyz' || path === '/healthz')
    return { subresource: path, component: '' }
  if (path === '/openapi/v3') return { subresource: 'openapi/v3', component: '' }
  if (path.startsWith('/openapi/v3/')) return { subresource: 'openapi/v3/', component: '' }
  const aggregated = headers['accept']?.includes('apidiscovery.k8s.io')
  if (aggregated && (path === '/api' || path === '/apis'))
    return { subresource: path.slice(1), component: COMPONENT }
  return undefined
}

function pathLabels(verb: string, { subresource, component }: CountedPath): RequestLabels {
  return { verb, group: '', version: '', resource: '', subresource, scope: '', component, dryRun: '' }
}
