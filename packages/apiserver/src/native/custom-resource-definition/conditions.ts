import { timestamp } from '@homeostat/api'
import { type ServerObject, statusOf, type StrategyContext } from '../../registry/index.ts'
import { listOf, objectOf } from '../../schema/index.ts'

interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export function isEstablished(definition: ServerObject): boolean {
  return listOf(statusOf(definition)['conditions']).some((condition) => {
    const { type, status } = objectOf(condition)
    return type === 'Established' && status === 'True'
  })
}

/** Sets a condition. Its `lastTransitionTime` changes only with its status. */
export function setCondition(object: ServerObject, context: StrategyContext, condition: Condition): void {
  const status = { ...statusOf(object) }
  const conditions = listOf(status['conditions']).map(objectOf)
  const index = conditions.findIndex((one) => one['type'] === condition.type)
  const old = conditions[index]
  const time =
    old?.['status'] === condition.status ? old['lastTransitionTime'] : timestamp(context.clock.now())
  const next = { ...condition, lastTransitionTime: time }
  status['conditions'] =
    index < 0 ? [...conditions, next] : conditions.map((one, at) => (at === index ? next : one))
  object['status'] = status
}
