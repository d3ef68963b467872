import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import type { StructuralSchema } from '../schema/index.ts'
import {
  conversionOf,
  conversionProblem,
  type CustomResourceConversion,
  type WebhookConversion,
} from './conversion.ts'
import type { AnyKind, ScaleSubresource, Scope } from './kind.ts'

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`, as it is applied. */
export interface CustomResourceDefinitionManifest {
  apiVersion: 'apiextensions.k8s.io/v1'
  kind: 'CustomResourceDefinition'
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  spec: {
    group: string
    names: {
      kind: string
      listKind: string
      plural: string
      singular: string
      shortNames?: string[]
      categories?: string[]
    }
    scope: Scope
    versions: CustomResourceVersion[]
    conversion?: CustomResourceConversion
  }
}

/** One version of a custom kind in its definition. */
export interface CustomResourceVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema: { openAPIV3Schema: StructuralSchema }
  subresources?: { status?: Record<string, never>; scale?: ScaleSubresource }
  additionalPrinterColumns?: {
    name: string
    type: string
    jsonPath: string
    description?: string
    format?: string
    priority?: number
  }[]
  selectableFields?: { jsonPath: string }[]
}

/** Options of a definition that concern all its versions. */
export interface CustomResourceDefinitionOptions {
  /** The version that is stored. Default: the one given last. */
  readonly stored?: string | undefined
  /**
   * How objects are converted between versions. Default: the server's default, `'None'`, which only changes the
   * `apiVersion`.
   */
  readonly conversion?: 'None' | WebhookConversion | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /**
   * Annotations of the definition, such as `cert-manager.io/inject-ca-from`, or the approval that Kubernetes' own
   * groups require.
   */
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

const CRD_OPTIONS = optionNames<CustomResourceDefinitionOptions>('customResourceDefinition', {
  stored: true,
  conversion: true,
  labels: true,
  annotations: true,
})

/** The annotation that says where a kind in a group of Kubernetes' own was approved. */
const APPROVED = 'api-approved.kubernetes.io'

/**
 * The definition that makes a server serve a kind; for a kind in several versions, all of them in one. The version
 * given last is stored, unless `stored` names another, and the definition takes its names from the stored version.
 * Throws a `HomeostatError` with code `CRD_INVALID` if the kinds cannot be combined into one definition.
 */
export function customResourceDefinition(
  kinds: AnyKind | readonly AnyKind[],
  options: CustomResourceDefinitionOptions = {},
): CustomResourceDefinitionManifest {
  checkOptionNames(options, CRD_OPTIONS)
  const versions: readonly AnyKind[] = Array.isArray(kinds) ? kinds : [kinds as AnyKind]
  if (versions.length === 0) throw invalid('no kind was given: give at least one that defineKind() made')
  const stored =
    options.stored === undefined
      ? versions.at(-1)
      : versions.find(({ version }) => version === options.stored)
  if (!stored)
    throw invalid(
      `${versions[0]?.kind} has no version ${options.stored} to store: its versions are ${versions.map(({ version }) => version).join(', ')}`,
    )
  const approved = options.annotations?.[APPROVED] !== undefined
  for (const version of versions) checkVersion(version, stored, approved)
  const problem = conversionProblem(options.conversion)
  if (problem) throw invalid(`${stored.kind} (${stored.group}): ${problem}`)
  const conversion = conversionOf(options.conversion)
  const twice = versions.find(
    ({ version }, index) => versions.findIndex((v) => v.version === version) < index,
  )
  if (twice) throw invalid(`${stored.kind} has the version ${twice.version} twice: give each version once`)
  const { group, kind, listKind, plural, singular, shortNames, categories, scope } = stored
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(options.labels ? { labels: { ...options.labels } } : {}),
      ...(options.annotations ? { annotations: { ...options.annotations } } : {}),
    },
    spec: {
      group,
      names: {
        kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
        ...(categories.length > 0 ? { categories: [...categories] } : {}),
      },
      scope: scope as Scope,
      versions: versions.map((version) => versionOf(version, version === stored)),
      ...(conversion ? { conversion } : {}),
    },
  }
}

function versionOf(kind: AnyKind, storage: boolean): CustomResourceVersion {
  const { status, scale } = kind.subresources
  return {
    name: kind.version,
    served: kind.served ?? true,
    storage,
    ...(kind.deprecated ? { deprecated: true } : {}),
    ...(typeof kind.deprecated === 'string' ? { deprecationWarning: kind.deprecated } : {}),
    schema: { openAPIV3Schema: kind.schema ?? {} },
    ...(status || scale
      ? { subresources: { ...(status ? { status: {} } : {}), ...(scale ? { scale } : {}) } }
      : {}),
    ...(kind.columns.length > 0
      ? {
          additionalPrinterColumns: kind.columns.map(({ path, ...column }) => ({
            ...column,
            jsonPath: path,
          })),
        }
      : {}),
    ...(kind.selectableFields && kind.selectableFields.length > 0
      ? { selectableFields: kind.selectableFields.map((path) => ({ jsonPath: path })) }
      : {}),
  }
}

function checkVersion(kind: AnyKind, stored: AnyKind, approved: boolean): void {
  const name = `${kind.kind} (${kind.group}/${kind.version})`
  if (!kind.schema)
    throw invalid(`${name} has no schema: only kinds that defineKind() made have a definition`)
  if (!approved && /(^|\.)(k8s|kubernetes)\.io$/.test(kind.group))
    throw invalid(
      `${name} is in a group that Kubernetes keeps for itself: use a domain of your own as its group, or say in the annotation ${APPROVED} where it was approved`,
    )
  for (const property of ['group', 'kind', 'plural', 'scope'] as const) {
    if (kind[property] !== stored[property])
      throw invalid(
        `${name} has the ${property} '${String(kind[property])}', but ${stored.kind} (${stored.group}/${stored.version}) has '${String(stored[property])}': versions of one kind share it`,
      )
  }
}

function invalid(message: string): HomeostatError {
  return new HomeostatError('CRD_INVALID', message)
}
