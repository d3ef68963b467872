/**
 * An owner of an object, as an entry of `metadata.ownerReferences`: the object is deleted when its last owner is
 * gone.
 */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  /** True on at most one reference: the controller that acts on the object. */
  controller?: boolean | undefined
  /** Whether deleting the owner in the foreground waits for this object. */
  blockOwnerDeletion?: boolean | undefined
}

/** The fields of an object that one manager owns, as server-side apply records them. */
export interface ManagedFieldsEntry {
  manager?: string | undefined
  operation?: 'Apply' | 'Update' | undefined
  apiVersion?: string | undefined
  time?: string | undefined
  fieldsType?: 'FieldsV1' | undefined
  fieldsV1?: FieldsV1 | undefined
  subresource?: string | undefined
}

/** A set of field paths in the API's own form: `f:name`, `k:{"key":"value"}`, `v:"value"`, `i:0` and `.`. */
export interface FieldsV1 {
  [field: string]: FieldsV1
}

/** The metadata of an object as it may be written: everything optional, since a server fills in much of it. */
export interface ObjectMetaInput {
  name?: string | undefined
  generateName?: string | undefined
  namespace?: string | undefined
  uid?: string | undefined
  resourceVersion?: string | undefined
  generation?: number | undefined
  creationTimestamp?: string | undefined
  deletionTimestamp?: string | undefined
  deletionGracePeriodSeconds?: number | undefined
  labels?: Record<string, string> | undefined
  annotations?: Record<string, string> | undefined
  ownerReferences?: OwnerReference[] | undefined
  finalizers?: string[] | undefined
  managedFields?: ManagedFieldsEntry[] | undefined
  selfLink?: string | undefined
}

/** The metadata of an object that a server has stored. `namespace` is absent on cluster-scoped objects. */
export interface ObjectMeta extends ObjectMetaInput {
  name: string
  uid: string
  resourceVersion: string
  creationTimestamp: string
}

/** Any object that a server has stored: what all kinds have in common. */
export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

/** A list as the API answers it. */
export interface KubernetesList<T = KubernetesObject> {
  apiVersion: string
  kind: string
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  items: T[]
}
