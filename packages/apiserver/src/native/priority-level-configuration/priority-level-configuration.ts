import { ensureObject, requiredOneOf } from '../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  objectOf,
  requiredValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { flowControlStrategy } from './flow-control-strategy.ts'
import { statusErrors } from './status-validation.ts'
import { priorityLevelConfigurationPrinter } from './table.ts'

const MOST_QUEUES = 10_000_000

/** The most bits of a hash that Kubernetes uses to choose a flow's queues. */
const MOST_BITS = 60

/**
 * PriorityLevelConfigurations: how many requests of a level run at a time, and whether others wait or are refused.
 */
export const priorityLevel: NativeKind = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  ...flowControlStrategy,
  table: priorityLevelConfigurationPrinter,
  default(object) {
    const { exempt, limited } = ensureObject(object, 'spec')
    if (isObject(exempt)) {
      exempt['nominalConcurrencyShares'] ??= 0
      exempt['lendablePercent'] ??= 0
    }
    if (!isObject(limited)) return
    limited['nominalConcurrencyShares'] ??= 30
    limited['lendablePercent'] ??= 0
    const { queuing } = objectOf(limited['limitResponse'])
    if (!isObject(queuing)) return
    queuing['handSize'] ||= 8
    queuing['queues'] ||= 64
    queuing['queueLengthLimit'] ||= 50
  },
  validate(object) {
    const spec = objectOf(object['spec'])
    const { type, limited, exempt } = spec
    const errors: FieldError[] = []
    if ((objectOf(object['metadata'])['name'] === 'exempt') !== (type === 'Exempt') && type) {
      const detail = "must be 'Exempt' if and only if `name` is 'exempt'"
      errors.push(invalidValue('spec.type', type, detail))
    }
    if (type === 'Exempt') {
      if (limited !== undefined) {
        const detail = 'must be nil if the type is not Limited'
        errors.push(forbiddenValue('spec.limited', detail))
      }
      if (isObject(exempt)) addAll(errors, shareErrors(exempt, 'spec.exempt'))
    } else if (type === 'Limited') {
      if (exempt !== undefined) {
        errors.push(forbiddenValue('spec.exempt', 'must be nil if the type is Limited'))
      }
      if (isObject(limited)) addAll(errors, limitedErrors(limited, 'spec.limited'))
      else errors.push(requiredValue('spec.limited', 'must not be empty when type is Limited'))
    } else addAll(errors, requiredOneOf(type, ['Exempt', 'Limited'], 'spec.type'))
    return [...errors, ...statusErrors(object)]
  },
}

function shareErrors(part: JsonObject, field: string): FieldError[] {
  const [shares, lendable] = [Number(part['nominalConcurrencyShares']), Number(part['lendablePercent'])]
  const errors: FieldError[] = []
  if (shares < 0) {
    const detail = 'must be a non-negative integer'
    errors.push(invalidValue(`${field}.nominalConcurrencyShares`, shares, detail))
  }
  if (lendable < 0 || lendable > 100) {
    const detail = 'must be between 0 and 100, inclusive'
    errors.push(invalidValue(`${field}.lendablePercent`, lendable, detail))
  }
  return errors
}

function limitedErrors(limited: JsonObject, field: string): FieldError[] {
  const response = objectOf(limited['limitResponse'])
  const errors = [...shareErrors(limited, field)]
  const borrowed = limited['borrowingLimitPercent']
  if (isNumber(borrowed) && borrowed < 0) {
    const detail = 'if specified, must be a non-negative integer'
    errors.push(invalidValue(`${field}.borrowingLimitPercent`, borrowed, detail))
  }
  return [...errors, ...responseErrors(response, `${field}.limitResponse`)]
}

function responseErrors({ type, queuing }: JsonObject, field: string): FieldError[] {
  const at = `${field}.queuing`
  if (type === 'Reject') {
    if (queuing === undefined) return []
    return [forbiddenValue(at, 'must be nil if limited.limitResponse.type is not Limited')]
  }
  if (type !== 'Queue') return requiredOneOf(type, ['Queue', 'Reject'], `${field}.type`)
  if (!isObject(queuing)) {
    return [requiredValue(at, 'must not be empty if limited.limitResponse.type is Limited')]
  }
  const errors: FieldError[] = []
  const queues = Number(queuing['queues'])
  const hand = Number(queuing['handSize'])
  const length = Number(queuing['queueLengthLimit'])
  if (length <= 0) errors.push(invalidValue(`${at}.queueLengthLimit`, length, 'must be positive'))
  if (queues <= 0) errors.push(invalidValue(`${at}.queues`, queues, 'must be positive'))
  else if (queues > MOST_QUEUES) {
    const detail = `must not be greater than ${MOST_QUEUES}`
    errors.push(invalidValue(`${at}.queues`, queues, detail))
  }
  if (hand <= 0) errors.push(invalidValue(`${at}.handSize`, hand, 'must be positive'))
  else if (hand > queues) {
    const detail = `should not be greater than queues (${queues})`
    errors.push(invalidValue(`${at}.handSize`, hand, detail))
  } else if (Math.ceil(Math.log2(queues) * hand) > MOST_BITS) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MOST_BITS}`
    errors.push(invalidValue(`${at}.handSize`, hand, detail))
  }
  return errors
}
