import { failure, turnOfTheEventLoop, ValueBytes, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { Accepted } from '../../discovery/index.ts'
import {
  applySent,
  create,
  deletedStatus,
  type DeleteOptions,
  encodeObject,
  Failure,
  get,
  list,
  type Listed,
  type ListOptions,
  patch,
  type PatchType,
  refuseOptions,
  remove,
  replace,
  selectionOf,
  served,
  servedJson,
  sharedEntry,
  Watch,
  type Written,
} from '../../registry/index.ts'
import { forbiddenValue } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { mediaType, PROTOBUF } from '../../wire/index.ts'
import { acceptedBy, acceptedByWatch, documentAnswer, statusAnswer } from '../answer/answer.ts'
import { placeOf, targetOf, type Call } from '../request/call.ts'
import { listDocument } from '../answer/list-document.ts'
import { isLongList, ListStream } from '../answer/list-stream.ts'
import { sentBody } from '../request/sent-body.ts'
import { protobufList } from '../answer/protobuf-answer.ts'
import { deleteOptions, integer, isTrue } from '../request/request-options.ts'
import { admittedOptions, admissionOf } from '../request/write-options.ts'
import { WatchStream } from '../answer/watch-stream.ts'

/** The action of each verb on the objects of a resource. */
export const ACTIONS: Readonly<Record<string, (call: Call) => ApiResponse | Promise<ApiResponse>>> = {
  get: getAction,
  list: listAction,
  watch: watchAction,
  create: createAction,
  update: updateAction,
  patch: patchAction,
  delete: deleteAction,
  deletecollection: deleteCollectionAction,
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

function listAnswer(call: Call, accepted: Accepted, listed: Listed): ApiResponse {
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

/** POST of a new object. */
async function createAction(call: Call): Promise<ApiResponse> {
  const { registry, resource } = call
  const accepted = acceptedBy(call.request, { resource })
  const options = admittedOptions(call, 'CreateOptions')
  return writtenAnswer(call, accepted, await create(registry, placeOf(call), sentBody(call), options))
}

/** PUT of an object or of its status. */
export async function updateAction(call: Call): Promise<ApiResponse> {
  const { registry, resource } = call
  const accepted = acceptedBy(call.request, { resource })
  const options = admittedOptions(call, 'UpdateOptions')
  const sent = { ...sentBody(call), subresource: call.route.subresource }
  return writtenAnswer(call, accepted, await replace(registry, targetOf(call), sent, options))
}

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
])
const APPLY = 'application/apply-patch+yaml'

/** PATCH of an object or of its status. */
export async function patchAction(call: Call): Promise<ApiResponse> {
  const { registry, request, resource } = call
  const accepted = acceptedBy(request, { resource })
  const contentType = mediaType(request.headers['content-type'])
  const type = PATCH_TYPES.get(contentType)
  const { subresource } = call.route
  if (contentType === APPLY) {
    const options = admittedOptions(call, 'PatchOptions', true)
    const sent = { ...sentBody(call), subresource, force: options.force }
    return writtenAnswer(call, accepted, await applySent(registry, targetOf(call), sent, options))
  }
  if (!type || (type === 'strategic' && resource.custom)) throw unsupportedPatch(resource.custom)
  const options = admittedOptions(call, 'PatchOptions')
  const { body = new Uint8Array() } = request
  const written = await patch(registry, targetOf(call), { type, body, subresource }, options)
  return writtenAnswer(call, accepted, written)
}

/** The answer for a native kind has only this message; that for a custom resource lists the accepted types. */
function unsupportedPatch(custom: boolean): Failure {
  const types = [...PATCH_TYPES].filter(([, patch]) => patch !== 'strategic').map(([type]) => type)
  const status = failure.unsupportedMediaType([...types, APPLY])
  return new Failure(custom ? status : { ...status, message: '415: Unsupported Media Type', details: {} })
}

/** DELETE of one object. */
async function deleteAction(call: Call): Promise<ApiResponse> {
  const { registry, request, resource } = call
  const accepted = acceptedBy(request, { resource })
  const options = deleteOptions(request)
  warnOfOrphans(call, options)
  const deleted = await remove(registry, targetOf(call), options, admissionOf(call, options))
  const code = !deleted.gone && options.orphanDependents === false ? 202 : 200
  if (deleted.gone && !resource.strategy().returnsDeleted) {
    return statusAnswer(deletedStatus(resource, deleted.object), code, call.warnings)
  }
  const { object, stored } = deleted
  return documentAnswer(request, accepted, {
    code,
    resource,
    document: object,
    json: stored ? ownJson(call, stored) : encodeObject(object),
    warnings: call.warnings,
    now: registry.clock.now(),
  })
}

function warnOfOrphans({ resource, warnings }: Call, options: DeleteOptions): void {
  const { deletionWarning } = resource.strategy()
  if (!deletionWarning || options.propagationPolicy !== undefined || options.orphanDependents !== undefined)
    return
  warnings.push(deletionWarning)
}

/** How many objects are deleted in one turn of the event loop. */
const DELETED_AT_ONCE = 500

/** DELETE of a collection: answers with the deleted objects. */
async function deleteCollectionAction(call: Call): Promise<ApiResponse> {
  const { registry, request, resource } = call
  const accepted = acceptedBy(request, { resource })
  const options = deleteOptions(request)
  const admission = admissionOf(call, options, true)
  const listing = list(registry, placeOf(call), listOptions(call))
  const listed = listing instanceof Promise ? await listing : listing
  for (const [index, entry] of listed.entries.entries()) {
    if (index > 0 && index % DELETED_AT_ONCE === 0) await turnOfTheEventLoop()
    const { name = '', namespace } = served(entry, resource).metadata
    try {
      await remove(registry, { ...placeOf(call), namespace, name }, options, admission)
    } catch (error) {
      // Another client has deleted it meanwhile.
      if (!(error instanceof Failure) || error.status.reason !== 'NotFound') throw error
    }
  }
  return listAnswer(call, accepted, listed)
}

function refuseInitialEvents(request: ApiRequest): void {
  if (!request.query.has('sendInitialEvents')) return
  refuseOptions([forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list')])
}

function listOptions(call: Call): ListOptions {
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

/** A copy: the caller owns the answer, and may change it or transfer it. A caller in this process also gets the value. */
function ownJson({ request, resource }: Call, stored: Stored): Uint8Array {
  const json = servedJson(stored, resource).slice()
  const shared = request.inProcess ? sharedEntry(stored, resource) : undefined
  return shared ? ValueBytes.encoding(json, shared.value) : json
}

function writtenAnswer(call: Call, accepted: Accepted, written: Written): ApiResponse {
  const { registry, request, resource, warnings } = call
  return documentAnswer(request, accepted, {
    code: written.created ? 201 : 200,
    resource,
    document: () => (written.stored ? served(written.stored, resource) : written.object),
    json: written.stored ? ownJson(call, written.stored) : (written.json ?? encodeObject(written.object)),
    warnings,
    now: registry.clock.now(),
  })
}
