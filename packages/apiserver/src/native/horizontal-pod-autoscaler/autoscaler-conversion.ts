import { apiVersionOf } from '@homeostat/api'
import { type ServerObject, specOf, statusOf } from '../../registry/index.ts'
import { isObject, type JsonObject, listOf, objectOf, setKey } from '../../schema/index.ts'
import { metricStatusesToV1, metricStatusesToV2, metricsToV1, metricsToV2 } from './autoscaler-metrics.ts'

const PREFIX = 'autoscaling.alpha.kubernetes.io/'
/** The annotations in which `v1` keeps what it has no fields for. */
const METRICS = `${PREFIX}metrics`
const CURRENT_METRICS = `${PREFIX}current-metrics`
const CONDITIONS = `${PREFIX}conditions`
const BEHAVIOR = `${PREFIX}behavior`
const KEPT_IN_ANNOTATIONS = [
  METRICS,
  CURRENT_METRICS,
  CONDITIONS,
  BEHAVIOR,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
]

/** The metric of an autoscaler that names none. */
const DEFAULT_CPU_UTILIZATION = 80

/**
 * Converts a HorizontalPodAutoscaler to another version. Annotations hold what `v1` has no fields for, so that
 * nothing is lost.
 */
export function convertAutoscaler(
  object: ServerObject,
  to: { readonly group: string; readonly version: string },
): ServerObject {
  const apiVersion = apiVersionOf(to)
  if (object.apiVersion === apiVersion) return object
  return apiVersion === 'autoscaling/v1' ? toV1(object) : toV2(object)
}

/** Converts an object in `v1` to the stored version and back, which is the form in which a read returns it. */
export function normalizeAutoscaler(object: ServerObject): void {
  if (object.apiVersion === 'autoscaling/v1') Object.assign(object, toV1(toV2(object)))
  else if (isObject(object['status'])) object['status']['currentMetrics'] ??= null
}

/** The annotations of `v1` that hold parts of the status, and of the spec. */
const OF_STATUS = [CURRENT_METRICS, CONDITIONS]
const OF_SPEC = [METRICS, BEHAVIOR]

/**
 * Restores the annotations of `v1` for the part that a write cannot change: the status, or the spec in a write of the
 * status.
 */
export function keepAnnotationsOf(part: 'spec' | 'status', object: ServerObject, old?: ServerObject): void {
  if (object.apiVersion !== 'autoscaling/v1') return
  const annotations = { ...object.metadata.annotations }
  for (const name of part === 'status' ? OF_STATUS : OF_SPEC) {
    const kept = old?.metadata.annotations?.[name]
    if (kept === undefined) delete annotations[name]
    else annotations[name] = kept
  }
  object.metadata = withAnnotations(object, annotations)
}

function toV1(object: ServerObject): ServerObject {
  const { metrics, behavior, ...spec } = specOf(object)
  const { currentMetrics, conditions, ...status } = statusOf(object)
  const isCpu = (metric: JsonObject): boolean => utilizationOfCpu(metric, 'target') !== undefined
  const all = listOf(metrics).filter(isObject)
  const cpu = all.find(isCpu)
  const others = metricsToV1(all.filter((metric) => !isCpu(metric)))
  const measured = metricStatusesToV1(currentMetrics)
  const current = listOf(currentMetrics)
    .filter(isObject)
    .findLast((metric) => utilizationOfCpu(metric, 'current') !== undefined)
  const annotations = withoutKept(object.metadata.annotations)
  if (others.length > 0) annotations[METRICS] = JSON.stringify(others)
  if (measured.length > 0) annotations[CURRENT_METRICS] = JSON.stringify(measured)
  if (isObject(behavior)) annotations[BEHAVIOR] = JSON.stringify(behaviorToText(behavior))
  if (listOf(conditions).length > 0) annotations[CONDITIONS] = JSON.stringify(listOf(conditions).map(inOrder))
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(object, annotations),
    spec: { ...spec, ...(cpu && { targetCPUUtilizationPercentage: utilizationOfCpu(cpu, 'target') }) },
    status: {
      ...status,
      currentReplicas: status['currentReplicas'] ?? 0,
      desiredReplicas: status['desiredReplicas'] ?? 0,
      ...(current && { currentCPUUtilizationPercentage: utilizationOfCpu(current, 'current') }),
    },
  }
}

function toV2(object: ServerObject): ServerObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = specOf(object)
  const { currentCPUUtilizationPercentage: current, currentReplicas, ...status } = statusOf(object)
  const { annotations = {} } = object.metadata
  const metrics = [
    ...metricsToV2(parsed(annotations[METRICS])),
    ...(target === undefined ? [] : [cpuMetric(target)]),
  ]
  const behavior = parsed(annotations[BEHAVIOR])
  const measured = parsed(annotations[CURRENT_METRICS])
  const conditions = parsed(annotations[CONDITIONS])
  const currentMetrics = Array.isArray(measured)
    ? metricStatusesToV2(measured)
    : current === undefined
      ? null
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }]
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(object, withoutKept(annotations)),
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(DEFAULT_CPU_UTILIZATION)],
      ...(isObject(behavior) && Object.keys(behavior).length > 0 && { behavior: behaviorFromText(behavior) }),
    },
    status: {
      ...(currentReplicas ? { currentReplicas } : {}),
      desiredReplicas: 0,
      ...status,
      ...(Array.isArray(conditions) && { conditions }),
      currentMetrics,
    },
  }
}

const CONDITION = ['type', 'status', 'lastTransitionTime', 'reason', 'message']

/** A condition with its fields in the order in which Kubernetes writes them. */
function inOrder(condition: unknown): JsonObject {
  const fields = objectOf(condition)
  return Object.fromEntries(CONDITION.filter((name) => fields[name]).map((name) => [name, fields[name]]))
}

function cpuMetric(averageUtilization: unknown): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

/** The target, or the measured value, of a metric for the CPU in percent; undefined for other metrics. */
function utilizationOfCpu(metric: JsonObject, part: 'target' | 'current'): unknown {
  const resource = objectOf(metric['resource'])
  if (metric['type'] !== 'Resource' || resource['name'] !== 'cpu') return undefined
  return objectOf(resource[part])['averageUtilization']
}

function withoutKept(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations ?? {}).filter(([key]) => !KEPT_IN_ANNOTATIONS.includes(key)),
  )
}

function withAnnotations(
  object: ServerObject,
  annotations: Record<string, string>,
): ServerObject['metadata'] {
  const { annotations: _, ...metadata } = object.metadata
  return Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata
}

/** The value of an annotation in JSON; undefined where it cannot be read. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const RULES = ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance']
const POLICY = ['type', 'value', 'periodSeconds']

/** The behaviour as the annotation has it: with all fields, whose names begin with a capital letter. */
function behaviorToText(behavior: JsonObject): JsonObject {
  const rules = (value: unknown): unknown => {
    if (!isObject(value)) return null
    const policies = Array.isArray(value['policies'])
      ? value['policies'].map((policy) => capitalized(objectOf(policy), POLICY))
      : null
    return capitalized({ ...value, policies }, RULES)
  }
  return { ScaleUp: rules(behavior['scaleUp']), ScaleDown: rules(behavior['scaleDown']) }
}

function behaviorFromText(behavior: JsonObject): JsonObject {
  const fields = uncapitalized(behavior)
  const result: JsonObject = {}
  for (const name of ['scaleUp', 'scaleDown']) {
    const rules = fields[name]
    if (!isObject(rules)) continue
    const plain = uncapitalized(rules)
    if (Array.isArray(plain['policies'])) {
      plain['policies'] = plain['policies'].map((policy) => uncapitalized(objectOf(policy)))
    }
    setKey(result, name, plain)
  }
  return result
}

function capitalized(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name.charAt(0).toUpperCase() + name.slice(1), object[name] ?? null]),
  )
}

function uncapitalized(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  )
}
