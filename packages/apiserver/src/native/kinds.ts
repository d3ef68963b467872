/**
 * The native kinds, one line for each, in the order of their groups and names. The module is loaded with the first request that
 * needs a kind: a write, a table, a field selector, a subresource.
 */
import { oncePerObject } from '@homeostat/api'
import type { KindStrategy } from '../registry/index.ts'
import { apiService } from './api-service/api-service.ts'
import { binding } from './binding/binding.ts'
import { certificateSigningRequest } from './certificate-signing-request/certificate-signing-request.ts'
import { clusterRoleBinding } from './cluster-role-binding/cluster-role-binding.ts'
import { clusterRole } from './cluster-role/cluster-role.ts'
import { componentStatus } from './component-status/component-status.ts'
import { configMap } from './config-map/config-map.ts'
import { controllerRevision } from './controller-revision/controller-revision.ts'
import { cronJob } from './cron-job/cron-job.ts'
import { csiDriver } from './csi-driver/csi-driver.ts'
import { csiNode } from './csi-node/csi-node.ts'
import { csiStorageCapacity } from './csi-storage-capacity/csi-storage-capacity.ts'
import { customResourceDefinition } from './custom-resource-definition/custom-resource-definition.ts'
import { daemonSet } from './daemon-set/daemon-set.ts'
import { deployment } from './deployment/deployment.ts'
import { deviceClass } from './device-class/device-class.ts'
import { endpointSlice } from './endpoint-slice/endpoint-slice.ts'
import { endpoints } from './endpoints/endpoints.ts'
import { coreEvent, event } from './event/event.ts'
import { flowSchema } from './flow-schema/flow-schema.ts'
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler/horizontal-pod-autoscaler.ts'
import { ingressClass } from './ingress-class/ingress-class.ts'
import { ingress } from './ingress/ingress.ts'
import { ipAddress } from './ip-address/ip-address.ts'
import { job } from './job/job.ts'
import { withoutFeatures } from './feature-gates/without-features.ts'
import type { NativeKind } from './kind/native-kind.ts'
import { lease } from './lease/lease.ts'
import { limitRange } from './limit-range/limit-range.ts'
import { localSubjectAccessReview } from './local-subject-access-review/local-subject-access-review.ts'
import { mutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding/mutating-admission-policy-binding.ts'
import { mutatingAdmissionPolicy } from './mutating-admission-policy/mutating-admission-policy.ts'
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration/mutating-webhook-configuration.ts'
import { namespace } from './namespace/namespace.ts'
import { networkPolicy } from './network-policy/network-policy.ts'
import { node } from './node/node.ts'
import { persistentVolumeClaim } from './persistent-volume-claim/persistent-volume-claim.ts'
import { persistentVolume } from './persistent-volume/persistent-volume.ts'
import { podDisruptionBudget } from './pod-disruption-budget/pod-disruption-budget.ts'
import { podTemplate } from './pod-template/pod-template.ts'
import { pod } from './pod/pod.ts'
import { priorityClass } from './priority-class/priority-class.ts'
import { priorityLevel } from './priority-level-configuration/priority-level-configuration.ts'
import { replicaSet } from './replica-set/replica-set.ts'
import { replicationController } from './replication-controller/replication-controller.ts'
import { resourceClaimTemplate } from './resource-claim-template/resource-claim-template.ts'
import { resourceClaim } from './resource-claim/resource-claim.ts'
import { resourceQuota } from './resource-quota/resource-quota.ts'
import { resourceSlice } from './resource-slice/resource-slice.ts'
import { roleBinding } from './role-binding/role-binding.ts'
import { role } from './role/role.ts'
import { runtimeClass } from './runtime-class/runtime-class.ts'
import { secret } from './secret/secret.ts'
import { selfSubjectAccessReview } from './self-subject-access-review/self-subject-access-review.ts'
import { selfSubjectReview } from './self-subject-review/self-subject-review.ts'
import { selfSubjectRulesReview } from './self-subject-rules-review/self-subject-rules-review.ts'
import { serviceAccount } from './service-account/service-account.ts'
import { serviceCidr } from './service-cidr/service-cidr.ts'
import { service } from './service/service.ts'
import { statefulSet } from './stateful-set/stateful-set.ts'
import { storageClass } from './storage-class/storage-class.ts'
import { subjectAccessReview } from './subject-access-review/subject-access-review.ts'
import { tokenReview } from './token-review/token-review.ts'
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding/validating-admission-policy-binding.ts'
import { validatingAdmissionPolicy } from './validating-admission-policy/validating-admission-policy.ts'
import { validatingWebhookConfiguration } from './validating-webhook-configuration/validating-webhook-configuration.ts'
import { volumeAttachment } from './volume-attachment/volume-attachment.ts'
import { volumeAttributesClass } from './volume-attributes-class/volume-attributes-class.ts'

export const NATIVE_KINDS: readonly NativeKind[] = [
  binding,
  componentStatus,
  configMap,
  endpoints,
  coreEvent,
  limitRange,
  namespace,
  node,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podTemplate,
  replicationController,
  resourceQuota,
  secret,
  service,
  serviceAccount,
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  customResourceDefinition,
  apiService,
  controllerRevision,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  horizontalPodAutoscaler,
  cronJob,
  job,
  certificateSigningRequest,
  lease,
  endpointSlice,
  event,
  flowSchema,
  priorityLevel,
  ipAddress,
  ingress,
  ingressClass,
  networkPolicy,
  serviceCidr,
  runtimeClass,
  podDisruptionBudget,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  priorityClass,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
]

const BY_NAME: ReadonlyMap<string, NativeKind> = new Map(
  NATIVE_KINDS.map((native) => [`${native.group}/${native.kind}`, native]),
)

/** The record of a native kind. */
export function nativeKind(group: string, kind: string): NativeKind | undefined {
  return BY_NAME.get(`${group}/${kind}`)
}

const WITHOUT = oncePerObject((_gates: readonly string[]) => new Map<NativeKind, KindStrategy>())

/** The strategy of a native kind in a release in which some feature gates of the default release are off. */
export function strategyWithout(
  gates: readonly string[],
  group: string,
  kind: string,
): KindStrategy | undefined {
  const native = nativeKind(group, kind)
  if (!native || gates.length === 0) return native
  const known = WITHOUT(gates)
  const strategy = known.get(native) ?? withoutFeatures(native, gates)
  known.set(native, strategy)
  return strategy
}
