import { labelKeyProblems } from '@homeostat/api'
import { addMissing, eachObject, ensureObject, named, objectsIn } from '../../checks/index.ts'
import {
  canonicalQuantity,
  compareQuantities,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  getKey,
  invalidValue,
  type JsonObject,
  objectOf,
  parseQuantity,
  type Quantity,
  requiredValue,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { roundList } from '../compute-resources/resource-defaults.ts'
import {
  containerResourceName,
  isOvercommitAllowed,
  resourceName,
} from '../compute-resources/resource-names.ts'
import type { NativeKind } from '../kind/native-kind.ts'

const LIMIT_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim']

const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']

const ONE: Quantity = { mantissa: 1n, exponent: 0, form: 'decimal' }

/** LimitRanges. */
export const limitRange: NativeKind = {
  group: '',
  kind: 'LimitRange',
  createOnUpdate: true,
  // A LimitRange without a name gets its uid as the name.
  prepareCreate: ({ metadata }) => void (metadata.name ||= metadata.uid ?? ''),
  updateSteps: ['metadata', 'object'],
  default(object) {
    const spec = ensureObject(object, 'spec')
    spec['limits'] ??= null
    for (const item of objectsIn(spec['limits'])) {
      for (const name of LISTS) roundList(item[name])
      if (item['type'] !== 'Container') continue
      const limits = ensureObject(item, 'default')
      const requests = ensureObject(item, 'defaultRequest')
      addMissing(limits, objectOf(item['max']))
      addMissing(requests, limits)
      addMissing(requests, objectOf(item['min']))
      for (const name of ['default', 'defaultRequest']) {
        if (Object.keys(objectOf(item[name])).length === 0) delete item[name]
      }
    }
  },
  validate(object) {
    const seen = new Set<unknown>()
    return eachObject(objectOf(object['spec'])['limits'], 'spec.limits', (item, at) => {
      const { type } = item
      const errors = typeErrors(textOf(type ?? ''), `${at}.type`)
      if (seen.has(type)) errors.push(duplicateValue(`${at}.type`, type))
      seen.add(type)
      return [...errors, ...nameErrors(item, at), ...relationErrors(item, at)]
    })
  },
}

function typeErrors(type: string, field: string): FieldError[] {
  const errors = named(type, field, labelKeyProblems)
  if (errors.length > 0 || type.includes('/') || LIMIT_TYPES.includes(type)) return errors
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')]
}

function nameErrors(item: JsonObject, field: string): FieldError[] {
  const { type } = item
  const check = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName
  const names = (list: string): FieldError[] =>
    Object.keys(objectOf(item[list])).flatMap((name) => check(name, `${field}.${list}[${name}]`))
  const errors = [...names('max'), ...names('min')]
  for (const list of ['default', 'defaultRequest']) {
    if (type !== 'Pod') addAll(errors, names(list))
    else if (Object.keys(objectOf(item[list])).length > 0) {
      errors.push(forbiddenValue(`${field}.${list}`, "may not be specified when `type` is 'Pod'"))
    }
  }
  if (type === 'PersistentVolumeClaim') {
    const stored = (list: string): boolean => objectOf(item[list])['storage'] !== undefined
    if (!stored('min') && !stored('max')) {
      const detail = 'either minimum or maximum storage value is required, but neither was provided'
      errors.push(requiredValue(`${field}.limits`, detail))
    }
  }
  return [...errors, ...names('maxLimitRequestRatio')]
}

function relationErrors(item: JsonObject, field: string): FieldError[] {
  const lists = item['type'] === 'Pod' ? ['max', 'min', 'maxLimitRequestRatio'] : LISTS
  const names = new Set(lists.flatMap((list) => Object.keys(objectOf(item[list]))))
  return [...names].flatMap((name) => resourceRelations(item, lists, name, field))
}

function resourceRelations(
  item: JsonObject,
  lists: readonly string[],
  name: string,
  field: string,
): FieldError[] {
  const of = (list: string): Quantity | undefined =>
    lists.includes(list) ? parseQuantity(getKey(objectOf(item[list]), name)) : undefined
  const [max, min, limit, request] = [of('max'), of('min'), of('default'), of('defaultRequest')]
  const ratio = of('maxLimitRequestRatio')
  const errors: FieldError[] = []
  const order = (
    low: Quantity | undefined,
    high: Quantity | undefined,
    words: readonly [string, string],
    at: string,
    shown: Quantity | undefined,
  ): void => {
    if (!low || !high || !shown || compareQuantities(low, high) <= 0) return
    const detail = `${words[0]} value ${canonicalQuantity(low)} is greater than ${words[1]} value ${canonicalQuantity(high)}`
    errors.push(invalidValue(`${field}.${at}[${name}]`, canonicalQuantity(shown), detail))
  }
  order(min, max, ['min', 'max'], 'min', min)
  order(min, request, ['min', 'default request'], 'defaultRequest', request)
  order(request, max, ['default request', 'max'], 'defaultRequest', request)
  order(request, limit, ['default request', 'default limit'], 'defaultRequest', request)
  order(min, limit, ['min', 'default'], 'default', min)
  order(limit, max, ['default', 'max'], 'default', max)
  const at = `${field}.maxLimitRequestRatio[${name}]`
  if (ratio && compareQuantities(ratio, ONE) < 0) {
    const text = canonicalQuantity(ratio)
    errors.push(invalidValue(at, text, `ratio ${text} is less than 1`))
  }
  if (ratio && min && max && numberOf(ratio) > numberOf(max) / numberOf(min)) {
    const text = canonicalQuantity(ratio)
    const most = (numberOf(max) / numberOf(min)).toFixed(6)
    errors.push(invalidValue(at, text, `ratio ${text} is greater than max/min = ${most}`))
  }
  if (!isOvercommitAllowed(name) && limit && request && compareQuantities(limit, request) !== 0) {
    const detail = `default value ${canonicalQuantity(limit)} must equal to defaultRequest value ${canonicalQuantity(request)} in ${name}`
    errors.push(invalidValue(`${field}.defaultRequest[${name}]`, canonicalQuantity(request), detail))
  }
  return errors
}

function numberOf({ mantissa, exponent }: Quantity): number {
  return Number(mantissa) * 10 ** exponent
}
