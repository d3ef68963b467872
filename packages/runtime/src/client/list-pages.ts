import { apiVersionOf, type AnyKind, type KubernetesList, type KubernetesObject } from '@homeostat/api'
import { isExpired } from './api-error.ts'
import type { Requester } from './requester.ts'
import { collectionPath } from './route.ts'
import { selectorQuery, type Selection } from './selector-query.ts'

/** Large collections are read in pages, so that no single answer grows without bound. */
const PAGE = 500

export interface ListedObjects {
  readonly items: KubernetesObject[]
  /** The version of all of them: the pages of a list show one moment. */
  readonly resourceVersion: string
}

/**
 * All objects that the selection holds, at one moment that is not older than the call. Should the moment
 * expire between two pages, they are asked for once more in one piece.
 */
export async function listPages(
  requester: Requester,
  kind: AnyKind,
  selection: Selection & { signal?: AbortSignal | undefined },
): Promise<ListedObjects> {
  const items: KubernetesObject[] = []
  const page = (query: Record<string, string>): Promise<KubernetesList> =>
    requester.json<KubernetesList>({
      verb: 'list',
      kind,
      key: { namespace: selection.namespace },
      method: 'GET',
      path: collectionPath(kind, selection.namespace),
      query: { ...selectorQuery(selection), ...query },
      signal: selection.signal,
    })
  try {
    let next: string | undefined
    do {
      const list = await page({ limit: String(PAGE), ...(next && { continue: next }) })
      for (const item of list.items ?? []) items.push(named(kind, item))
      next = list.metadata.continue
      if (!next) return { items, resourceVersion: list.metadata.resourceVersion ?? '' }
    } while (next)
  } catch (error) {
    if (!isExpired(error) || items.length === 0) throw error
  }
  const list = await page({})
  return {
    items: (list.items ?? []).map((item) => named(kind, item)),
    resourceVersion: list.metadata.resourceVersion ?? '',
  }
}

/** The items of a list of a native kind do not say what they are. */
function named(kind: AnyKind, item: KubernetesObject): KubernetesObject {
  return item.kind ? item : { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind }
}
