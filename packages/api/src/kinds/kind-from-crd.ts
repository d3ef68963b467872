import { HomeostatError } from '../errors/index.ts'
import { schemaProblems, type StructuralSchema } from '../schema/index.ts'
import { nameProblems } from './kind-problems.ts'
import type { Kind, PrinterColumn, ScaleSubresource, Scope } from './kind.ts'
import { compareKindVersions } from './version-order.ts'

/** A CustomResourceDefinition from a file or from a server. */
export interface CustomResourceDefinitionSource {
  readonly apiVersion?: string | undefined
  readonly kind?: string | undefined
  readonly metadata?:
    | {
        readonly resourceVersion?: string | undefined
        readonly labels?: Readonly<Record<string, string>> | undefined
        readonly annotations?: Readonly<Record<string, string>> | undefined
      }
    | undefined
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: {
      readonly kind: string
      readonly plural: string
      readonly singular?: string | undefined
      readonly listKind?: string | undefined
      readonly shortNames?: readonly string[] | undefined
      readonly categories?: readonly string[] | undefined
    }
    readonly versions: readonly CustomResourceVersionSource[]
    readonly conversion?: object | undefined
  }
}

/** One version in a {@link CustomResourceDefinitionSource}. */
export interface CustomResourceVersionSource {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean | undefined
  readonly deprecationWarning?: string | undefined
  readonly schema?: { readonly openAPIV3Schema?: object | undefined } | undefined
  readonly subresources?:
    | { readonly status?: object | undefined; readonly scale?: object | undefined }
    | undefined
  readonly additionalPrinterColumns?:
    | readonly {
        readonly name: string
        readonly type: string
        readonly jsonPath: string
        readonly description?: string | undefined
        readonly format?: string | undefined
        readonly priority?: number | undefined
      }[]
    | undefined
  readonly selectableFields?: readonly { readonly jsonPath: string }[] | undefined
}

/**
 * The kind that a CustomResourceDefinition defines, in the given version; by default in the version that a server
 * prefers. Its TypeScript types cover only what all objects have in common. Throws a `HomeostatError` with code
 * `CRD_INVALID` for a document that is not a definition or that a server would refuse. A definition that was read
 * from a server is not checked again.
 */
export function kindFromCustomResourceDefinition(
  definition: CustomResourceDefinitionSource,
  version?: string,
): Kind {
  checkForm(definition)
  const { versions } = definition.spec
  const names = versions.map(({ name }) => name)
  const wanted = version ?? preferredVersion(definition)
  const found = versions.find(({ name }) => name === wanted)
  if (!found) throw invalid(definition, `it has no version ${wanted}: its versions are ${names.join(', ')}`)
  return kindOf(definition, found)
}

/**
 * The kinds that a CustomResourceDefinition defines: one for each version, with the stored version last, so that
 * `customResourceDefinition()` of them is the same definition again.
 */
export function kindsFromCustomResourceDefinition(definition: CustomResourceDefinitionSource): Kind[] {
  checkForm(definition)
  return definition.spec.versions
    .toSorted((a, b) => Number(a.storage) - Number(b.storage))
    .map((version) => kindOf(definition, version))
}

/** The version that a server prefers: of those served, if any is, the most stable and highest. */
export function preferredVersion({ spec }: CustomResourceDefinitionSource): string {
  const served = spec.versions.filter((version) => version.served)
  const names = (served.length > 0 ? served : spec.versions).map(({ name }) => name)
  return names.toSorted(compareKindVersions)[0]!
}

function kindOf(definition: CustomResourceDefinitionSource, version: CustomResourceVersionSource): Kind {
  const { group, names, scope } = definition.spec
  const { status, scale } = version.subresources ?? {}
  const schema = version.schema?.openAPIV3Schema
  if (schema === undefined)
    throw invalid(definition, `version ${version.name} has no schema: give schema.openAPIV3Schema`)
  const kind: Kind = {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular || names.kind.toLowerCase(),
    listKind: names.listKind || `${names.kind}List`,
    scope: scope as Scope,
    shortNames: [...(names.shortNames ?? [])],
    categories: [...(names.categories ?? [])],
    columns: (version.additionalPrinterColumns ?? []).map(
      ({ jsonPath, ...column }) => ({ ...column, path: jsonPath }) as PrinterColumn,
    ),
    subresources: { status: status !== undefined, scale: copy(scale) as ScaleSubresource | undefined },
    selectableFields: version.selectableFields?.map(({ jsonPath }) => jsonPath),
    deprecated: version.deprecated ? (version.deprecationWarning ?? true) : undefined,
    served: version.served ? undefined : false,
    schema: copy(schema) as StructuralSchema,
  }
  if (definition.metadata?.resourceVersion === undefined) {
    const problems = [...nameProblems(kind), ...rootProblems(kind.schema!)]
    if (problems.length > 0)
      throw invalid(
        definition,
        `version ${version.name} would be refused:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
      )
  }
  return kind
}

/**
 * The problems for which a server would refuse the schema of a whole object. The server validates metadata itself, so
 * the schema may contain it, with limits on the name.
 */
function rootProblems(schema: StructuralSchema): string[] {
  const { metadata: _, ...properties } = schema.properties ?? {}
  const problems = schemaProblems(schema.properties ? { ...schema, properties } : schema, 'openAPIV3Schema')
  if (schema.type !== 'object') problems.unshift("openAPIV3Schema: its type must be 'object'")
  return problems
}

/** Definitions come from files: checks the types that the compiler assumes. */
function checkForm(definition: CustomResourceDefinitionSource): void {
  const { apiVersion, kind, spec } = (definition ?? {}) as Partial<CustomResourceDefinitionSource>
  if (kind !== undefined && kind !== 'CustomResourceDefinition')
    throw invalid(definition, `it is a ${kind}: give a CustomResourceDefinition`)
  if (apiVersion !== undefined && apiVersion !== 'apiextensions.k8s.io/v1')
    throw invalid(definition, `it is of ${apiVersion}: convert it to apiextensions.k8s.io/v1`)
  if (typeof spec !== 'object' || spec === null)
    throw invalid(definition, 'it has no spec: give a CustomResourceDefinition of apiextensions.k8s.io/v1')
  const { group, names, scope, versions } = spec as Partial<CustomResourceDefinitionSource['spec']>
  for (const [name, value] of [
    ['group', group],
    ['names.kind', names?.kind],
    ['names.plural', names?.plural],
    ['scope', scope],
  ] as const) {
    if (typeof value !== 'string' || value === '')
      throw invalid(definition, `spec.${name} is ${JSON.stringify(value) ?? 'missing'}: give a name`)
  }
  if (!Array.isArray(versions) || versions.length === 0)
    throw invalid(definition, 'spec.versions is missing or empty: give at least one version')
}

function invalid(
  definition: CustomResourceDefinitionSource | null | undefined,
  problem: string,
): HomeostatError {
  const { metadata, spec } = (definition ?? {}) as Partial<CustomResourceDefinitionSource>
  const name = (metadata as { name?: string } | undefined)?.name ?? spec?.names?.kind
  return new HomeostatError(
    'CRD_INVALID',
    `the definition ${name === undefined ? '' : `${name} `}cannot be made into a kind: ${problem}`,
  )
}

function copy(value: object | undefined): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
