import type { GoTypes } from './go-types.ts'
import type { KubernetesSource, OpenApiSchema } from './kubernetes-source.ts'

const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['int', 'int'],
  ['int32', 'int32'],
  ['int64', 'int64'],
  ['float64', 'float64'],
  ['byte', 'uint8'],
])

/**
 * Go's names for the fields of the definitions that the schema does not give: a field of a named type without a
 * definition, such as `v1.PullPolicy`, and a field of an inlined struct, whose name the path in a message has too.
 */
export function goNamesModule({ definitions }: KubernetesSource, types: GoTypes): string {
  const lines: string[] = []
  for (const [name, schema] of [...definitions].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const entries: string[] = []
    for (const [field, { type, inlined }] of types.fieldsOf(name) ?? []) {
      const property = schema.properties?.[field]
      if (!property) continue
      const named = isNamed(type, property) ? qualified(type, packageOf(name)) : ''
      if (named !== '' || inlined !== '') entries.push([field, named, inlined].join(' ').trimEnd())
    }
    if (entries.length > 0) lines.push(`${name}: ${entries.join(', ')}`)
  }
  return `
/**
 * One definition to a line: its fields with a Go type that the schema does not tell, or with the name of the inlined Go
 * struct that they belong to: \`field type struct\`.
 */
export const goNames = \`
${lines.join('\n')}
\`
`
}

/** Whether the Go type of a field is a name that its schema does not have. */
function isNamed(type: string, schema: OpenApiSchema): boolean {
  const [, key = 'string', rest = type] = /^\*?map\[([^\]]+)\](.*)$/.exec(type) ?? []
  if (key !== 'string') return true
  const element = rest.replace(/^[*[\]]+/, '')
  if (BUILT_IN.has(element)) return false
  if (element !== rest.replace(/^\*/, '') || rest !== type) {
    const inner =
      schema.items ??
      (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
    if (inner) return isNamed(element, inner)
  }
  return refersTo(schema) === undefined
}

function refersTo({ $ref, allOf }: OpenApiSchema): string | undefined {
  return $ref ?? allOf?.[0]?.$ref
}

/** The type with the package of every name: `[]v1.IPFamily`, `map[v1.QualifiedName]v1.DeviceAttribute`. */
function qualified(type: string, own: string): string {
  return type.replaceAll('*', '').replaceAll(/(?:\w+\.)?[A-Za-z]\w*/g, (name) => {
    if (name === 'map' || BUILT_IN.has(name)) return BUILT_IN.get(name) ?? name
    const [first = '', second] = name.split('.')
    if (second === undefined) return `${own}.${first}`
    return `${/v\d+(?:(?:alpha|beta)\d+)?$/.exec(first)?.[0] ?? first}.${second}`
  })
}

function packageOf(definition: string): string {
  return definition.split('.').at(-2) ?? ''
}
