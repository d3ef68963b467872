import { eachObject, named, requiredName } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { fullAttributeName } from '../devices/device-names.ts'
import { selectorErrors } from '../devices/device-selectors.ts'
import { tolerationErrors } from '../devices/device-taints.ts'
import { type ItemCheck, limitedList, limitedSet } from '../devices/limited-lists.ts'
import { configurationErrors } from '../devices/opaque-configuration.ts'
import { MOST_REQUESTS, namesOf, referenceErrors, type RequestNames } from './request-references.ts'

const MOST_CONSTRAINTS = 32
const MOST_CONFIGURATIONS = 32
const MOST_ALTERNATIVES = 8

/** Validates the devices that a claim asks for. */
export function validateClaim(spec: JsonObject, field: string): FieldError[] {
  const devices = objectOf(spec['devices'])
  const { requests, constraints, config } = devices
  const at = `${field}.devices`
  const names = namesOf(requests)
  return [
    ...limitedSet(requests, `${at}.requests`, MOST_REQUESTS, requestErrors),
    ...limitedList(constraints, `${at}.constraints`, MOST_CONSTRAINTS, (item, place) =>
      constraintErrors(item, place, names),
    ),
    ...limitedList(config, `${at}.config`, MOST_CONFIGURATIONS, (item, place) => [
      ...referenceErrors(item['requests'], `${place}.requests`, names),
      ...configurationErrors(item, place),
    ]),
  ]
}

function requestErrors(request: JsonObject, field: string): FieldError[] {
  const { name, exactly, firstAvailable } = request
  const errors = named(name, `${field}.name`, labelProblems)
  const alternatives = listOf(firstAvailable).length > 0
  const one = 'exactly one of `exactly` or `firstAvailable` is required'
  if (isObject(exactly) && alternatives)
    return [...errors, invalidValue(field, null, `${one}, but multiple fields are set`)]
  if (isObject(exactly)) return [...errors, ...deviceErrors(exactly, `${field}.exactly`)]
  if (!alternatives) return [...errors, requiredValue(field, one)]
  const check: ItemCheck = (item, place) => [
    ...named(item['name'], `${place}.name`, labelProblems),
    ...deviceErrors(item, place),
  ]
  return [...errors, ...limitedSet(firstAvailable, `${field}.firstAvailable`, MOST_ALTERNATIVES, check)]
}

function deviceErrors(request: JsonObject, field: string): FieldError[] {
  const { deviceClassName, selectors, tolerations } = request
  return [
    ...requiredName(deviceClassName, `${field}.deviceClassName`, subdomainProblems),
    ...selectorErrors(selectors, `${field}.selectors`),
    ...amountErrors(request, field),
    ...eachObject(tolerations, `${field}.tolerations`, tolerationErrors),
  ]
}

function amountErrors({ allocationMode, count = 0 }: JsonObject, field: string): FieldError[] {
  const mode = textOf(allocationMode ?? '')
  if (mode === 'ExactCount')
    return Number(count) > 0 ? [] : [invalidValue(`${field}.count`, count, 'must be greater than zero')]
  if (mode !== 'All') return [unsupportedValue(`${field}.allocationMode`, mode, ['All', 'ExactCount'])]
  if (Number(count) === 0) return []
  return [invalidValue(`${field}.count`, count, "must not be specified when allocationMode is 'All'")]
}

function constraintErrors(
  { requests, matchAttribute, distinctAttribute }: JsonObject,
  field: string,
  names: RequestNames,
): FieldError[] {
  const errors = referenceErrors(requests, `${field}.requests`, names)
  if (matchAttribute !== undefined)
    return [...errors, ...fullAttributeName(textOf(matchAttribute), `${field}.matchAttribute`)]
  if (distinctAttribute !== undefined)
    return [...errors, ...fullAttributeName(textOf(distinctAttribute), `${field}.distinctAttribute`)]
  // Kubernetes has this message also where neither is set.
  const one =
    'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
  return [...errors, requiredValue(field, one)]
}
