import { failure, type ApiResponse } from '@homeostat/api'
import { acceptedBy, type Call, documentAnswer, statusAnswer } from '../../http/index.ts'
import { selectionOf } from '../../registry/index.ts'
import type { Stored } from '../../storage/index.ts'

const HEALTHY = { type: 'Healthy', status: 'True', message: 'ok' } as const

/** The components of this server: only its store, which is healthy while the server answers. */
const COMPONENTS = ['etcd-0']

/** A component with metadata, so that selectors can be applied to it. */
function entry(name: string): Stored {
  const value = { metadata: { name } }
  return { key: name, revision: 0, value, json: new Uint8Array(), apiVersion: 'v1', labels: undefined }
}

/** GET of `componentstatuses`, one or all: the health of the control plane's components. */
export function componentStatusAction(call: Call): ApiResponse {
  const { request, route, resource, registry } = call
  const accepted = acceptedBy(request)
  const answer = (document: object): ApiResponse =>
    documentAnswer(request, accepted, { resource, document, now: registry.clock.now() })
  if (route.name === undefined) {
    const selection = selectionOf(resource, {
      labels: request.query.get('labelSelector') || undefined,
      fields: request.query.get('fieldSelector') || undefined,
    })
    const items = COMPONENTS.filter((name) => selection.matches(entry(name))).map((name) => ({
      metadata: { name },
      conditions: [HEALTHY],
    }))
    return answer({ kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items })
  }
  const { name } = route
  if (!COMPONENTS.includes(name)) {
    return statusAnswer(failure.notFound({ group: '', plural: 'componentstatus' }, name))
  }
  return answer({ kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [HEALTHY] })
}
