import { failure, timestamp, type ApiResponse } from '@homeostat/api'
import { acceptedBy, documentAnswer, type Call, type KindAction } from '../../http/index.ts'
import { Failure, selectionOf } from '../../registry/index.ts'
import type { NodeUsage, PodUsage, ResourceMetrics, ResourceUsage } from './resource-metrics.ts'

/** Answers requests to `nodes` and `pods` of `metrics.k8s.io`. */
export function metricsAction(metrics: ResourceMetrics): KindAction {
  return (call) =>
    call.route.plural === 'nodes' ? answer(call, metrics.nodes()) : answer(call, metrics.pods())
}

function answer(call: Call, measured: readonly (NodeUsage | PodUsage)[]): ApiResponse {
  const { request, resource, route, registry } = call
  const wanted = measured
    .filter(
      (one) => route.namespace === undefined || ('namespace' in one && one.namespace === route.namespace),
    )
    .flatMap((one) => objectOf(call, one) ?? [])
  const now = registry.clock.now()
  if (route.name === undefined) {
    const { kind, apiVersion } = typeOf(call, 'List')
    const document = { kind, apiVersion, metadata: {}, items: wanted }
    return documentAnswer(request, acceptedBy(request, { resource, many: true }), { resource, document, now })
  }
  const found = wanted.find(({ metadata }) => metadata.name === route.name)
  if (found)
    return documentAnswer(request, acceptedBy(request, { resource }), { resource, document: found, now })
  const named = route.namespace === undefined ? route.name : `${route.namespace}/${route.name}`
  throw new Failure(failure.notFound({ group: resource.group, plural: resource.kind.toLowerCase() }, named))
}

/** The metrics of a node or a Pod that is stored and that the request selects. */
function objectOf(call: Call, measured: NodeUsage | PodUsage): MetricsObject | undefined {
  const { registry, request, resource } = call
  const key = 'namespace' in measured ? `${measured.namespace}/${measured.name}` : measured.name
  const stored = registry.store.get(`/${resource.plural}`, key)
  const selection = selectionOf(resource, {
    labels: request.query.get('labelSelector') ?? undefined,
    fields: request.query.get('fieldSelector') ?? undefined,
  })
  if (!stored || !selection.matches(stored)) return undefined
  const { labels } = stored
  return {
    ...typeOf(call),
    metadata: {
      name: measured.name,
      ...('namespace' in measured && { namespace: measured.namespace }),
      creationTimestamp: timestamp(registry.clock.now()),
      ...(labels && { labels }),
    },
    timestamp: timestamp(measured.time),
    window: `${Number((measured.window / 1000).toFixed(3))}s`,
    ...('usage' in measured
      ? { usage: quantities(measured.usage) }
      : {
          containers: measured.containers.map(({ name, usage }) => ({ name, usage: quantities(usage) })),
        }),
  }
}

interface MetricsObject {
  readonly metadata: { readonly name: string; readonly [key: string]: unknown }
  readonly [key: string]: unknown
}

function typeOf({ resource }: Call, suffix = ''): { kind: string; apiVersion: string } {
  return { kind: `${resource.kind}${suffix}`, apiVersion: `${resource.group}/${resource.version}` }
}

function quantities({ cpu, memory }: ResourceUsage): { cpu: string; memory: string } {
  return { cpu: nanocores(cpu), memory: `${Math.round(memory / 1024)}Ki` }
}

function nanocores(cpu: number): string {
  const whole = Math.round(cpu * 1e9)
  return whole === 0 ? '0' : `${whole}n`
}
