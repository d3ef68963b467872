/** The admission plugins that can be switched off, by their names in Kubernetes. */
export const OPTIONAL_PLUGINS = [
  'LimitRanger',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
] as const

export type OptionalPlugin = (typeof OPTIONAL_PLUGINS)[number]
