import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import type { CustomResourceConversion, WebhookConversion } from './conversion.ts'
import {
  kindsFromCustomResourceDefinition,
  preferredVersion,
  type CustomResourceDefinitionSource,
} from './kind-from-crd.ts'
import { columnProblems } from './kind-problems.ts'
import type { Kind } from './kind.ts'
import { pluralOf } from './plural.ts'
import { printSchema } from './print-schema.ts'
import { printString, printValue } from './print-value.ts'
import { versionSuffix } from './version-order.ts'

export interface PrintKindOptions {
  /** The module to import from. Default: `'homeostat'`. */
  readonly from?: string | undefined
}

const PRINT_OPTIONS = optionNames<PrintKindOptions>('printKind', { from: true })

/**
 * TypeScript source that defines with `defineKind()` what a CustomResourceDefinition defines, so that its objects
 * have types. The version that a server prefers is exported under the name of the kind, and other versions with
 * their version appended; the definition itself is added if it says more than its kinds do. Comments say what could
 * not be carried over; the descriptions of apiVersion, kind and metadata are left out. Throws a `HomeostatError`
 * with code `CRD_INVALID` if the objects have a form that `defineKind()` cannot express.
 */
export function printKind(
  definition: CustomResourceDefinitionSource,
  options: PrintKindOptions = {},
): string {
  checkOptionNames(options, PRINT_OPTIONS)
  const kinds = kindsFromCustomResourceDefinition(definition)
  const preferred = preferredVersion(definition)
  const nameOf = ({ kind, version }: Kind): string =>
    version === preferred ? kind : `${kind}${versionSuffix(version)}`
  const printed = kinds.map((kind) => printOne(kind, nameOf(kind)))
  const whole = printDefinition(definition, kinds.map(nameOf))
  const names = [...(whole ? ['customResourceDefinition'] : []), 'defineKind', 'schema as s']
  return [
    `import { ${names.join(', ')} } from ${printString(options.from ?? 'homeostat')}\n`,
    ...printed,
    ...(whole ? [whole] : []),
  ].join('\n')
}

function printOne(kind: Kind, name: string): string {
  const lost: string[] = []
  const { spec, status, rules, description } = parts(kind, lost)
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
    `  spec: ${spec},`,
    ...(status === undefined ? [] : [`  status: ${status},`]),
    '})',
    '',
  ].join('\n')
}

const KNOWN_KEYS = ['apiVersion', 'kind', 'metadata', 'spec', 'status']

/** What `defineKind()` takes of the schema of a whole object. */
function parts(
  kind: Kind,
  lost: string[],
): { spec: string; status?: string; rules?: unknown; description?: string } {
  const { properties = {}, required = [], ...root } = kind.schema ?? {}
  const { spec, status, metadata } = properties
  const other = Object.keys(properties).find((name) => !KNOWN_KEYS.includes(name))
  if (other !== undefined)
    throw unprintable(kind, `its objects have the key '${other}' beside spec and status`)
  if (spec === undefined) throw unprintable(kind, 'its objects have no spec')
  if (spec.type !== 'object') throw unprintable(kind, 'the spec of its objects is not of type object')
  if (status && status.type !== 'object')
    throw unprintable(kind, 'the status of its objects is not of type object')
  if (status && !kind.subresources.status)
    throw unprintable(kind, 'its objects have a status that is not a subresource')
  const { description, 'x-kubernetes-validations': rules, type: _, ...more } = root
  for (const key of Object.keys(more)) lost.push(`${key} of the whole object`)
  if (metadata?.properties) lost.push('limits of metadata: write them as CEL rules')
  if (required.includes('status')) lost.push('that a status is required')
  const needed = required.includes('spec') || spec.default !== undefined
  return {
    spec: printSchema(spec, '  ') + (needed ? '' : '.optional()'),
    ...(kind.subresources.status ? { status: printSchema(status ?? { type: 'object' }, '  ') } : {}),
    ...(rules ? { rules } : {}),
    ...(description === undefined ? {} : { description }),
  }
}

/** Annotations that tools leave behind. */
const TOOLS = /^(?:kubectl\.kubernetes\.io\/last-applied-configuration|controller-gen\.kubebuilder\.io\/.*)$/

/** The definition of several versions, or of one with settings; nothing where the kind says it all. */
function printDefinition(
  { metadata, spec }: CustomResourceDefinitionSource,
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
  const { kind } = spec.names
  const kinds = names.length === 1 ? names[0] : `[${names.join(', ')}]`
  return [
    `/** The definition of \`${kind}\` in ${names.length === 1 ? 'its one version' : 'all its versions'}. */`,
    `export const ${kind[0]!.toLowerCase()}${kind.slice(1)}Definition = customResourceDefinition(${[
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

function unprintable({ kind, group, version }: Kind<any>, why: string): HomeostatError {
  return new HomeostatError(
    'CRD_INVALID',
    `${kind} (${group}/${version}) cannot be written with defineKind(): ${why}. Use kindFromCustomResourceDefinition(), which takes any`,
  )
}
