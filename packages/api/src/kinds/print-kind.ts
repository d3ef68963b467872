import { checkOptionNames, optionNames } from '../errors/index.ts'
import type { StructuralSchema } from '../schema/index.ts'
import type { CustomResourceConversion, WebhookConversion } from './conversion.ts'
import {
  kindsFromCustomResourceDefinition,
  preferredVersion,
  type CustomResourceDefinitionSource,
} from './kind-from-crd.ts'
import { columnProblems } from './kind-problems.ts'
import type { Kind } from './kind.ts'
import { pluralOf } from './plural.ts'
import { printKeys, printPresence, printSchema } from './print-schema.ts'
import { printString, printValue } from './print-value.ts'
import { versionSuffix } from './version-order.ts'

export interface PrintKindOptions {
  /** The module to import from. Default: `'homeostat'`. */
  readonly from?: string | undefined
  /** The name to export the kind under. Default: its own, in the definition. */
  readonly name?: string | undefined
}

const PRINT_OPTIONS = optionNames<PrintKindOptions>('printKind', { from: true, name: true })

/**
 * TypeScript source that defines with `defineKind()` what a CustomResourceDefinition defines, so that its objects
 * have types. The version that a server prefers is exported under the name of the kind, and other versions with
 * their version appended; the definition itself is added if it says more than its kinds do. Comments say what could
 * not be carried over; the descriptions of apiVersion, kind and metadata are left out.
 */
export function printKind(
  definition: CustomResourceDefinitionSource,
  options: PrintKindOptions = {},
): string {
  checkOptionNames(options, PRINT_OPTIONS)
  const kinds = kindsFromCustomResourceDefinition(definition)
  const preferred = preferredVersion(definition)
  const name = options.name ?? definition.spec.names.kind
  const nameOf = ({ version }: Kind): string =>
    version === preferred ? name : `${name}${versionSuffix(version)}`
  const printed = kinds.map((kind) => printOne(kind, nameOf(kind)))
  const whole = printDefinition(definition, name, kinds.map(nameOf))
  const names = [...(whole ? ['customResourceDefinition'] : []), 'defineKind', 'schema as s']
  return [
    `import { ${names.join(', ')} } from ${printString(options.from ?? 'homeostat')}\n`,
    ...printed,
    ...(whole ? [whole] : []),
  ].join('\n')
}

function printOne(kind: Kind, name: string): string {
  const lost: string[] = []
  const { schemas, rules, description } = parts(kind, lost)
  const columns = kind.columns.filter((column, index) => {
    const [problem] = columnProblems(column, `columns[${index}]`, kind.schema)
    if (problem) lost.push(`the column ${column.name}: ${problem}`)
    return !problem
  })
  const { plural, singular, listKind, scope, shortNames, categories, subresources } = kind
  const settings: Record<string, unknown> = {
    ...(scope === 'Cluster' ? { scope } : {}),
    ...(plural === pluralOf(kind.kind) ? {} : { plural }),
    ...(singular === kind.kind.toLowerCase() ? {} : { singular }),
    ...(listKind === `${kind.kind}List` ? {} : { listKind }),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    description,
    ...(columns.length > 0 ? { columns } : {}),
    scale: subresources.scale,
    rules,
    selectableFields: kind.selectableFields,
    deprecated: kind.deprecated,
    served: kind.served,
  }
  return [
    ...lost.map((what) => `// Not carried over: ${what.replaceAll(/\s+/g, ' ')}`),
    `/** \`${kind.kind}\` in \`${kind.group}/${kind.version}\`. */`,
    `export const ${name} = defineKind({`,
    `  group: ${printString(kind.group)},`,
    `  version: ${printString(kind.version)},`,
    `  kind: ${printString(kind.kind)},`,
    ...Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `  ${key}: ${printValue(value, '  ')},`),
    ...Object.entries(schemas).map(([key, printed]) => `  ${key}: ${printed},`),
    '})',
    '',
  ].join('\n')
}

/** The parts of an object's schema that `defineKind()` takes. */
interface PrintedParts {
  /** The source of `spec`, `fields` and `status`, as far as the kind has them. */
  readonly schemas: Readonly<Record<string, string>>
  readonly rules?: unknown
  readonly description?: string
}

function parts(kind: Kind, lost: string[]): PrintedParts {
  const { properties = {}, required = [], ...root } = kind.schema ?? {}
  const { apiVersion: _, kind: _kind, metadata, ...keys } = properties
  const { description, 'x-kubernetes-validations': rules, type: _type, ...more } = root
  for (const key of Object.keys(more)) lost.push(`${key} of the whole object`)
  if (metadata?.properties) lost.push('limits of metadata: write them as CEL rules')
  const { spec, status, ...others } = keys
  const isOwnSpec = spec?.type === 'object'
  const isOwnStatus = kind.subresources.status
  if (isOwnStatus && !status) lost.push('that its status has no schema')
  if (isOwnStatus && required.includes('status')) lost.push('that a status is required')
  const fields = {
    ...(spec && !isOwnSpec ? { spec } : {}),
    ...others,
    ...(status && !isOwnStatus ? { status } : {}),
  }
  const printed = printKeys({ properties: fields, required }, '    ')
  const schemas = {
    ...(isOwnSpec ? { spec: printSchema(spec, '  ') + printPresence(spec, required.includes('spec')) } : {}),
    ...(printed !== '' || !isOwnSpec ? { fields: printed === '' ? '{}' : `{\n${printed}  }` } : {}),
    ...(isOwnStatus ? { status: printStatus(status ?? { type: 'object' }) } : {}),
  }
  return {
    schemas,
    ...(rules ? { rules } : {}),
    ...(description === undefined ? {} : { description }),
  }
}

/** A status is an object to the compiler, also where its schema names no type. */
function printStatus(status: StructuralSchema): string {
  return status.type === 'object'
    ? printSchema(status, '  ')
    : `s.structural<Record<string, unknown>>(${printValue(status, '  ')})`
}

/** Annotations that tools leave behind. */
const TOOLS = /^(?:kubectl\.kubernetes\.io\/last-applied-configuration|controller-gen\.kubebuilder\.io\/.*)$/

/** The definition of several versions, or of one with settings; nothing where the kind says it all. */
function printDefinition(
  { metadata, spec }: CustomResourceDefinitionSource,
  name: string,
  names: readonly string[],
): string | undefined {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => !TOOLS.test(key))
  const conversion = webhookOf(spec.conversion as CustomResourceConversion | undefined)
  const settings = {
    conversion,
    ...(Object.keys(metadata?.labels ?? {}).length > 0 ? { labels: metadata?.labels } : {}),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
  }
  const given = Object.values(settings).some((value) => value !== undefined)
  if (!given && names.length === 1) return undefined
  const kinds = names.length === 1 ? names[0] : `[${names.join(', ')}]`
  return [
    `/** The definition of \`${spec.names.kind}\` in ${names.length === 1 ? 'its one version' : 'all its versions'}. */`,
    `export const ${name[0]!.toLowerCase()}${name.slice(1)}Definition = customResourceDefinition(${[
      kinds,
      ...(given ? [printValue(settings)] : []),
    ].join(', ')})`,
    '',
  ].join('\n')
}

function webhookOf(conversion: CustomResourceConversion | undefined): WebhookConversion | undefined {
  if (conversion?.strategy !== 'Webhook') return undefined
  const { clientConfig, conversionReviewVersions } = conversion.webhook
  const reviewVersions = conversionReviewVersions.join() === 'v1' ? undefined : conversionReviewVersions
  return { ...clientConfig, ...(reviewVersions ? { reviewVersions } : {}) }
}
