import type { ApiRequest } from '@homeostat/api'
import { wrapTransport, type Transport } from 'homeostat'

/**
 * Makes watches long, and without bookmarks: renewing them every ten minutes would take longer than most stories. A
 * story says by itself when a watch is behind.
 */
export function quietWatches(inner: Transport): Transport {
  return wrapTransport(inner, (request) => inner.send(isFollowing(request) ? quiet(request) : request))
}

/** Whether the request follows changes after a list: a watch that begins with the list needs a bookmark to end it. */
function isFollowing({ query }: ApiRequest): boolean {
  return query.has('watch') && query.has('resourceVersion')
}

function quiet(request: ApiRequest): ApiRequest {
  const query = new URLSearchParams(request.query)
  query.delete('allowWatchBookmarks')
  query.delete('timeoutSeconds')
  return { ...request, query }
}
