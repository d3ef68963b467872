import type { AdmissionPlugin, CountedPlugin } from '../admission/index.ts'

const WRITES = ['CREATE', 'UPDATE'] as const
const ALL = ['CREATE', 'UPDATE', 'DELETE'] as const
const CALLS = ['CONNECT', 'CREATE', 'UPDATE', 'DELETE'] as const

/** The admission plugins of Kubernetes that metrics count, with the operations in which it calls their phases. */
const COUNTED = {
  CertificateApproval: { validate: ['UPDATE'] },
  CertificateSigning: { validate: ['UPDATE'] },
  CertificateSubjectRestriction: { validate: ['CREATE'] },
  ClusterTrustBundleAttest: { validate: WRITES },
  DefaultIngressClass: { admit: ['CREATE'] },
  DefaultStorageClass: { admit: ['CREATE'] },
  DefaultTolerationSeconds: { admit: WRITES },
  JobValidation: { validate: ['UPDATE'] },
  LimitRanger: { admit: WRITES, validate: WRITES },
  MutatingAdmissionPolicy: { admit: ['CONNECT', ...WRITES] },
  MutatingAdmissionWebhook: { admit: CALLS },
  NamespaceLifecycle: { admit: ALL },
  NodeDeclaredFeatureValidator: { validate: ['UPDATE'] },
  OwnerReferencesPermissionEnforcement: { validate: WRITES },
  PersistentVolumeClaimResize: { validate: ['UPDATE'] },
  PodGroupProtection: { admit: ['CREATE'] },
  PodGroupWorkloadExists: { validate: ['CREATE'] },
  PodResizeValidator: { validate: ['UPDATE'] },
  PodSecurity: { validate: WRITES },
  PodTopologyLabels: { admit: ['CREATE'] },
  Priority: { admit: ALL, validate: ALL },
  ResourceQuota: { validate: WRITES },
  RuntimeClass: { admit: ['CREATE'], validate: ['CREATE'] },
  ServiceAccount: { admit: WRITES, validate: WRITES },
  StorageObjectInUseProtection: { admit: ['CREATE'] },
  TaintNodesByCondition: { admit: ['CREATE'] },
  ValidatingAdmissionPolicy: { validate: CALLS },
  ValidatingAdmissionWebhook: { validate: CALLS },
} as const satisfies Readonly<Record<string, Omit<CountedPlugin, 'name'>>>

/** The names of these plugins. */
export const COUNTED_PLUGINS: readonly string[] = Object.keys(COUNTED)

/** A plugin under its name in Kubernetes. Without one, another part of the server does the work of that plugin. */
export function counted(name: keyof typeof COUNTED, plugin: AdmissionPlugin = {}): AdmissionPlugin {
  return { ...plugin, counted: { name, ...COUNTED[name] } }
}
