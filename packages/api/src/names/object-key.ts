/** Names one object of a kind whose scope is known only at run time. */
export interface ObjectKey {
  readonly name: string
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string | undefined
}

/** `namespace/name`, or `name` where there is no namespace: for messages and as the key of a map. */
export function formatKey(key: ObjectKey): string {
  return key.namespace ? `${key.namespace}/${key.name}` : key.name
}

/** The reverse of {@link formatKey}. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/')
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}

/** The key of an object. */
export function keyOf(object: { readonly metadata: ObjectKey }): ObjectKey {
  const { name, namespace } = object.metadata
  return namespace ? { namespace, name } : { name }
}
