import type { StructuralSchema } from '../schema/index.ts'
import type { AnyKind, PrinterColumn, ScaleSubresource } from './kind.ts'

/**
 * The problems for which a server would refuse the names, columns and subresources of a custom kind. Each is a sentence
 * that names the option and the remedy.
 */
export function kindProblems(kind: AnyKind): string[] {
  return [
    ...nameProblems(kind),
    ...kind.columns.flatMap((column, index) => columnProblems(column, `columns[${index}]`, kind.schema)),
    ...(kind.subresources.scale ? scaleProblems(kind.subresources.scale, kind.schema) : []),
    ...selectableFieldProblems(kind.selectableFields ?? [], kind.schema),
    ...deprecationProblems(kind.deprecated),
  ]
}

const LABEL = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/
const LABEL_RULE =
  'lower case letters, digits and dashes, a letter first, no dash last, at most 63 characters'

/** The problems for which a server would refuse the names and the scope of a custom kind. */
export function nameProblems(kind: AnyKind): string[] {
  const problems: string[] = []
  if (!SUBDOMAIN.test(kind.group) || !kind.group.includes('.'))
    problems.push(`group '${kind.group}' is not a domain with a dot: give one such as 'example.com'`)
  if (kind.plural.length + kind.group.length > 252)
    problems.push(`'${kind.plural}.${kind.group}' is longer than 253 characters: shorten the group`)
  const labels: [string, string][] = [
    ['version', kind.version],
    ['plural', kind.plural],
    ['singular', kind.singular],
    ...kind.shortNames.map((name, index): [string, string] => [`shortNames[${index}]`, name]),
    ...kind.categories.map((name, index): [string, string] => [`categories[${index}]`, name]),
  ]
  for (const [option, name] of labels) {
    if (!LABEL.test(name)) problems.push(`${option} '${name}' is not a name: use ${LABEL_RULE}`)
  }
  for (const [option, name] of [
    ['kind', kind.kind],
    ['listKind', kind.listKind],
  ] as const) {
    if (!LABEL.test(name.toLowerCase()))
      problems.push(
        `${option} '${name}' is not a name: use letters and digits in CamelCase, at most 63 characters`,
      )
  }
  if (kind.kind === kind.listKind)
    problems.push(`listKind must differ from kind: leave it out for '${kind.kind}List'`)
  if (kind.scope !== 'Namespaced' && kind.scope !== 'Cluster')
    problems.push(`scope '${String(kind.scope)}' is unknown: use 'Namespaced' or 'Cluster'`)
  return problems
}

const COLUMN_TYPES: readonly string[] = ['string', 'integer', 'number', 'boolean', 'date']
const COLUMN_FORMATS: readonly string[] = [
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'date',
  'date-time',
  'password',
]

/** The problems of one column. A server accepts a column whose path matches nothing, and shows an empty cell. */
export function columnProblems(column: PrinterColumn, option: string, schema?: StructuralSchema): string[] {
  const problems: string[] = []
  if (column.name === '') problems.push(`${option} has no name: give the heading to show`)
  if (!COLUMN_TYPES.includes(column.type))
    problems.push(
      `${option} (${column.name}) has the type '${column.type}': use one of ${COLUMN_TYPES.join(', ')}`,
    )
  if (column.format !== undefined && !COLUMN_FORMATS.includes(column.format))
    problems.push(
      `${option} (${column.name}) has the format '${column.format}': use one of ${COLUMN_FORMATS.join(', ')}`,
    )
  return [...problems, ...pathProblems(column.path, `${option}.path`, schema)]
}

function scaleProblems(scale: ScaleSubresource, schema?: StructuralSchema): string[] {
  const problems: string[] = []
  for (const [option, path, roots] of [
    ['specReplicasPath', scale.specReplicasPath, ['.spec.']],
    ['statusReplicasPath', scale.statusReplicasPath, ['.status.']],
    ['labelSelectorPath', scale.labelSelectorPath, ['.spec.', '.status.']],
  ] as const) {
    if (path === undefined) continue
    if (!roots.some((root) => path.startsWith(root)))
      problems.push(`scale.${option} '${path}' must be a path under ${roots.join(' or ')}`)
    else if (path.includes('[')) problems.push(`scale.${option} '${path}' must consist of keys and dots only`)
    else problems.push(...pathProblems(path, `scale.${option}`, schema))
  }
  return problems
}

const MAX_SELECTABLE_FIELDS = 8

function selectableFieldProblems(paths: readonly string[], schema?: StructuralSchema): string[] {
  const problems = paths.flatMap((path, index) => {
    const option = `selectableFields[${index}]`
    if (paths.indexOf(path) !== index) return [`${option} '${path}' is listed twice: remove one`]
    if (path.startsWith('.metadata.')) return [`${option} '${path}' is in the metadata: remove it`]
    if (path.includes('[')) return [`${option} '${path}' must consist of keys and dots only`]
    const wrong = pathProblems(path, option, schema)
    if (wrong.length > 0) return wrong
    const type = path
      .split('.')
      .slice(1)
      .reduce((at: StructuralSchema | undefined, key) => at?.properties?.[key], schema)?.type
    if (type === 'string' || type === 'boolean' || type === 'integer') return []
    return [`${option} '${path}' is not a string, boolean or integer: name another field`]
  })
  if (paths.length > MAX_SELECTABLE_FIELDS)
    problems.push(`there are ${paths.length} selectableFields: a server takes ${MAX_SELECTABLE_FIELDS}`)
  return problems
}

function deprecationProblems(deprecated: boolean | string | undefined): string[] {
  if (typeof deprecated !== 'string') return []
  // Not a literal: V8 would check its class of characters whenever this module is loaded.
  const invisible = new RegExp(String.raw`\p{C}`, 'u')
  if (deprecated.length > 0 && deprecated.length <= 256 && !invisible.test(deprecated)) return []
  return ['the warning in deprecated must be one line of 1 to 256 printable characters']
}

/** Follows the keys of a path as far as the schema knows them; the rest after a bracket is not checked. */
function pathProblems(path: string, option: string, schema?: StructuralSchema): string[] {
  if (!/^\.[^.[\]]/.test(path) || !isBalanced(path))
    return [`${option} '${path}' is not a path: start with a dot, such as '.spec.replicas'`]
  // Every object has metadata, whether or not the schema names it.
  if (path.startsWith('.metadata.')) return []
  let at = schema
  let walked = ''
  for (const key of path.split('[', 1)[0]?.split('.').slice(1) ?? []) {
    if (at?.properties === undefined || at['x-kubernetes-preserve-unknown-fields']) return []
    const next = at.properties[key.replaceAll('\\', '')]
    if (!next)
      return [
        `${option} '${path}': the schema has no key '${key}' in '${walked || '.'}': its keys are ${Object.keys(at.properties).join(', ')}`,
      ]
    walked += `.${key}`
    at = next
  }
  return []
}

function isBalanced(path: string): boolean {
  let depth = 0
  for (const character of path.replaceAll(/"[^"]*"|'[^']*'/g, '')) {
    if (character === '[') depth++
    else if (character === ']') depth--
    if (depth < 0) return false
  }
  return depth === 0
}
