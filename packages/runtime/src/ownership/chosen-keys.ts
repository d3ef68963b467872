import type { AnyKind, StructuralSchema } from '@homeostat/api'

/** Maps of native kinds whose keys users choose and to which no server adds keys. */
const NATIVE_MAPS = new Set([
  'binaryData',
  'data',
  'hard',
  'limits',
  'matchLabels',
  'nodeSelector',
  'parameters',
  'selector',
  'stringData',
])

/**
 * Whether the object at these fields is a map whose keys users choose, rather than an object with fields. An item of a list stands
 * there by its index. Labels and annotations are shared: several clients write them.
 */
export function chosenKeysAt(kind: AnyKind, fields: readonly string[]): 'own' | 'shared' | undefined {
  const name = fields.at(-1) ?? ''
  if (name === 'labels' || name === 'annotations') return 'shared'
  const own =
    kind.schema && fields[0] !== 'metadata' ? isMapInSchema(kind.schema, fields) : NATIVE_MAPS.has(name)
  return own ? 'own' : undefined
}

function isMapInSchema(root: StructuralSchema, fields: readonly string[]): boolean {
  let schema: StructuralSchema | undefined = root
  for (const step of fields) schema = schema && below(schema, step)
  return schema?.additionalProperties !== undefined
}

function below(schema: StructuralSchema, step: string): StructuralSchema | undefined {
  const { properties, items, additionalProperties } = schema
  if (properties?.[step]) return properties[step]
  return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}
