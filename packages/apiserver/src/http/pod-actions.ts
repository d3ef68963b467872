import { failure, timestamp, type ApiResponse } from '@homeostat/api'
import { deleteObject, type DeleteOptions } from '../registry/delete.ts'
import { Failure } from '../registry/failure.ts'
import { specOf, statusOf } from '../registry/server-object.ts'
import { update } from '../registry/update.ts'
import { copyJson, listOf, objectOf } from '../schema/json.ts'
import { statusAnswer } from './answer.ts'
import { targetOf, type Call } from './call.ts'
import { objectBody } from './object-body.ts'
import { writeOptions } from './request-options.ts'

const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const

/** POST of `pods/<name>/binding`: what a scheduler sends to put a Pod on a node. */
export async function bindingAction(call: Call): Promise<ApiResponse> {
  const { registry, request } = call
  if (request.method !== 'POST') return statusAnswer(failure.methodNotAllowed())
  const options = writeOptions(request, 'CreateOptions', (message) => void call.warnings.push(message))
  const { object: binding } = objectBody(call, { group: '', version: 'v1', kind: 'Binding' })
  const node = objectOf(binding['target'])['name']
  const target = targetOf(call)
  if (binding.metadata.name !== target.name) {
    throw new Failure(failure.badRequest('name in URL does not match name in Binding object'))
  }
  if (typeof node !== 'string' || node === '') {
    const problem = { reason: 'FieldValueRequired', message: 'Required value', field: 'target.name' }
    throw new Failure(failure.invalid({ group: '', kind: 'Binding' }, target.name, [problem]))
  }
  await update(
    registry,
    target,
    {
      trusted: true,
      managed: true,
      subresource: 'binding',
      change(current) {
        if (!current) throw new Failure(failure.notFound(target.resource, target.name))
        const assigned = specOf(current)['nodeName']
        if (assigned) {
          const why = `pod ${target.name} is already assigned to node ${JSON.stringify(assigned)}`
          throw new Failure(failure.conflict({ group: '', plural: 'pods/binding' }, target.name, why))
        }
        if (current.metadata.deletionTimestamp) {
          const why = `pod ${target.name} is being deleted, cannot be assigned to a host`
          throw new Failure(failure.conflict({ group: '', plural: 'pods/binding' }, target.name, why))
        }
        const pod = copyJson(current)
        pod['spec'] = { ...specOf(pod), nodeName: node }
        const conditions = listOf(statusOf(pod)['conditions']).filter(
          (one) => objectOf(one)['type'] !== 'PodScheduled',
        )
        const scheduled = {
          type: 'PodScheduled',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: timestamp(registry.clock.now()),
        }
        pod['status'] = { ...statusOf(pod), conditions: [...conditions, scheduled] }
        return pod
      },
    },
    options,
  )
  return statusAnswer(DONE)
}

/** POST of `pods/<name>/eviction`: a deletion that may be refused. Nothing here refuses it yet. */
export function evictionAction(call: Call): ApiResponse {
  if (call.request.method !== 'POST') return statusAnswer(failure.methodNotAllowed())
  const { object } = objectBody(call, { group: 'policy', version: 'v1', kind: 'Eviction' })
  const options = objectOf(object['deleteOptions']) as DeleteOptions
  deleteObject(call.registry, targetOf(call), { ...options, dryRun: call.request.query.has('dryRun') })
  return statusAnswer(DONE)
}
