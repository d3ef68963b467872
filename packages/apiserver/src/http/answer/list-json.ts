import { apiVersionOf, joinBytes } from '@homeostat/api'
import { type Listed, type Resource, served, servedItem } from '../../registry/index.ts'
import { addAll } from '../../work/index.ts'

const encoder = new TextEncoder()
const COMMA = encoder.encode(',')
const END = encoder.encode(']}')

/** The list as a document: for tables and YAML. */
export function listDocument(resource: Resource, listed: Listed): object {
  return {
    kind: resource.listKind,
    apiVersion: apiVersionOf(resource),
    metadata: listMeta(resource, listed),
    items: listed.entries.map((entry) => served(entry, resource)),
  }
}

/** The list as JSON, joined from the encoded objects. */
export function listJson(resource: Resource, listed: Listed): Uint8Array {
  const head = JSON.stringify({
    kind: resource.listKind,
    apiVersion: apiVersionOf(resource),
    metadata: listMeta(resource, listed),
  })
  const parts: Uint8Array[] = [encoder.encode(`${head.slice(0, -1)},"items":[`)]
  for (const [index, entry] of listed.entries.entries()) {
    if (index > 0) parts.push(COMMA)
    addAll(parts, servedItem(entry, resource))
  }
  parts.push(END)
  return joinBytes(parts)
}

/** The metadata of a list. Lists of custom kinds say that they are complete. */
export function listMeta(resource: Resource, listed: Listed): Record<string, unknown> {
  return {
    resourceVersion: String(listed.revision),
    ...(listed.continue === undefined
      ? resource.custom
        ? { continue: '' }
        : {}
      : { continue: listed.continue }),
    ...(listed.remaining === undefined ? {} : { remainingItemCount: listed.remaining }),
  }
}
