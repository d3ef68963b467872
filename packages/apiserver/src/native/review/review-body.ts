import type { ApiResponse } from '@homeostat/api'
import { acceptedBy, type Call, documentAnswer, objectBody, writeOptions } from '../../http/index.ts'
import { decodeAndDefault, manage, placeNew, type ServerObject } from '../../registry/index.ts'

/** The object in the body of a review: a question, whose answer is put into its status. */
export function reviewBody(call: Call): ServerObject {
  const { resource, registry } = call
  const options = writeOptions(call.request, 'CreateOptions', (message) => void call.warnings.push(message))
  const { object, duplicates } = objectBody(call)
  decodeAndDefault(object, resource, options, duplicates)
  placeNew(object.metadata, { resource, namespace: call.route.namespace })
  // As in Kubernetes, a status that was sent has an owner, although it is replaced by the answer.
  manage(registry, { object, resource, manager: options.fieldManager })
  delete object['status']
  return object
}

/** Answers with a review that was decided. */
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
