import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, ServerObject, PrintedObject } from '../../registry/index.ts'
import { firstOf } from '../table-cells/table-cells.ts'
import { convertAutoscaler } from './autoscaler-conversion.ts'

/** The number of metrics in a cell. */
const SHOWN = 2

/** The table of HorizontalPodAutoscalers of both versions. */
export const horizontalPodAutoscalerPrinter: Printer = {
  columns: [
    NAME,
    column('Reference'),
    column('Targets'),
    column('MinPods'),
    column('MaxPods'),
    column('Replicas'),
    AGE,
  ],
  cells(object, now) {
    const { spec = {}, status = {} }: PrintedObject = object.spec
      ? convertAutoscaler(object as ServerObject, { group: 'autoscaling', version: 'v2' })
      : object
    const target: PrintedObject = spec.scaleTargetRef ?? {}
    return [
      nameOf(object),
      `${target.kind ?? ''}/${target.name ?? ''}`,
      targets(spec.metrics ?? [], status.currentMetrics ?? []),
      spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
      spec.maxReplicas ?? 0,
      status.currentReplicas ?? 0,
      age(object, now),
    ]
  },
}

function targets(metrics: readonly PrintedObject[], statuses: readonly PrintedObject[]): string {
  if (metrics.length === 0) return '<none>'
  const texts = metrics.map((metric, index) => metricText(metric, statuses[index] ?? {}))
  return firstOf(texts, SHOWN, ', ')
}

function metricText(metric: PrintedObject, status: PrintedObject): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, status.external?.current)
    case 'Object':
      return valueText(metric.object?.target, status.object?.current)
    case 'Pods':
      return averageText(metric.pods?.target, status.pods?.current)
    case 'Resource':
      return resourceText(metric.resource ?? {}, status.resource?.current)
    case 'ContainerResource':
      return resourceText(metric.containerResource ?? {}, status.containerResource?.current)
    default:
      return '<unknown type>'
  }
}

function averageText(target: PrintedObject | undefined, current: PrintedObject | undefined): string {
  return `${current?.averageValue ?? '<unknown>'}/${target?.averageValue ?? ''}`
}

function valueText(target: PrintedObject | undefined, current: PrintedObject | undefined): string {
  if (target?.averageValue !== undefined) return `${averageText(target, current)} (avg)`
  return `${current?.value ?? '<unknown>'}/${target?.value ?? ''}`
}

function resourceText({ name, target }: PrintedObject, current: PrintedObject | undefined): string {
  if (target?.averageValue !== undefined) return `${name}: ${averageText(target, current)}`
  const percent = (share: number | undefined, otherwise: string) =>
    share === undefined ? otherwise : `${share}%`
  const wanted = percent(target?.averageUtilization, '<auto>')
  return `${name}: ${percent(current?.averageUtilization, '<unknown>')}/${wanted}`
}
