import { isObject, type JsonObject, listOf, objectOf, setKey } from '../../schema/index.ts'

/** The fields of an object without those that are undefined. */
function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Converts one source of a metric, and leaves out the other sources. */
type SourceConversion = (source: JsonObject) => JsonObject

const TO_V1: Readonly<Record<string, SourceConversion>> = {
  object(source) {
    const { target, metric } = parts(source)
    return {
      target: source['describedObject'],
      metricName: metric['name'],
      targetValue: target['value'] ?? '0',
      selector: metric['selector'],
      averageValue: target['averageValue'],
    }
  },
  pods(source) {
    const { target, metric } = parts(source)
    const targetAverageValue = target['averageValue'] ?? '0'
    return { metricName: metric['name'], targetAverageValue, selector: metric['selector'] }
  },
  resource: (source) => resourceToV1(source),
  containerResource: (source) => ({ ...resourceToV1(source), container: source['container'] }),
  external(source) {
    const { target, metric } = parts(source)
    return {
      metricName: metric['name'],
      metricSelector: metric['selector'],
      targetValue: target['value'],
      targetAverageValue: target['averageValue'],
    }
  },
}

const TO_V2: Readonly<Record<string, SourceConversion>> = {
  object(source) {
    const { averageValue, targetValue = '0' } = source
    const target =
      averageValue === undefined
        ? { type: 'Value', value: targetValue }
        : { type: 'AverageValue', value: targetValue === '0' ? undefined : targetValue, averageValue }
    return {
      describedObject: source['target'],
      target: present(target),
      metric: metricOf(source, source['selector']),
    }
  },
  pods: (source) => ({
    metric: metricOf(source, source['selector']),
    target: { type: 'AverageValue', averageValue: source['targetAverageValue'] ?? '0' },
  }),
  resource: (source) => resourceToV2(source),
  containerResource: (source) => ({ ...resourceToV2(source), container: source['container'] }),
  external(source) {
    const { targetValue: value, targetAverageValue: averageValue } = source
    return {
      metric: metricOf(source, source['metricSelector']),
      target: present({ type: value === undefined ? 'AverageValue' : 'Value', value, averageValue }),
    }
  },
}

const STATUS_TO_V1: Readonly<Record<string, SourceConversion>> = {
  object(source) {
    const { current, metric } = parts(source)
    return {
      target: source['describedObject'],
      metricName: metric['name'],
      currentValue: current['value'] ?? '0',
      selector: metric['selector'],
      averageValue: current['averageValue'],
    }
  },
  pods(source) {
    const { current, metric } = parts(source)
    const currentAverageValue = current['averageValue'] ?? '0'
    return { metricName: metric['name'], currentAverageValue, selector: metric['selector'] }
  },
  resource: (source) => resourceStatusToV1(source),
  containerResource: (source) => ({ ...resourceStatusToV1(source), container: source['container'] }),
  external(source) {
    const { current, metric } = parts(source)
    return {
      metricName: metric['name'],
      metricSelector: metric['selector'],
      currentValue: current['value'] ?? '0',
      currentAverageValue: current['averageValue'],
    }
  },
}

const STATUS_TO_V2: Readonly<Record<string, SourceConversion>> = {
  object: (source) => ({
    describedObject: source['target'],
    metric: metricOf(source, source['selector']),
    current: present({ value: source['currentValue'], averageValue: source['averageValue'] }),
  }),
  pods: (source) => ({
    metric: metricOf(source, source['selector']),
    current: { averageValue: source['currentAverageValue'] ?? '0' },
  }),
  resource: (source) => resourceStatusToV2(source),
  containerResource: (source) => ({ ...resourceStatusToV2(source), container: source['container'] }),
  external: (source) => ({
    metric: metricOf(source, source['metricSelector']),
    current: present({ value: source['currentValue'], averageValue: source['currentAverageValue'] }),
  }),
}

function parts(source: JsonObject): { target: JsonObject; current: JsonObject; metric: JsonObject } {
  return {
    target: objectOf(source['target']),
    current: objectOf(source['current']),
    metric: objectOf(source['metric']),
  }
}

function metricOf(source: JsonObject, selector: unknown): JsonObject {
  return present({ name: source['metricName'] ?? '', selector })
}

function resourceToV1(source: JsonObject): JsonObject {
  const { target } = parts(source)
  return {
    name: source['name'],
    targetAverageUtilization: target['averageUtilization'],
    targetAverageValue: target['averageValue'],
  }
}

function resourceToV2(source: JsonObject): JsonObject {
  const { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue } = source
  const type = averageUtilization === undefined ? 'AverageValue' : 'Utilization'
  return { name: source['name'], target: present({ type, averageValue, averageUtilization }) }
}

function resourceStatusToV1(source: JsonObject): JsonObject {
  const { current } = parts(source)
  return {
    name: source['name'],
    currentAverageUtilization: current['averageUtilization'],
    currentAverageValue: current['averageValue'] ?? '0',
  }
}

function resourceStatusToV2(source: JsonObject): JsonObject {
  const { currentAverageUtilization: averageUtilization, currentAverageValue: averageValue } = source
  return { name: source['name'], current: present({ averageValue, averageUtilization }) }
}

function changed(metrics: unknown, changes: Readonly<Record<string, SourceConversion>>): JsonObject[] {
  return listOf(metrics)
    .filter(isObject)
    .map((metric) => {
      const result: JsonObject = { type: metric['type'] }
      for (const [name, change] of Object.entries(changes)) {
        if (isObject(metric[name])) setKey(result, name, present(change(metric[name])))
      }
      return result
    })
}

/** Converts `spec.metrics` to the annotation of `v1`. */
export function metricsToV1(metrics: unknown): JsonObject[] {
  return changed(metrics, TO_V1)
}

/** Converts the annotation back. */
export function metricsToV2(metrics: unknown): JsonObject[] {
  return changed(metrics, TO_V2)
}

/** Converts `status.currentMetrics` to the annotation of `v1`. */
export function metricStatusesToV1(metrics: unknown): JsonObject[] {
  return changed(metrics, STATUS_TO_V1)
}

/** Converts the annotation back. */
export function metricStatusesToV2(metrics: unknown): JsonObject[] {
  return changed(metrics, STATUS_TO_V2)
}
