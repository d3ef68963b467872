import type { AnyKind, StructuralSchema } from '@homeostat/api'

/**
 * Maps of the native kinds whose keys people choose and no server adds to. Labels and annotations are not
 * among them: many write there.
 */
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

/** Whether the object at this path is a map whose keys people choose, rather than an object with fields. */
export function hasChosenKeys(kind: AnyKind, path: readonly string[]): boolean {
  const name = path.at(-1) ?? ''
  if (name === 'labels' || name === 'annotations') return false
  if (!kind.schema || path[0] === 'metadata') return NATIVE_MAPS.has(name)
  let schema: StructuralSchema | undefined = kind.schema
  for (const step of path) {
    schema = below(schema, step)
    if (!schema) return false
  }
  return schema.additionalProperties !== undefined
}

function below(schema: StructuralSchema, step: string): StructuralSchema | undefined {
  const { properties, items, additionalProperties } = schema
  if (properties?.[step]) return properties[step]
  return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}
