import { apiVersionOf, type AnyKind, type KubernetesList, type KubernetesObject } from '@homeostat/api'
import { isExpired } from './api-error.ts'
import type { Requester } from './requester.ts'
import { collectionPath } from './route.ts'
import { selectorQuery, type Selection } from './selector-query.ts'

/** The size of a page. Large collections are read in pages, so that no single answer grows without bound. */
const PAGE = 500

export interface ListedObjects {
  readonly items: KubernetesObject[]
  /** The version of all pages: they show the same point in time. */
  readonly resourceVersion: string
}

type PageSelection = Selection & { readonly signal?: AbortSignal | undefined }

/**
 * All selected objects at one point in time that is not older than the call. If it expires between two pages, all
 * objects are requested again without pages.
 */
export async function listPages(
  requester: Requester,
  kind: AnyKind,
  selection: PageSelection,
): Promise<ListedObjects> {
  const items: KubernetesObject[] = []
  let resourceVersion = ''
  try {
    for await (const page of pagesOf(requester, kind, selection)) {
      for (const item of page.items) items.push(item)
      ;({ resourceVersion } = page)
    }
    return { items, resourceVersion }
  } catch (error) {
    if (!isExpired(error) || items.length === 0) throw error
    return requestPage(requester, kind, selection, {})
  }
}

/** The same objects page by page. Fails if the point in time expires between two pages. */
export async function* pagesOf(
  requester: Requester,
  kind: AnyKind,
  selection: PageSelection,
  limit = PAGE,
): AsyncGenerator<ListedObjects, void, undefined> {
  let next: string | undefined
  do {
    const page = await requestPage(requester, kind, selection, {
      limit: String(limit),
      ...(next && { continue: next }),
    })
    yield page
    next = page.next
  } while (next)
}

async function requestPage(
  requester: Requester,
  kind: AnyKind,
  selection: PageSelection,
  query: Record<string, string>,
): Promise<ListedObjects & { readonly next: string | undefined }> {
  const list = await requester.json<KubernetesList>({
    verb: 'list',
    kind,
    key: { namespace: selection.namespace },
    method: 'GET',
    path: collectionPath(kind, selection.namespace),
    query: { ...selectorQuery(selection), ...query },
    signal: selection.signal,
  })
  return {
    items: (list.items ?? []).map((item) => named(kind, item)),
    resourceVersion: list.metadata.resourceVersion ?? '',
    next: list.metadata.continue,
  }
}

/** Adds apiVersion and kind, which the items of a list of a native kind lack. */
function named(kind: AnyKind, item: KubernetesObject): KubernetesObject {
  return item.kind ? item : { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind }
}
