import type { ApiResponse } from '@homeostat/api'
import { acceptedBy, type Call, documentAnswer, objectBody, writeOptions } from '../../http/index.ts'
import { decodeAndDefault, manage, placeNew, type ServerObject } from '../../registry/index.ts'

/** The review in the body, with the status that the client sent. */
export function reviewBody(call: Call): ServerObject {
  const { resource, registry } = call
  const options = writeOptions(call.request, 'CreateOptions', (message) => void call.warnings.push(message))
  const { object, duplicates } = objectBody(call)
  decodeAndDefault(object, resource, options, duplicates)
  placeNew(object.metadata, { resource, namespace: call.route.namespace })
  // As in Kubernetes, a status that the client sent has a field manager, although the answer replaces it.
  manage(registry, { object, resource, manager: options.fieldManager })
  return object
}

/** Answers with the completed review. */
export function reviewAnswer(call: Call, document: object): ApiResponse {
  const { registry, request, resource, warnings } = call
  const now = registry.clock.now()
  return documentAnswer(request, acceptedBy(request, { tables: false }), {
    code: 201,
    resource,
    document,
    warnings,
    now,
  })
}
