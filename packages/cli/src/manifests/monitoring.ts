import type { Operator } from 'homeostat'
import { labelsOf } from './workload.ts'

const API_VERSION = 'monitoring.coreos.com/v1'

/** Tells the Prometheus operator to read the metrics. */
export function serviceMonitor(name: string, namespace: string): object {
  return {
    apiVersion: API_VERSION,
    kind: 'ServiceMonitor',
    metadata: { name, namespace, labels: labelsOf(name) },
    spec: { selector: { matchLabels: labelsOf(name) }, endpoints: [{ port: 'metrics', path: '/metrics' }] },
  }
}

/** Alerts about problems from which an operator does not recover by itself. Their expressions name its controllers. */
export function alertRules({ name, controllers }: Operator, namespace: string): object {
  const mine = `controller=~"${controllers.map((controller) => controller.name).join('|')}"`
  const alert = (title: string, expr: string, duration: string, severity: string, summary: string) => ({
    alert: title,
    expr,
    for: duration,
    labels: { severity, operator: name },
    annotations: { summary },
  })
  return {
    apiVersion: API_VERSION,
    kind: 'PrometheusRule',
    metadata: { name, namespace, labels: labelsOf(name) },
    spec: {
      groups: [
        {
          name: `${name}.rules`,
          rules: [
            alert(
              'OperatorDown',
              `absent(up{namespace="${namespace}", service="${name}-metrics"} == 1)`,
              '5m',
              'critical',
              `No process of the operator ${name} can be reached.`,
            ),
            ...(controllers.length > 0
              ? [
                  alert(
                    'ReconcileErrors',
                    `sum by (controller) (rate(controller_runtime_reconcile_errors_total{${mine}}[5m])) > 0`,
                    '15m',
                    'warning',
                    `A controller of the operator ${name} has failed for 15 minutes.`,
                  ),
                  alert(
                    'QueueNotDrained',
                    `min_over_time(workqueue_depth{name=~"${controllers.map((controller) => controller.name).join('|')}"}[15m]) > 0`,
                    '15m',
                    'warning',
                    `Requests of a controller of the operator ${name} have waited for 15 minutes.`,
                  ),
                ]
              : []),
          ],
        },
      ],
    },
  }
}
