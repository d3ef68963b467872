/** What is special in each kind: one file for one subject. Everything else is common behaviour. */
import type { KindRules } from '../kind-rules.ts'
import type { Resource } from '../resource.ts'
import { customResourceDefinitionRules } from './custom-resource-definition.ts'
import { coreEventRules, eventRules } from './event.ts'
import { namespaceRules } from './namespace.ts'
import { podRules } from './pod.ts'
import { serviceRules } from './service.ts'
import { deploymentRules, jobRules, replicaSetRules, workloadRules } from './workload.ts'

const COMMON: KindRules = {}
/** Roles may have names such as `system:masters`, and PUT makes them. */
const ROLE: KindRules = { names: 'segment', createOnUpdate: true }

/** By group and plural. */
const RULES: Readonly<Record<string, KindRules>> = {
  '/endpoints': { createOnUpdate: true },
  '/events': coreEventRules,
  '/namespaces': namespaceRules,
  '/nodes': { fieldNames: ['spec.unschedulable'] },
  '/persistentvolumeclaims': {
    returnsDeleted: true,
    prepareCreate(object) {
      object['status'] = { phase: 'Pending' }
    },
  },
  '/pods': podRules,
  '/secrets': { fieldNames: ['type'] },
  '/serviceaccounts': { returnsDeleted: true },
  '/services': serviceRules,
  'apiextensions.k8s.io/customresourcedefinitions': customResourceDefinitionRules,
  'apps/daemonsets': workloadRules,
  'apps/deployments': deploymentRules,
  'apps/replicasets': replicaSetRules,
  'apps/statefulsets': workloadRules,
  'batch/cronjobs': workloadRules,
  'batch/jobs': jobRules,
  'coordination.k8s.io/leases': { createOnUpdate: true, unconditionalUpdate: false },
  'discovery.k8s.io/endpointslices': { generation: true },
  'events.k8s.io/events': eventRules,
  'networking.k8s.io/ingresses': workloadRules,
  'policy/poddisruptionbudgets': { ...workloadRules, unconditionalUpdate: false },
  'rbac.authorization.k8s.io/clusterrolebindings': ROLE,
  'rbac.authorization.k8s.io/clusterroles': ROLE,
  'rbac.authorization.k8s.io/rolebindings': ROLE,
  'rbac.authorization.k8s.io/roles': ROLE,
}

/** The rules of a resource's kind. */
export function rulesOf(resource: Resource): KindRules {
  return (resource.custom ? undefined : RULES[`${resource.group}/${resource.plural}`]) ?? COMMON
}
