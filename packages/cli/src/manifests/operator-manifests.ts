import {
  podOptions,
  operatorDefinitions,
  operatorManager,
  webhookConfigurations,
  type Operator,
} from 'homeostat'
import { access, pageViewerRole } from './access.ts'
import type { Installation } from './installation.ts'
import { deployment, disruptionBudget, metricsService, networkPolicy, webhookService } from './workload.ts'
import { alertRules, serviceMonitor } from './monitoring.ts'

/** An object of a manifest. */
export type ManifestObject = object

/** The files of an operator's manifests by their path, each with the objects that it holds. */
export type ManifestFiles = Readonly<Record<string, readonly ManifestObject[]>>

/**
 * Everything that a cluster needs to run an operator. The same operator gives the same objects in the same order.
 * Files that would be empty are left out. `kubectl apply -f` reads the files of a folder by their names, so the file
 * that has the Namespace is the first. `monitoring/` is a separate folder, because it needs the kinds of the
 * Prometheus operator. `samples/` is one, because kubectl looks up the kinds of all objects before it creates the
 * first definition.
 */
export function operatorManifests(operator: Operator, installation: Installation): ManifestFiles {
  const { name } = operator
  const { namespace } = installation
  const service = { name: `${name}-webhooks`, namespace }
  const hasWebhooks = operator.webhooks.length > 0
  // The settings of an operator in a Pod: it elects a leader, and its webhooks have a Service.
  const manager = operatorManager(
    { ...operator, webhookServer: { ...operator.webhookServer, service } },
    {
      ...podOptions(name, { KUBERNETES_SERVICE_HOST: 'any' }),
      ...operator.manager,
    },
  )
  const configurations = hasWebhooks
    ? Object.values(webhookConfigurations(operator.webhooks, { name, clientConfig: { service } }))
    : []
  const files: Record<string, readonly ManifestObject[]> = {
    'access.yaml': [
      ...access(name, namespace, manager),
      ...(operator.manager.page ? [pageViewerRole(name)] : []),
    ],
    'crd.yaml': operatorDefinitions(operator, { service }),
    'manager.yaml': [
      deployment(operator, installation),
      disruptionBudget(name, namespace),
      metricsService(name, namespace),
    ],
    'network-policy.yaml': [networkPolicy(operator, namespace)],
    'webhooks.yaml': hasWebhooks ? [webhookService(name, namespace), ...configurations] : [],
    'monitoring/monitoring.yaml': [serviceMonitor(name, namespace), alertRules(operator, namespace)],
    'samples/sample.yaml': operator.samples,
  }
  return Object.fromEntries(Object.entries(files).filter(([, objects]) => objects.length > 0))
}
