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
export function parseKey(text: string): ObjectKey
/**
 * The key of an object of the kind, for texts from elsewhere such as annotations. `undefined` where the text is not
 * `namespace/name`, or `name` for a kind without namespaces.
 */
export function parseKey<S extends 'Namespaced' | 'Cluster'>(
  text: string | undefined,
  kind: { readonly scope: S },
): KeyOfScope<S> | undefined
export function parseKey(text: string | undefined, kind?: { readonly scope: string }): ObjectKey | undefined {
  if (text === undefined) return undefined
  const slash = text.indexOf('/')
  const key = slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
  return !kind || isKeyOf(kind.scope, key) ? key : undefined
}

function isKeyOf(scope: string, { namespace, name }: ObjectKey): boolean {
  if (name === '' || name.includes('/')) return false
  return scope === 'Namespaced' ? Boolean(namespace) : namespace === undefined
}

/** The key of an object of a kind with this scope: with a namespace if and only if the kind is namespaced. */
export type KeyOfScope<S> = S extends 'Cluster'
  ? { readonly name: string; readonly namespace?: undefined }
  : S extends 'Namespaced'
    ? { readonly name: string; readonly namespace: string }
    : ObjectKey

/** The key of an object with this metadata: with a namespace if and only if the type of the metadata has one. */
export type KeyOfMetadata<Metadata> = 'namespace' extends keyof Metadata
  ? Metadata extends { readonly namespace: string }
    ? { readonly name: string; readonly namespace: string }
    : Metadata extends { readonly namespace?: undefined }
      ? { readonly name: string; readonly namespace?: undefined }
      : ObjectKey
  : ObjectKey

/** The key of an object: its name, and its namespace where it has one. */
export function keyOf<Metadata extends ObjectKey>(object: {
  readonly metadata: Metadata
}): KeyOfMetadata<Metadata>
export function keyOf({ metadata: { name, namespace } }: { readonly metadata: ObjectKey }): ObjectKey {
  return namespace ? { namespace, name } : { name }
}
