import { failure, turnOfTheEventLoop, type ApiResponse } from '@homeostat/api'
import type { Accepted } from '../../discovery/index.ts'
import {
  applySent,
  create,
  deletedStatus,
  type DeleteOptions,
  encodeObject,
  Failure,
  list,
  patch,
  type PatchType,
  remove,
  replace,
  served,
  type Written,
} from '../../registry/index.ts'
import { mediaType } from '../../wire/index.ts'
import { acceptedBy, documentAnswer, statusAnswer } from '../answer/answer.ts'
import { placeOf, targetOf, type Call } from '../request/call.ts'
import { sentBody } from '../request/sent-body.ts'
import { deleteOptions } from '../request/delete-options.ts'
import { admittedOptions, admissionOf } from '../request/write-options.ts'
import { listAnswer, listOptions, ownJson } from './read-actions.ts'

/** The actions of the verbs that write. */
export const WRITE_ACTIONS: Readonly<Record<string, (call: Call) => Promise<ApiResponse>>> = {
  create: createAction,
  update: updateAction,
  patch: patchAction,
  delete: deleteAction,
  deletecollection: deleteCollectionAction,
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
