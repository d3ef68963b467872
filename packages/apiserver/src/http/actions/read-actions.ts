import { ValueBytes, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { Accepted } from '../../discovery/index.ts'
import {
  get,
  list,
  type Listed,
  type ListOptions,
  refuseOptions,
  selectionOf,
  served,
  servedJson,
  sharedEntry,
  Watch,
} from '../../registry/index.ts'
import { forbiddenValue } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { PROTOBUF } from '../../wire/index.ts'
import { acceptedBy, acceptedByWatch, documentAnswer } from '../answer/answer.ts'
import { placeOf, targetOf, type Call } from '../request/call.ts'
import { isPortRequest } from '../request/port-request.ts'
import { listDocument } from '../answer/list-document.ts'
import { isLongList, ListStream } from '../answer/list-stream.ts'
import { protobufList } from '../answer/protobuf-answer.ts'
import { integer, isTrue } from '../request/request-options.ts'
import { WatchStream } from '../answer/watch-stream.ts'

/** The actions of the verbs that read. */
export const READ_ACTIONS: Readonly<Record<string, (call: Call) => ApiResponse | Promise<ApiResponse>>> = {
  get: getAction,
  list: listAction,
  watch: watchAction,
}

/** GET of one object. */
export function getAction(call: Call): ApiResponse | Promise<ApiResponse> {
  const { registry, request, resource } = call
  const accepted = acceptedBy(request, { resource })
  const stored = get(registry, targetOf(call), request.query.get('resourceVersion') ?? undefined)
  const readable = registry.conversions.readAgain(stored, targetOf(call))
  if (readable instanceof Promise) return readable.then((entry) => entryAnswer(call, accepted, entry))
  return entryAnswer(call, accepted, readable)
}

function entryAnswer(call: Call, accepted: Accepted, stored: Stored): ApiResponse {
  const { registry, request, resource } = call
  return documentAnswer(request, accepted, {
    resource,
    document: () => served(stored, resource),
    json: ownJson(call, stored),
    now: registry.clock.now(),
  })
}

/** GET of a list. */
function listAction(call: Call): ApiResponse | Promise<ApiResponse> {
  const { registry, request, resource } = call
  const accepted = acceptedBy(request, { resource, many: true })
  refuseInitialEvents(request)
  const listed = list(registry, placeOf(call), listOptions(call))
  if (listed instanceof Promise) return listed.then((converted) => listAnswer(call, accepted, converted))
  return listAnswer(call, accepted, listed)
}

/** Answers with objects that were listed. */
export function listAnswer(call: Call, accepted: Accepted, listed: Listed): ApiResponse {
  const { registry, request, resource } = call
  const plain =
    accepted.as === undefined && accepted.mediaType === 'application/json' && !request.query.has('pretty')
  const stream = plain ? new ListStream(resource, listed) : undefined
  return documentAnswer(request, accepted, {
    resource,
    document: () => listDocument(resource, listed),
    json: stream && isLongList(listed) ? stream : stream?.bytes(),
    protobuf: accepted.as ? undefined : () => protobufList(resource, listed),
    now: registry.clock.now(),
  })
}

/** GET that watches. */
function watchAction(call: Call): ApiResponse {
  const { registry, request, resource, route } = call
  const accepted = acceptedByWatch(request, resource)
  const { query } = request
  const options = listOptions(call)
  const timeout = query.get('timeoutSeconds')
  const initial = query.get('sendInitialEvents')
  const watch = new Watch(
    registry,
    { resource, namespace: route.namespace },
    {
      ...options,
      ...(initial === null ? {} : { sendInitialEvents: isTrue(initial) }),
      allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
      timeoutSeconds: timeout === null ? undefined : integer(timeout),
      quiet: request.inProcess ?? false,
    },
  )
  return {
    status: 200,
    headers: {
      'content-type': accepted.mediaType === PROTOBUF ? `${PROTOBUF};stream=watch` : 'application/json',
      'cache-control': 'no-cache, private',
    },
    body: new WatchStream(watch, request, accepted, registry.clock),
  }
}

function refuseInitialEvents(request: ApiRequest): void {
  if (!request.query.has('sendInitialEvents')) return
  refuseOptions([forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list')])
}

/** The options of a request for several objects. */
export function listOptions(call: Call): ListOptions {
  const { request, resource, route } = call
  const { query } = request
  const text = (name: string): string | undefined => query.get(name) || undefined
  // Numbers are read before the selectors: of two mistakes, Kubernetes reports this one.
  const limit = query.get('limit')
  const most = limit === null ? undefined : Math.max(0, integer(limit)) || undefined
  return {
    selection: selectionOf(resource, {
      labels: text('labelSelector'),
      fields: text('fieldSelector'),
      name: route.name,
    }),
    limit: most,
    continue: text('continue'),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
  }
}

/**
 * The JSON of an object: the stored bytes for a port, which only reads them, and a copy for any other caller, which owns the
 * answer, and may change it or transfer it. A caller in this process also gets the value.
 */
export function ownJson({ request, resource }: Call, stored: Stored): Uint8Array {
  const json = servedJson(stored, resource)
  if (isPortRequest(request)) return json
  const copy = json.slice()
  const shared = request.inProcess ? sharedEntry(stored, resource) : undefined
  return shared ? ValueBytes.encoding(copy, shared.value) : copy
}
