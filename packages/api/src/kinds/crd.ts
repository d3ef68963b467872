import { HomeostatError } from '../errors/homeostat-error.ts'
import type { StructuralSchema } from '../schema/structural.ts'
import type { AnyKind, ScaleSubresource, Scope } from './kind.ts'

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`, as it is applied. */
export interface CustomResourceDefinitionManifest {
  apiVersion: 'apiextensions.k8s.io/v1'
  kind: 'CustomResourceDefinition'
  metadata: { name: string }
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
  }
}

/** One version of a custom kind in its definition. */
export interface CustomResourceVersion {
  name: string
  served: boolean
  storage: boolean
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
}

/**
 * The definition that makes a server serve a kind; for a kind in several versions, all of them in one. The
 * version given last is the one that is stored, and its names count. Throws a `HomeostatError` with code
 * `CRD_INVALID` where the kinds do not make one definition.
 */
export function customResourceDefinition(
  kinds: AnyKind | readonly AnyKind[],
): CustomResourceDefinitionManifest {
  const versions: readonly AnyKind[] = Array.isArray(kinds) ? kinds : [kinds as AnyKind]
  const stored = versions.at(-1)
  if (!stored) throw invalid('no kind was given: give at least one that defineKind() made')
  for (const version of versions) checkVersion(version, stored)
  const twice = versions.find(
    ({ version }, index) => versions.findIndex((v) => v.version === version) < index,
  )
  if (twice) throw invalid(`${stored.kind} has the version ${twice.version} twice: give each version once`)
  const { group, kind, listKind, plural, singular, shortNames, categories, scope } = stored
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
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
    },
  }
}

function versionOf(kind: AnyKind, storage: boolean): CustomResourceVersion {
  const { status, scale } = kind.subresources
  return {
    name: kind.version,
    served: true,
    storage,
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
  }
}

function checkVersion(kind: AnyKind, stored: AnyKind): void {
  const name = `${kind.kind} (${kind.group}/${kind.version})`
  if (!kind.schema)
    throw invalid(`${name} has no schema: only kinds that defineKind() made have a definition`)
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(kind.group))
    throw invalid(
      `${name} is in a group that Kubernetes keeps for itself: use a domain of your own as its group`,
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
