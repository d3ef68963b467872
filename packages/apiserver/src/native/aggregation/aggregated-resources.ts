import { type JsonObject, listOf, textOf } from '../../schema/index.ts'

/** The resources of a legacy list in the aggregated form of discovery: subresources stand within their resources. */
export function aggregatedResources(list: readonly JsonObject[]): object[] {
  const found = new Map<string, JsonObject>()
  for (const entry of list) {
    const [name = '', subresource] = textOf(entry['name']).split('/', 2)
    if (subresource === undefined) {
      found.set(name, { ...resourceOf(name, entry), ...subresourcesOf(found.get(name)) })
      continue
    }
    // A subresource may come before its resource, or without one.
    const resource = found.get(name) ?? { resource: name, scope: scopeOf(entry) }
    const own = { subresource, responseKind: responseKindOf(entry), verbs: listOf(entry['verbs']) }
    found.set(name, { ...resource, subresources: [...listOf(resource['subresources']), own] })
  }
  return [...found.values()]
}

function resourceOf(name: string, entry: JsonObject): JsonObject {
  const [shortNames, categories] = [listOf(entry['shortNames']), listOf(entry['categories'])]
  return {
    resource: name,
    responseKind: responseKindOf(entry),
    scope: scopeOf(entry),
    singularResource: textOf(entry['singularName'] ?? ''),
    verbs: listOf(entry['verbs']),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  }
}

function subresourcesOf(earlier: JsonObject | undefined): JsonObject {
  return earlier?.['subresources'] === undefined ? {} : { subresources: earlier['subresources'] }
}

function scopeOf({ namespaced }: JsonObject): string {
  return namespaced === true ? 'Namespaced' : 'Cluster'
}

function responseKindOf({ group, version, kind }: JsonObject): JsonObject {
  return { group: textOf(group ?? ''), version: textOf(version ?? ''), kind: textOf(kind ?? '') }
}
