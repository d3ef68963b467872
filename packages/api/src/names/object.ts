/**
 * An owner of an object, as an entry of `metadata.ownerReferences`: the object is deleted when its last owner is
 * gone.
 */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  /** The uid of the owner. Another object of the same name is not its owner. */
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
  /** Immutable. Required, unless `generateName` is set. Unique for the kind, in its namespace. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  name?: string | undefined
  /** A prefix: the server adds five random characters to it, where `name` is not set. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  generateName?: string | undefined
  /** Immutable. Absent on an object of a cluster-scoped kind. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  namespace?: string | undefined
  /** Set by the server, and immutable. An object that is created again under its name has another one. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  uid?: string | undefined
  /** Set by the server at each write. An update with an older one is refused as a conflict. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  resourceVersion?: string | undefined
  /** Set by the server: counts the changes of the desired state. Changes of the status and of metadata do not count. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  generation?: number | undefined
  /** Set by the server, in RFC 3339. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  creationTimestamp?: string | undefined
  /** Set by the server when a client deletes the object while a finalizer or a grace period keeps it. It cannot be removed. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  deletionTimestamp?: string | undefined
  /** Set by the server, with `deletionTimestamp`. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  deletionGracePeriodSeconds?: number | undefined
  /** For selectors. Keys and values are short, of a limited alphabet. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  labels?: Record<string, string> | undefined
  /** Any text, for tools and people. At most 256 KiB in all. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  annotations?: Record<string, string> | undefined
  /** A list by `uid`. The garbage collector deletes an object when the last of its owners is gone. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  ownerReferences?: OwnerReference[] | undefined
  /** A set. The object stays until all of them are removed. None can be added once it is being deleted. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  finalizers?: string[] | undefined
  /** Kept by the server: which manager set which field. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  managedFields?: ManagedFieldsEntry[] | undefined
  /** Deprecated. Servers no longer set it. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  selfLink?: string | undefined
}

/** The metadata of an object that a server has stored. `namespace` is absent on cluster-scoped objects. */
export interface ObjectMeta extends ObjectMetaInput {
  /** Immutable. Unique for the kind, in its namespace. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  name: string
  /** Set by the server, and immutable. An object that is created again under its name has another one. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  uid: string
  /** Set by the server at each write. An update with an older one is refused as a conflict. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
  resourceVersion: string
  /** Set by the server, in RFC 3339. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/) */
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
