/** What is special in each kind: one file for one subject. Everything else is common behaviour. */
import { equalJson, objectOf } from '../../schema/json.ts'
import { fieldAt, fieldsAt } from '../field-labels.ts'
import type { KindRules } from '../kind-rules.ts'
import type { Resource } from '../resource.ts'
import type { ServerObject } from '../server-object.ts'
import { apiServiceRules } from './api-service.ts'
import { normalizeAutoscaler, normalizeNewAutoscaler } from './autoscaler-conversion.ts'
import { certificateSigningRequestRules } from './certificate-request.ts'
import { clearStatus, keepMetadata } from './clear-status.ts'
import { customResourceDefinitionRules } from './custom-resource-definition.ts'
import { customResourceRules } from './custom-resource.ts'
import { coreEventRules, eventRules } from './event.ts'
import { namespaceRules } from './namespace.ts'
import { persistentVolumeClaimRules, persistentVolumeRules } from './persistent-volume.ts'
import { podRules } from './pod.ts'
import { serviceRules } from './service.ts'
import {
  daemonSetRules,
  deploymentRules,
  jobRules,
  replicationControllerRules,
  workloadRules,
} from './workload.ts'

const COMMON: KindRules = {}
/** Roles may have names such as `system:masters`, and PUT makes them. */
const ROLE: KindRules = { names: 'segment', createOnUpdate: true }
/** What configures the server itself is not overwritten unseen. */
const CONFIGURATION: KindRules = { generation: true, unconditionalUpdate: false }
const CONDITIONAL: KindRules = { unconditionalUpdate: false, returnsDeleted: true }
const AUTOSCALER: KindRules = {
  normalize: normalizeNewAutoscaler,
  prepareCreate(object, context) {
    clearStatus(object, context)
    normalizeAutoscaler(object)
  },
  prepareUpdate: normalizeAutoscaler,
  prepareStatus: normalizeAutoscaler,
}

/** A ServiceAccount refers to Secrets by their names alone. */
function keepSecretNames(account: ServerObject): void {
  const { secrets } = account
  if (!Array.isArray(secrets)) return
  account['secrets'] = secrets.map((one) => {
    const { name } = objectOf(one)
    return name === undefined ? {} : { name }
  })
}

/** By group and plural. */
const RULES: Readonly<Record<string, KindRules>> = {
  '/endpoints': { createOnUpdate: true },
  '/events': coreEventRules,
  '/limitranges': {
    createOnUpdate: true,
    // A LimitRange that has no name is called by its uid.
    prepareCreate: ({ metadata }) => void (metadata.name ||= metadata.uid ?? ''),
  },
  '/namespaces': namespaceRules,
  '/nodes': { fieldLabels: { read: { 'spec.unschedulable': fieldAt('spec.unschedulable', 'false') } } },
  '/persistentvolumeclaims': persistentVolumeClaimRules,
  '/persistentvolumes': persistentVolumeRules,
  '/pods': podRules,
  '/podtemplates': { generation: true, returnsDeleted: true },
  '/replicationcontrollers': replicationControllerRules,
  '/resourcequotas': { returnsDeleted: true, prepareCreate: clearStatus },
  '/secrets': { fieldLabels: { read: fieldsAt('type') } },
  '/serviceaccounts': {
    returnsDeleted: true,
    prepareCreate: keepSecretNames,
    prepareUpdate: keepSecretNames,
  },
  '/services': serviceRules,
  'admissionregistration.k8s.io/mutatingadmissionpolicies': CONFIGURATION,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': CONFIGURATION,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': CONFIGURATION,
  'admissionregistration.k8s.io/validatingadmissionpolicies': {
    ...CONFIGURATION,
    prepareCreate: clearStatus,
  },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': CONFIGURATION,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': CONFIGURATION,
  'apiextensions.k8s.io/customresourcedefinitions': customResourceDefinitionRules,
  'apiregistration.k8s.io/apiservices': apiServiceRules,
  'apps/daemonsets': daemonSetRules,
  'apps/deployments': deploymentRules,
  'apps/replicasets': workloadRules,
  'apps/statefulsets': { ...workloadRules, names: 'label' },
  'autoscaling/horizontalpodautoscalers': AUTOSCALER,
  'batch/cronjobs': workloadRules,
  'batch/jobs': jobRules,
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestRules,
  'coordination.k8s.io/leasecandidates': { createOnUpdate: true, unconditionalUpdate: false },
  'coordination.k8s.io/leases': { createOnUpdate: true, unconditionalUpdate: false },
  'discovery.k8s.io/endpointslices': {
    generation: true,
    counts: (object, old) => !equalJson(object.metadata.labels ?? {}, old.metadata.labels ?? {}),
  },
  'events.k8s.io/events': eventRules,
  'flowcontrol.apiserver.k8s.io/flowschemas': workloadRules,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': workloadRules,
  'networking.k8s.io/ingressclasses': { generation: true },
  'networking.k8s.io/ingresses': workloadRules,
  'networking.k8s.io/ipaddresses': { names: 'address' },
  'networking.k8s.io/networkpolicies': { generation: true },
  'networking.k8s.io/servicecidrs': { prepareCreate: clearStatus },
  'node.k8s.io/runtimeclasses': { createOnUpdate: true, unconditionalUpdate: false },
  'policy/poddisruptionbudgets': { ...workloadRules, names: 'segment', unconditionalUpdate: false },
  'rbac.authorization.k8s.io/clusterrolebindings': ROLE,
  'rbac.authorization.k8s.io/clusterroles': ROLE,
  'rbac.authorization.k8s.io/rolebindings': ROLE,
  'rbac.authorization.k8s.io/roles': ROLE,
  'resource.k8s.io/deviceclasses': { generation: true, returnsDeleted: true },
  'resource.k8s.io/resourceclaims': {
    returnsDeleted: true,
    prepareCreate: clearStatus,
    prepareStatus: keepMetadata,
  },
  'resource.k8s.io/resourceclaimtemplates': { returnsDeleted: true },
  'resource.k8s.io/resourceslices': {
    generation: true,
    returnsDeleted: true,
    fieldLabels: {
      read: fieldsAt('spec.nodeName', 'spec.driver'),
      refusal: (label, { group, version, kind }) =>
        `field label not supported for ${group}/${version}, Kind=${kind}: ${label}`,
    },
  },
  'scheduling.k8s.io/priorityclasses': { generation: 'first' },
  'storage.k8s.io/csidrivers': { ...CONDITIONAL, generation: 'late' },
  'storage.k8s.io/csinodes': CONDITIONAL,
  'storage.k8s.io/csistoragecapacities': { unconditionalUpdate: false },
  'storage.k8s.io/storageclasses': { returnsDeleted: true },
  'storage.k8s.io/volumeattachments': {
    ...CONDITIONAL,
    prepareCreate: clearStatus,
    prepareStatus: keepMetadata,
  },
  'storage.k8s.io/volumeattributesclasses': { returnsDeleted: true },
}

/** The rules of a resource's kind. */
export function rulesOf(resource: Resource): KindRules {
  return resource.custom ? customResourceRules : (RULES[`${resource.group}/${resource.plural}`] ?? COMMON)
}
