import type { ApiRequest } from '@homeostat/api'
import { wrapTransport, type Transport } from 'homeostat'

/** How long a watch lasts, in seconds: longer than a world. */
const LONGEST = '31536000'

/**
 * Makes watches as long as the world, and without bookmarks. A watch that is opened again in the middle of a story takes as long
 * as a read, and counts among the requests, so that a planned fault would hit it instead of the request that the story
 * means. A story says by itself when a watch is behind.
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
  query.set('timeoutSeconds', LONGEST)
  return { ...request, query }
}
