import {
  AdmissionChain,
  ownerReferencesPermission,
  type AdmissionHook,
  type AdmissionPlugin,
} from '../admission/index.ts'
import type { Authorizer, Rbac } from '../auth/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import { admissionPolicies } from '../policies/index.ts'
import type { Registry } from '../registry/index.ts'
import { admissionWebhooks, type CallWebhook } from '../webhooks/index.ts'
import { roleEscalation } from './access-control/role-escalation.ts'
import { certificateRequester } from './certificate-signing-request/certificate-requester.ts'
import { signerPermission } from './certificate-signing-request/signer-permission.ts'
import { defaultClass } from './default-class/default-class.ts'
import { limitRanger } from './limit-range/limit-ranger.ts'
import { namespaceLifecycle } from './namespace/namespace-lifecycle.ts'
import type { OptionalPlugin } from './optional-plugins.ts'
import { claimResize } from './persistent-volume-claim/claim-resize.ts'
import { volumeProtection } from './persistent-volume/volume-protection.ts'
import { podSecurity } from './pod/pod-security-admission.ts'
import { priority } from './priority-class/priority.ts'
import { resourceQuotas } from './resource-quota/quota-admission.ts'
import { runtimeClass } from './runtime-class/runtime-class-admission.ts'
import { serviceAccount } from './service-account/service-account-admission.ts'

/** Which plugins a server has. */
export interface PluginOptions {
  /** Names of `OPTIONAL_PLUGINS` that are off. */
  readonly disabled?: readonly string[] | undefined
  /** Whether Pods get their ServiceAccount and its token. */
  readonly serviceAccounts?: boolean | undefined
  readonly protectsVolumes?: boolean | undefined
  readonly enforceOwnerReferences?: boolean | undefined
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
 * The plugins in the order in which Kubernetes calls them: those that fill in fields first, then those that only reject, policies and
 * webhooks. Quotas come last: they count an object in the form that all other plugins have left it in.
 */
export function admissionChain(
  registry: Registry,
  { rbac, authorize, callWebhook, metrics }: PluginServices,
  options: PluginOptions,
): AdmissionChain {
  const on = <T>(name: OptionalPlugin, plugin: T): T[] => (options.disabled?.includes(name) ? [] : [plugin])
  const policies = admissionPolicies(registry, authorize)
  const webhooks = admissionWebhooks(registry, callWebhook, authorize)
  const plugins: AdmissionPlugin[] = [
    namespaceLifecycle,
    ...on('LimitRanger', limitRanger(registry)),
    ...(options.serviceAccounts ? [serviceAccount(registry)] : []),
    ...on('Priority', priority(registry)),
    ...on('RuntimeClass', runtimeClass(registry)),
    certificateRequester,
    signerPermission(authorize),
    defaultClass(registry),
    ...on('PersistentVolumeClaimResize', claimResize(registry)),
    ...(options.protectsVolumes ? [volumeProtection] : []),
    ...(options.admit ? [{ admit: options.admit, leavesIncomplete: true }] : []),
    ...(options.enforceOwnerReferences ? [ownerReferencesPermission(registry, authorize)] : []),
    ...on('PodSecurity', podSecurity(registry)),
    roleEscalation(rbac, authorize),
    policies.mutating,
    webhooks.mutating,
    policies.validating,
    webhooks.validating,
    ...on('ResourceQuota', resourceQuotas(registry)),
  ]
  return new AdmissionChain(plugins, metrics)
}
