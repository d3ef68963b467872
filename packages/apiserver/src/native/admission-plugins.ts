import {
  AdmissionChain,
  ownerReferencesPermission,
  type AdmissionHook,
  type AdmissionPlugin,
} from '../admission/index.ts'
import type { Authorizer, Rbac } from '../auth/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import type { Release } from '../version/index.ts'
import { admissionPolicies } from '../policies/index.ts'
import type { Registry } from '../registry/index.ts'
import { admissionWebhooks, type CallWebhook } from '../webhooks/index.ts'
import { roleEscalation } from './access-control/role-escalation.ts'
import {
  certificateRequester,
  subjectRestriction,
} from './certificate-signing-request/certificate-requester.ts'
import { approvalPermission, signingPermission } from './certificate-signing-request/signer-permission.ts'
import { counted } from './counted-plugins.ts'
import { defaultIngressClass, defaultStorageClass } from './default-class/default-class.ts'
import { limitRanger } from './limit-range/limit-ranger.ts'
import { namespaceLifecycle } from './namespace/namespace-lifecycle.ts'
import type { OptionalPlugin } from './optional-plugins.ts'
import { claimResize } from './persistent-volume-claim/claim-resize.ts'
import { volumeProtection } from './persistent-volume/volume-protection.ts'
import { notReadyTaint } from './node/not-ready-taint.ts'
import { podSecurity } from './pod/pod-security-admission.ts'
import { defaultTolerations } from './pod/default-tolerations.ts'
import { topologyLabels } from './pod/topology-labels.ts'
import { priority } from './priority-class/priority.ts'
import { resourceQuotas } from './resource-quota/quota-admission.ts'
import { runtimeClassAdmission } from './runtime-class/runtime-class-admission.ts'
import { serviceAccountAdmission } from './service-account/service-account-admission.ts'

/** Which plugins a server has. */
export interface PluginOptions {
  /** Names of `OPTIONAL_PLUGINS` that are off. */
  readonly disabled?: readonly string[] | undefined
  /** Whether Pods get their ServiceAccount and its token. */
  readonly serviceAccounts?: boolean | undefined
  readonly protectsVolumes?: boolean | undefined
  readonly taintsNodes?: boolean | undefined
  readonly enforceOwnerReferences?: boolean | undefined
  /** The release of Kubernetes, without the plugins of later releases. Default: the latest. */
  readonly release?: Release | undefined
  /** A hook of the caller, after the plugins that fill in fields. */
  readonly admit?: AdmissionHook | undefined
}

/** The services of the server that the plugins use. */
export interface PluginServices {
  readonly rbac: Rbac
  readonly authorize: Authorizer
  readonly callWebhook: CallWebhook
  readonly metrics: ServerMetrics
}

/**
 * The plugins in the order in which Kubernetes calls them: those of native kinds, policies, webhooks, and last quotas,
 * which must count the object that all other plugins have made.
 */
export function admissionChain(
  registry: Registry,
  services: PluginServices,
  options: PluginOptions,
): AdmissionChain {
  const { callWebhook, metrics } = services
  const on = (name: OptionalPlugin, plugin: AdmissionPlugin): AdmissionPlugin[] =>
    options.disabled?.includes(name) ? [] : [counted(name, plugin)]
  const policies = admissionPolicies(registry, services.authorize, metrics)
  const webhooks = admissionWebhooks(registry, callWebhook, services.authorize, metrics)
  const plugins: AdmissionPlugin[] = [
    counted('NamespaceLifecycle', namespaceLifecycle),
    ...on('LimitRanger', limitRanger(registry)),
    ...(options.serviceAccounts ? [counted('ServiceAccount', serviceAccountAdmission(registry))] : []),
    ...(options.taintsNodes ? [counted('TaintNodesByCondition', notReadyTaint)] : []),
    ...on('PodSecurity', podSecurity(registry)),
    ...on('Priority', priority(registry)),
    counted('DefaultTolerationSeconds', defaultTolerations),
    ...pluginsOfKinds(registry, services, options),
    ...(options.admit ? [{ admit: options.admit, leavesIncomplete: true }] : []),
    roleEscalation(services.rbac, services.authorize),
    counted('MutatingAdmissionPolicy', policies.mutating),
    counted('MutatingAdmissionWebhook', webhooks.mutating),
    counted('ValidatingAdmissionPolicy', policies.validating),
    counted('ValidatingAdmissionWebhook', webhooks.validating),
    ...on('ResourceQuota', resourceQuotas(registry)),
  ]
  return new AdmissionChain(plugins, metrics)
}

/** The plugins from DefaultStorageClass on, without those that came with later releases. */
function pluginsOfKinds(
  registry: Registry,
  { authorize }: PluginServices,
  options: PluginOptions,
): readonly AdmissionPlugin[] {
  const since = (release: Release, ...plugins: readonly AdmissionPlugin[]): readonly AdmissionPlugin[] =>
    options.release === undefined || options.release >= release ? plugins : []
  const on = (name: OptionalPlugin, plugin: AdmissionPlugin): AdmissionPlugin[] =>
    options.disabled?.includes(name) ? [] : [counted(name, plugin)]
  return [
    counted('DefaultStorageClass', defaultStorageClass(registry)),
    ...(options.protectsVolumes ? [counted('StorageObjectInUseProtection', volumeProtection)] : []),
    ...since('1.36', counted('PodGroupProtection')),
    ...(options.enforceOwnerReferences
      ? [counted('OwnerReferencesPermissionEnforcement', ownerReferencesPermission(registry, authorize))]
      : []),
    ...on('PersistentVolumeClaimResize', claimResize(registry)),
    ...on('RuntimeClass', runtimeClassAdmission(registry)),
    certificateRequester,
    counted('CertificateApproval', approvalPermission(authorize)),
    counted('CertificateSigning', signingPermission(authorize)),
    counted('ClusterTrustBundleAttest'),
    counted('CertificateSubjectRestriction', subjectRestriction),
    counted('DefaultIngressClass', defaultIngressClass(registry)),
    counted('PodTopologyLabels', since('1.35', topologyLabels(registry))[0]),
    ...since('1.36', counted('PodGroupWorkloadExists')),
    ...since('1.35', counted('NodeDeclaredFeatureValidator')),
    ...since('1.36', counted('JobValidation'), counted('PodResizeValidator')),
  ]
}
