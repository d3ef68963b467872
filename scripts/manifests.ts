import atOperator from '@homeostat/example-at'
import mariadbOperator from '@homeostat/example-mariadb'
import markdownViewOperator from '@homeostat/example-markdownview'
import tenantOperator from '@homeostat/example-tenant'
import vcapOperator from '@homeostat/example-vcap'
import visitorsOperator from '@homeostat/example-visitors'
import {
  clusterRole,
  operatorDefinitions,
  operatorManager,
  podOptions,
  role,
  webhookConfigurations,
  type Operator,
} from 'homeostat'

/** A file of an example's `manifests/`: what it is made from, and what it holds. */
export interface ManifestFile {
  readonly from: string
  readonly documents: readonly object[]
}

/** The generated files of each example, by its folder. */
export const manifests: Readonly<Record<string, Readonly<Record<string, ManifestFile>>>> = Object.fromEntries(
  [atOperator, mariadbOperator, markdownViewOperator, tenantOperator, vcapOperator, visitorsOperator].map(
    (operator) => [operator.name, manifestsOf(operator)],
  ),
)

function manifestsOf(operator: Operator): Readonly<Record<string, ManifestFile>> {
  const clientConfig = { service: webhookService(operator) }
  return {
    'crd.yaml': { from: 'kind', documents: operatorDefinitions(operator, clientConfig) },
    'rbac.yaml': { from: 'controller', documents: access(operator) },
    'manager.yaml': { from: 'name of the example', documents: [deployment(operator)] },
    ...(operator.webhooks.length > 0 && {
      'webhooks.yaml': { from: 'webhooks of the operator', documents: webhooks(operator) },
    }),
    'sample.yaml': { from: 'samples of the operator', documents: operator.samples },
  }
}

/** The Service by which an API server reaches the webhooks of an operator. */
function webhookService({ name }: Operator): { readonly name: string; readonly namespace: string } {
  return { name: `${name}-webhooks`, namespace: `${name}-system` }
}

/** What makes an API server call the webhooks. The operator itself adds the certificates to trust. */
function webhooks(operator: Operator): object[] {
  const { name } = operator
  const service = webhookService(operator)
  const configurations = webhookConfigurations(operator.webhooks, { name, clientConfig: { service } })
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: service,
      spec: {
        selector: labelsOf(operator),
        ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }],
      },
    },
    ...Object.values(configurations),
  ]
}

/** The account of an operator, what it may do, and that the one has the other. */
function access(operator: Operator): object[] {
  const { name } = operator
  const namespace = `${name}-system`
  // As in a Pod, where a leader is elected and certificates are shared.
  const inPod = {
    ...operator,
    webhookServer: { service: webhookService(operator), ...operator.webhookServer },
  }
  const manager = operatorManager(inPod, podOptions(name, { KUBERNETES_SERVICE_HOST: 'any' }))
  const key = { name, namespace }
  const everywhere = clusterRole(name, manager.rules('controllers'))
  const election = role({ name: `${name}-leader-election`, namespace }, manager.rules('namespace'))
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key },
    everywhere,
    binding('ClusterRoleBinding', everywhere, key),
    election,
    binding('RoleBinding', election, key),
  ]
}

/** That the account has the role. */
function binding(
  kind: string,
  { apiVersion, kind: roleKind, metadata }: ReturnType<typeof clusterRole> | ReturnType<typeof role>,
  account: { readonly name: string; readonly namespace: string },
): object {
  return {
    apiVersion,
    kind,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  }
}

function labelsOf({ name }: Operator): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'control-plane': 'controller-manager' }
}

/** Two processes of an operator, of which one leads. */
function deployment(operator: Operator): object {
  const { name } = operator
  const labels = labelsOf(operator)
  const probe = (path: string) => ({ httpGet: { path, port: 'health' }, periodSeconds: 5 })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'controller-manager', namespace: `${name}-system`, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'manager',
              image: `homeostat-example-${name}:0.1.0`,
              ports: [
                { name: 'metrics', containerPort: 8080 },
                { name: 'health', containerPort: 8081 },
                ...(operator.webhooks.length > 0 ? [{ name: 'webhooks', containerPort: 9443 }] : []),
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
