import type { ApiRequest } from '@homeostat/api'

/** A request that came through a port, with the parts that are needed to pass it on to another server. */
export interface PortRequest extends ApiRequest {
  /** The query as it was sent, without its question mark. */
  readonly rawQuery: string
  /** The address of the client. */
  readonly remoteAddress?: string | undefined
  /**
   * The body, as it arrives, of a request that is passed on; `body` is then missing. It can be read once. It fails
   * where the client sends nothing for too long.
   */
  readonly bodyStream?: AsyncIterable<Uint8Array> | undefined
}

/** Whether a request came through a port. */
export function isPortRequest(request: ApiRequest): request is PortRequest {
  return 'rawQuery' in request
}

/** The query as the client sent it, without its question mark. */
export function rawQueryOf(request: ApiRequest): string {
  return isPortRequest(request) ? request.rawQuery : request.query.toString()
}
