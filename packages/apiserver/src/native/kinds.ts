/**
 * What Kubernetes does with its own kinds beyond their schemas: what it fills in, and what it refuses. The answers of a
 * real kube-apiserver are in `goldens/`. A kind that is not here has nothing filled in and is only held to its metadata.
 */
import {
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from './custom-resource-definition/validation.ts'
import { role, roleBinding } from './access-control/access-control.ts'
import { admissionPolicy, admissionPolicyBinding } from './admission-configuration/admission-policies.ts'
import { webhookConfiguration } from './admission-configuration/admission-webhooks.ts'
import { apiService } from './api-service/api-service.ts'
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler/horizontal-pod-autoscaler.ts'
import { certificateSigningRequest } from './certificate-signing-request/certificate-signing-request.ts'
import { configMap, secret } from './secret/secret.ts'
import { cronJob } from './cron-job/cron-job.ts'
import { podDisruptionBudget } from './pod-disruption-budget/pod-disruption-budget.ts'
import { endpoints, endpointSlice } from './endpoint-slice/endpoint-slice.ts'
import { coreEvent, event } from './event/event.ts'
import { ingress, ingressClass } from './ingress/ingress.ts'
import { job } from './job/job.ts'
import { lease } from './lease/lease.ts'
import { limitRange, resourceQuota } from './limit-range/limit-range.ts'
import { namespace } from './namespace/namespace.ts'
import type { NativeBehaviour } from './kind/native-behaviour.ts'
import { networkPolicy } from './network-policy/network-policy.ts'
import { node } from './node/node.ts'
import { persistentVolume } from './persistent-volume/persistent-volume.ts'
import { pod, podTemplate } from './pod/pod.ts'
import { flowSchema, priorityLevel } from './flow-schema/flow-schema.ts'
import { controllerRevision } from './controller-revision/controller-revision.ts'
import { resourceClaim, resourceClaimTemplate } from './resource-claim/resource-claim.ts'
import { ipAddress, serviceCidr } from './service-cidr/service-cidr.ts'
import { priorityClass, runtimeClass } from './runtime-class/runtime-class.ts'
import { service } from './service/service.ts'
import { statefulSet } from './stateful-set/stateful-set.ts'
import { persistentVolumeClaim } from './persistent-volume-claim/persistent-volume-claim.ts'
import {
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
} from './storage-class/storage-class.ts'
import { daemonSet, deployment, replicaSet, replicationController } from './workload/workload-validation.ts'

const BEHAVIOURS: ReadonlyMap<string, NativeBehaviour> = new Map<string, NativeBehaviour>([
  ['/ConfigMap', configMap],
  ['/Endpoints', endpoints],
  ['/Event', coreEvent],
  ['/LimitRange', limitRange],
  ['/Namespace', namespace],
  ['/Node', node],
  ['/PersistentVolume', persistentVolume],
  ['/PersistentVolumeClaim', persistentVolumeClaim],
  ['/Pod', pod],
  ['/PodTemplate', podTemplate],
  ['/ReplicationController', replicationController],
  ['/ResourceQuota', resourceQuota],
  ['/Secret', secret],
  ['/Service', service],
  ['/ServiceAccount', { updateSteps: ['metadata change', 'metadata'] }],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', admissionPolicy(false)],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', admissionPolicyBinding(false)],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', webhookConfiguration(true)],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', admissionPolicy(true)],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', admissionPolicyBinding(true)],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', webhookConfiguration(false)],
  [
    'apiextensions.k8s.io/CustomResourceDefinition',
    {
      default: defaultCustomResourceDefinition,
      validate: validateCustomResourceDefinition,
      validateUpdate: validateCustomResourceDefinitionUpdate,
      plainFinalizers: true,
    },
  ],
  ['apiregistration.k8s.io/APIService', apiService],
  ['apps/ControllerRevision', controllerRevision],
  ['apps/DaemonSet', daemonSet],
  ['apps/Deployment', deployment],
  ['apps/ReplicaSet', replicaSet],
  ['apps/StatefulSet', statefulSet],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscaler],
  ['batch/CronJob', cronJob],
  ['batch/Job', job],
  ['certificates.k8s.io/CertificateSigningRequest', certificateSigningRequest],
  ['coordination.k8s.io/Lease', lease],
  ['discovery.k8s.io/EndpointSlice', endpointSlice],
  ['events.k8s.io/Event', event],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', flowSchema],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', priorityLevel],
  ['networking.k8s.io/IPAddress', ipAddress],
  ['networking.k8s.io/ServiceCIDR', serviceCidr],
  ['networking.k8s.io/Ingress', ingress],
  ['networking.k8s.io/IngressClass', ingressClass],
  ['networking.k8s.io/NetworkPolicy', networkPolicy],
  ['node.k8s.io/RuntimeClass', runtimeClass],
  ['policy/PodDisruptionBudget', podDisruptionBudget],
  ['rbac.authorization.k8s.io/ClusterRole', role(false)],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', roleBinding(false)],
  ['rbac.authorization.k8s.io/Role', role(true)],
  ['rbac.authorization.k8s.io/RoleBinding', roleBinding(true)],
  ['resource.k8s.io/ResourceClaim', resourceClaim],
  ['resource.k8s.io/ResourceClaimTemplate', resourceClaimTemplate],
  ['scheduling.k8s.io/PriorityClass', priorityClass],
  ['storage.k8s.io/CSIDriver', csiDriver],
  ['storage.k8s.io/CSINode', csiNode],
  ['storage.k8s.io/CSIStorageCapacity', csiStorageCapacity],
  ['storage.k8s.io/StorageClass', storageClass],
  ['storage.k8s.io/VolumeAttachment', volumeAttachment],
  ['storage.k8s.io/VolumeAttributesClass', volumeAttributesClass],
])

/** What is special about objects of a native kind; `undefined` for nothing. */
export function nativeBehaviour(group: string, kind: string): NativeBehaviour | undefined {
  return BEHAVIOURS.get(`${group}/${kind}`)
}

export type { NativeBehaviour, NativePart, UpdateStep } from './kind/native-behaviour.ts'
