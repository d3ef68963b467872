/** A definition without what says nothing to a server, so that two can be compared. */
export function comparableDefinition(definition: object): unknown {
  const { metadata, spec } = definition as { metadata?: Fields; spec: Fields }
  const { names, versions, conversion, preserveUnknownFields, ...rest } = spec
  const annotations = Object.entries((metadata?.['annotations'] ?? {}) as Fields)
  return meaningful({
    name: metadata?.['name'],
    labels: metadata?.['labels'],
    annotations: Object.fromEntries(
      annotations.filter(([key]) => !key.startsWith('controller-gen.kubebuilder.io/')),
    ),
    ...rest,
    names: withDefaultNames(names as Names),
    preserveUnknownFields,
    conversion:
      (conversion as { strategy?: string } | undefined)?.strategy === 'None' ? undefined : conversion,
    versions: (versions as Version[])
      .map(({ schema, ...version }) => ({ ...version, schema: rootSchema(schema.openAPIV3Schema) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  })
}

type Fields = Record<string, unknown>

interface Version {
  readonly name: string
  readonly schema: { readonly openAPIV3Schema: Fields }
}

interface Names {
  readonly kind: string
  readonly singular?: string
  readonly listKind?: string
}

function withDefaultNames(names: Names): Names {
  return { listKind: `${names.kind}List`, singular: names.kind.toLowerCase(), ...names }
}

/** The keys that every object has. Descriptions of them are not kept, and it says nothing that they are required. */
const COMMON_KEYS = ['apiVersion', 'kind', 'metadata']

function rootSchema({ properties = {}, required = [], ...root }: Fields): Fields {
  const own = Object.entries(properties as Record<string, Fields>).filter(
    ([key, { properties: limits }]) => !COMMON_KEYS.includes(key) || limits !== undefined,
  )
  return {
    ...root,
    properties: Object.fromEntries(own),
    required: (required as string[]).filter((key) => !COMMON_KEYS.includes(key)),
  }
}

/** Keys whose values are data, where null, false and empty lists have a meaning. */
const DATA = ['default', 'enum', 'example']

/** Without keys that are null, false or empty, and with required keys in order. */
function meaningful(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || DATA.includes(key)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => meaningful(item))
    return key === 'required' ? items.map(String).sort() : items
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, meaningful(field, name)] as const)
      .filter(([name, field]) => DATA.includes(name) || !isNothing(field, name)),
  )
}

function isNothing(value: unknown, name: string): boolean {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return true
  if (name === 'served' || name === 'storage') return false
  if (value === false) return true
  // An empty map of labels or annotations, but not an empty schema or a status subresource.
  return (
    (name === 'subresources' || name === 'labels' || name === 'annotations' || name === 'properties') &&
    Object.keys(value).length === 0
  )
}
