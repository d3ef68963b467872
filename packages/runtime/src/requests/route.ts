import { apiVersionOf, HomeostatError, type AnyKind, type ObjectKey } from '@homeostat/api'

/** The path of all objects of a kind, in one namespace or in all of them. */
export function collectionPath(kind: AnyKind, namespace?: string): string {
  const base = kind.group === '' ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`
  checkNamespace(kind, namespace)
  if (!namespace) return `${base}/${kind.plural}`
  return `${base}/namespaces/${encodeURIComponent(namespace)}/${kind.plural}`
}

/** The path of one object, or of a part of it such as `status`. */
export function objectPath(kind: AnyKind, key: ObjectKey, subresource?: string): string {
  checkKey(kind, key)
  const path = `${collectionPath(kind, key.namespace)}/${encodeURIComponent(key.name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

/** The argument that names an object: its key, or the whole object, whose metadata names it. */
type GivenAs = 'key' | 'object'

const NAMES = {
  key: { name: 'name', namespace: 'namespace' },
  object: { name: 'metadata.name', namespace: 'metadata.namespace' },
} as const

/** Throws where no object of the kind can have this key. */
export function checkKey(kind: AnyKind, { name, namespace }: ObjectKey, given: GivenAs = 'key'): void {
  if (typeof name !== 'string' || name === '') {
    throw keyError(kind, 'was requested without a name', `Give ${NAMES[given].name}`)
  }
  if (name === '.' || name === '..') {
    throw keyError(kind, `cannot have the name ${JSON.stringify(name)}`, 'Give another name')
  }
  checkNamespace(kind, requiredNamespace(kind, namespace, given))
}

/** The namespace of a write. Without one, the path would name all objects. */
export function requiredNamespace(
  kind: AnyKind,
  namespace: string | undefined,
  given: GivenAs,
): string | undefined {
  if (kind.scope === 'Namespaced' && !namespace) {
    throw keyError(kind, 'is namespaced, but no namespace was given', `Give ${NAMES[given].namespace}`)
  }
  return namespace
}

function checkNamespace(kind: AnyKind, namespace: string | undefined): void {
  if (!namespace || kind.scope !== 'Cluster') return
  const what = `is cluster-scoped, but the namespace ${JSON.stringify(namespace)} was given`
  throw keyError(kind, what, 'Leave it out')
}

/** `deployments.apps`, or `pods` in the core group: the resource as people and RBAC rules name it. */
export function resourceName(kind: AnyKind): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
}

function keyError(kind: AnyKind, what: string, remedy: string): HomeostatError {
  return new HomeostatError('CLIENT_KEY_INVALID', `${kind.kind} (${resourceName(kind)}) ${what}. ${remedy}.`)
}
