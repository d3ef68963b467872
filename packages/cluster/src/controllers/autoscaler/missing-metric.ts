import type { DeepReadonly } from '@homeostat/api'
import type { AutoscalingV2 } from '@homeostat/api/kinds'

/** Why an autoscaler cannot get a metric, in the words of a Kubernetes cluster without metrics. */
export interface MissingMetric {
  readonly reason: string
  readonly message: string
}

const NO_RESOURCES =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const NO_CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'

/** The message about the first metric of an autoscaler, which is the CPU by default. */
export function missingMetric(
  metric: DeepReadonly<AutoscalingV2.MetricSpec> | undefined,
  namespace: string,
): MissingMetric {
  switch (metric?.type) {
    case 'ContainerResource':
      return ofResource('FailedGetContainerResourceMetric', metric.containerResource)
    case 'Pods':
      return {
        reason: 'FailedGetPodsMetric',
        message: `unable to get metric ${metric.pods?.metric.name}: ${NO_CUSTOM}`,
      }
    case 'Object':
      return {
        reason: 'FailedGetObjectMetric',
        message: `unable to get metric ${metric.object?.metric.name}: ${NO_CUSTOM}`,
      }
    case 'External': {
      const name = metric.external?.metric.name
      const cause = `the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`
      return {
        reason: 'FailedGetExternalMetric',
        message: `unable to get external metric ${namespace}/${name}: unable to fetch metrics from external metrics API: ${cause}`,
      }
    }
    default:
      return ofResource('FailedGetResourceMetric', metric?.resource)
  }
}

function ofResource(
  reason: string,
  resource:
    | { readonly name: string; readonly target: { readonly averageUtilization?: number | undefined } }
    | undefined,
): MissingMetric {
  const name = resource?.name ?? 'cpu'
  const relative = !resource || resource.target.averageUtilization !== undefined
  const missing = `unable to get metrics for resource ${name}: ${NO_RESOURCES}`
  const what = relative ? `${name} utilization` : `${name} usage`
  return { reason, message: `failed to get ${what}: ${missing}` }
}
