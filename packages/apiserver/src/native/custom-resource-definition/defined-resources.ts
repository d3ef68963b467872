import { compareKindVersions, type PrinterColumn, type ScaleSubresource } from '@homeostat/api'
import { type Resource, type ServerObject, specOf, textOf } from '../../registry/index.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  type TypeSchema,
  withNearestNumbers,
} from '../../schema/index.ts'
import { customStrategy } from './custom-resource.ts'

const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'] as const
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

interface Names {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

/** The resources of a CRD, one for each served version, with the preferred version first. */
export function resourcesOf(definition: ServerObject): Resource[] {
  const spec = specOf(definition)
  const names = namesOf(definition)
  // The bounds in a schema are JavaScript numbers.
  const versions = listOf(withNearestNumbers(spec['versions'])).filter(isObject)
  const schemas = new Map<string, TypeSchema>(
    versions.map((version) => [
      String(version['name']),
      { root: objectOf(objectOf(version['schema'])['openAPIV3Schema']), definitions: {} },
    ]),
  )
  const [best] = versions
    .filter((version) => version['served'] === true && version['deprecated'] !== true)
    .map((version) => String(version['name']))
    .sort(compareKindVersions)
  const storageVersion = String(versions.find((version) => version['storage'] === true)?.['name'])
  const conversion = objectOf(spec['conversion'])
  const conversionWebhook = conversion['strategy'] === 'Webhook' ? objectOf(conversion['webhook']) : undefined
  return versions
    .filter((version) => version['served'] === true)
    .map((version): Resource => {
      const subresources = objectOf(version['subresources'])
      return {
        ...names,
        group: String(spec['group']),
        version: String(version['name']),
        storageVersion,
        conversionWebhook,
        selectableFields: listOf(version['selectableFields']).map((field) =>
          String(objectOf(field)['jsonPath']),
        ),
        scope: spec['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced',
        verbs: VERBS,
        subresources: {
          status: isObject(subresources['status']),
          scale: isObject(subresources['scale']) ? scaleOf(subresources['scale']) : undefined,
        },
        custom: true,
        versions: schemas,
        schema: schemas.get(String(version['name']))!,
        columns: columnsOf(version),
        strategy: () => customStrategy,
        deprecation: deprecationOf(version, best, `${String(spec['group'])}/`, names.kind),
      }
    })
    .sort((a, b) => compareKindVersions(a.version, b.version))
}

/**
 * The warning for clients of a deprecated version: the one that the CRD gives, or one that recommends `best` where
 * that is a newer version.
 */
function deprecationOf(
  version: Record<string, unknown>,
  best: string | undefined,
  prefix: string,
  kind: string,
): string | undefined {
  if (version['deprecated'] !== true) return undefined
  if (typeof version['deprecationWarning'] === 'string') return version['deprecationWarning']
  const name = String(version['name'])
  const better = best !== undefined && compareKindVersions(best, name) < 0
  const instead = better ? `; use ${prefix}${best} ${kind}` : ''
  return `${prefix}${name} ${kind} is deprecated${instead}`
}

function columnsOf(version: Record<string, unknown>): PrinterColumn[] {
  return listOf(version['additionalPrinterColumns'])
    .filter(isObject)
    .map(({ name, type, jsonPath, description, format, priority }) => ({
      name: textOf(name),
      type: COLUMN_TYPES.find((known) => known === type) ?? 'string',
      path: String(jsonPath),
      ...(typeof description === 'string' && { description }),
      ...(typeof format === 'string' && { format }),
      ...(typeof priority === 'number' && { priority }),
    }))
}

function scaleOf({ specReplicasPath, statusReplicasPath, labelSelectorPath }: JsonObject): ScaleSubresource {
  return {
    specReplicasPath: textOf(specReplicasPath),
    statusReplicasPath: textOf(statusReplicasPath),
    ...(typeof labelSelectorPath === 'string' && { labelSelectorPath }),
  }
}

function namesOf(definition: ServerObject): Names {
  const names = objectOf(specOf(definition)['names'])
  const kind = String(names['kind'])
  return {
    plural: String(names['plural']),
    singular: textOf(names['singular'], kind.toLowerCase()),
    kind,
    listKind: textOf(names['listKind'], `${kind}List`),
    shortNames: listOf(names['shortNames']).map(String),
    categories: listOf(names['categories']).map(String),
  }
}
