/** On a claim: its binding is complete. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed'
/** On a claim or a volume: the controller chose the other side, not a user. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller'
/** The annotation of a volume that names the provisioner that made it and will delete it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by'
/** On a claim: the node of the first Pod that uses it, where binding waits for one. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node'
/** The annotations of a claim that name the provisioner for its volume. Older provisioners read the second. */
export const PROVISIONERS = [
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
] as const
const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class'

interface Annotated {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | undefined }
  readonly spec: { readonly storageClassName?: string | undefined }
}

/** The StorageClass of a claim or a volume; empty where it has none. */
export function classOf({ metadata, spec }: Annotated): string {
  return metadata.annotations?.[BETA_CLASS] ?? spec.storageClassName ?? ''
}

/** Whether a claim names a class, or states that it wants none. */
export function namesClass({ metadata, spec }: Annotated): boolean {
  return metadata.annotations?.[BETA_CLASS] !== undefined || spec.storageClassName !== undefined
}
