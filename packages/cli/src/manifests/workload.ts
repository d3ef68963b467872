import type { Operator } from 'homeostat'
import type { Installation } from './installation.ts'

const METRICS_PORT = 8080
const HEALTH_PORT = 8081
const WEBHOOK_PORT = 9443

/** The labels by which the Pods of an operator are found. */
export function labelsOf(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': name, 'control-plane': 'controller-manager' }
}

/** The Deployment of an operator. One of its processes leads. */
export function deployment(operator: Operator, { namespace, image, replicas }: Installation): object {
  const { name, webhooks } = operator
  const { page } = operator.manager
  const labels = labelsOf(name)
  const probe = (path: string) => ({ httpGet: { path, port: 'health' }, periodSeconds: 5 })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'controller-manager', namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'manager',
              image,
              ports: [
                { name: 'metrics', containerPort: METRICS_PORT },
                { name: 'health', containerPort: HEALTH_PORT },
                ...(webhooks.length > 0 ? [{ name: 'webhooks', containerPort: webhookPort(operator) }] : []),
                ...(page ? [{ name: 'page', containerPort: page.options.port }] : []),
              ],
              livenessProbe: probe('/healthz'),
              readinessProbe: probe('/readyz'),
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    },
  }
}

/** The PodDisruptionBudget: keeps one process running while nodes are drained. */
export function disruptionBudget(name: string, namespace: string): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, labels: labelsOf(name) },
    spec: { minAvailable: 1, selector: { matchLabels: labelsOf(name) } },
  }
}

/** The Service of the metrics, for Prometheus. */
export function metricsService(name: string, namespace: string): object {
  return service(`${name}-metrics`, name, namespace, { name: 'metrics', port: METRICS_PORT })
}

/** The Service of the webhooks, for API servers. */
export function webhookService(name: string, namespace: string): object {
  return service(`${name}-webhooks`, name, namespace, { name: 'webhooks', port: 443 })
}

/** The NetworkPolicy: admits connections that read metrics, probe health or call webhooks, and refuses all others. */
export function networkPolicy(operator: Operator, namespace: string): object {
  const { name, webhooks } = operator
  const { page } = operator.manager
  // On loopback only `kubectl port-forward` reaches the page, which no policy concerns.
  const isPageOpen = page?.options.host !== undefined && page.options.host !== '127.0.0.1'
  const ports = [
    METRICS_PORT,
    HEALTH_PORT,
    ...(webhooks.length > 0 ? [webhookPort(operator)] : []),
    ...(isPageOpen ? [page.options.port] : []),
  ]
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels: labelsOf(name) },
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ['Ingress'],
      ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })) }],
    },
  }
}

function webhookPort({ webhookServer }: Operator): number {
  return webhookServer?.port ?? WEBHOOK_PORT
}

function service(
  name: string,
  operator: string,
  namespace: string,
  port: { name: string; port: number },
): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: labelsOf(operator) },
    spec: { selector: labelsOf(operator), ports: [{ ...port, targetPort: port.name }] },
  }
}
