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
