import { HomeostatError, type AnyKind } from '@homeostat/api'
import {
  ApiError,
  collectionPath,
  resourceName,
  type Selection,
  selectorQuery,
  statusOf,
} from '../requests/index.ts'
import { readErrorBody, type Transport } from '../transport/index.ts'
import { ListItems, type ObjectReader, type ServedObject } from '../json/index.ts'

export interface ReadListOptions extends Selection {
  readonly transport: Transport
  readonly kind: AnyKind
  readonly signal?: AbortSignal | undefined
  /** Whether only the objects' metadata is wanted. */
  readonly metadataOnly?: boolean | undefined
  readonly reader: ObjectReader
}

/** The objects of a list at one point in time. */
export interface ReadList {
  readonly objects: readonly ServedObject[]
  readonly resourceVersion: string
}

/** The media type of metadata only. A server that does not support it sends whole objects. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

/**
 * All selected objects in one answer, at a point in time that is not older than the call. They are read as they
 * arrive, so that neither side holds the whole text. Throws an `ApiError` where the server refused, and a
 * `HomeostatError` with code `LIST_BROKEN_OFF` where an answer broke off.
 */
export async function readList(options: ReadListOptions): Promise<ReadList> {
  const { transport, kind, reader, namespace, signal } = options
  const response = await transport.send({
    method: 'GET',
    path: collectionPath(kind, namespace),
    query: new URLSearchParams(selectorQuery(options)),
    headers: {
      accept: options.metadataOnly ? METADATA_ONLY : 'application/json',
      // Compressing a list costs a server more than sending it. It does not compress watches either.
      'accept-encoding': 'identity',
    },
    signal,
  })
  if (response.status >= 300) {
    const status = statusOf(response, await readErrorBody(response, { signal }))
    throw new ApiError(status, { verb: 'list', kind, key: { namespace } })
  }
  const items = new ListItems()
  const objects: ServedObject[] = []
  const body = response.body instanceof Uint8Array ? [response.body] : response.body
  try {
    for await (const chunk of body) {
      for (const item of items.push(chunk)) objects.push(reader.item(item, kind))
    }
    signal?.throwIfAborted()
    return { objects, resourceVersion: items.resourceVersion() }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new HomeostatError(
      'LIST_BROKEN_OFF',
      `the list of ${resourceName(kind)} at ${transport.server} broke off after ${objects.length} objects, or is not JSON. It is requested again in another way; if this repeats, check the proxies between this process and the API server.`,
      { cause },
    )
  }
}
