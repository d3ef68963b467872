import { HomeostatError, type CustomResourceDefinitionSource } from '@homeostat/api'
import { parseAllDocuments } from 'yaml'

/** Parses the definitions in YAML or JSON, also those in lists. Throws with code `YAML_INVALID` or `CRD_INVALID`; the message names the source. */
export function definitionsIn(text: string, source: string): CustomResourceDefinitionSource[] {
  return [...parseAllDocuments(text)].flatMap((document, index) => {
    const [error] = document.errors
    if (error) throw new HomeostatError('YAML_INVALID', `${source}, document ${index + 1}: ${error.message}`)
    const value: unknown = document.toJS()
    const objects = kindOf(value)?.endsWith('List') ? itemsOf(value) : [value]
    return objects.filter((object) => checkedDefinition(object, source))
  })
}

function kindOf(value: unknown): string | undefined {
  return hasKey(value, 'kind') && typeof value.kind === 'string' ? value.kind : undefined
}

function itemsOf(value: unknown): readonly unknown[] {
  return hasKey(value, 'items') && Array.isArray(value.items) ? value.items : []
}

function checkedDefinition(value: unknown, source: string): value is CustomResourceDefinitionSource {
  // Items of a CustomResourceDefinitionList may leave their kind out.
  const kind = kindOf(value)
  const looksLike = kind === undefined && hasKey(value, 'spec') && hasKey(value.spec, 'versions')
  if (kind !== 'CustomResourceDefinition' && !looksLike) return false
  const spec = hasKey(value, 'spec') ? value.spec : undefined
  const names = hasKey(spec, 'names') ? spec.names : undefined
  const isWhole =
    hasKey(spec, 'group') &&
    typeof spec.group === 'string' &&
    hasKey(names, 'plural') &&
    hasKey(names, 'kind') &&
    hasKey(spec, 'versions') &&
    Array.isArray(spec.versions) &&
    spec.versions.every((version: unknown) => hasKey(version, 'name'))
  if (isWhole) return true
  const message = `${source} has a CustomResourceDefinition without spec.group, spec.names or spec.versions: give definitions of apiextensions.k8s.io/v1`
  throw new HomeostatError('CRD_INVALID', message)
}

function hasKey<Key extends string>(value: unknown, key: Key): value is Readonly<Record<Key, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}
