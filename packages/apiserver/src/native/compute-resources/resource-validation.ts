import { eachObject, named, notNegativeQuantity, objectsIn } from '../../checks/index.ts'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  objectOf,
  parseQuantity,
  type Quantity,
  requiredValue,
  textOf,
  unsupportedValue,
  valueNotFound,
  wasSentEmpty,
  isWhole,
  wholeValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import {
  containerResourceName,
  isHugePages,
  isOvercommitAllowed,
  isWholeResource,
  resourceName,
} from './resource-names.ts'

type NameCheck = (name: string, field: string) => FieldError[]

/** Validates the limits and requests of a container. `claims` are the resource claims of its Pod. */
export function validateResources(
  value: unknown,
  field: string,
  claims: ReadonlySet<string> = new Set(),
  checkName: NameCheck = containerResourceName,
): FieldError[] {
  if (!isObject(value)) return []
  const limits = objectOf(value['limits'])
  const requests = objectOf(value['requests'])
  const errors: FieldError[] = []
  for (const [name, amount] of Object.entries(limits)) {
    addAll(errors, amountErrors(name, amount, `${field}.limits[${name}]`, checkName))
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = `${field}.requests[${name}]`
    addAll(errors, checkName(name, at), validateAmount(name, amount, at))
    addAll(errors, requestErrors(name, amount, limits, field), hugePageErrors(name, amount, at))
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbiddenValue(field, 'HugePages require cpu or memory'))
  }
  return [...errors, ...claimErrors(value, `${field}.claims`, claims)]
}

function amountErrors(name: string, amount: unknown, field: string, checkName: NameCheck): FieldError[] {
  return [
    ...checkName(name, field),
    ...validateAmount(name, amount, field),
    ...hugePageErrors(name, amount, field),
  ]
}

function requestErrors(name: string, amount: unknown, limits: JsonObject, field: string): FieldError[] {
  const [request, limit] = [parseQuantity(amount), parseQuantity(limits[name])]
  if (!limit) {
    return isOvercommitAllowed(name)
      ? []
      : [requiredValue(`${field}.limits`, 'Limit must be set for non overcommitable resources')]
  }
  if (!request) return []
  const order = compareQuantities(request, limit)
  const relation =
    order !== 0 && !isOvercommitAllowed(name) ? 'equal to' : order > 0 ? 'less than or equal to' : undefined
  if (relation === undefined) return []
  const detail = `must be ${relation} ${name} limit of ${canonicalQuantity(limit)}`
  return [invalidValue(`${field}.requests`, canonicalQuantity(request), detail)]
}

function hugePageErrors(name: string, amount: unknown, field: string): FieldError[] {
  const quantity = parseQuantity(amount)
  if (!isHugePages(name) || !quantity) return []
  const page = parseQuantity(name.slice('hugepages-'.length))
  if (page && isWhole(page) && page.mantissa > 0n && wholeValue(quantity) % wholeValue(page) === 0n) return []
  const text = canonicalQuantity(quantity)
  return [invalidValue(field, text, `${text} is not positive integer multiple of ${name}`)]
}

/** Validates the quantity of a resource. */
export function validateAmount(name: string, amount: unknown, field: string): FieldError[] {
  const errors = notNegativeQuantity(amount, field)
  const quantity = parseQuantity(amount)
  if (!quantity || !isWholeResource(name)) return errors
  return isWhole(quantity)
    ? errors
    : [...errors, invalidValue(field, canonicalQuantity(quantity), 'must be an integer')]
}

function claimErrors(resources: JsonObject, field: string, claims: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>()
  return eachObject(resources['claims'], field, (claim, at) => {
    const name = textOf(claim['name'] ?? '')
    const request = textOf(claim['request'] ?? '')
    if (name === '') return [requiredValue(at)]
    const errors: FieldError[] = []
    const key = request === '' ? name : `${name}/${request}`
    if (seen.has(name)) errors.push(duplicateValue(at, name))
    else {
      if (request !== '') addAll(errors, named(request, `${at}.request`, labelProblems))
      if (seen.has(key)) errors.push(duplicateValue(at, key))
      else if (request === '') {
        for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicateValue(at, name))
      }
      seen.add(key)
    }
    if (!claims.has(name)) {
      const known = claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`
      errors.push(valueNotFound(at, name, `must be one of the names in pod.spec.resourceClaims${known}`))
    }
    return errors
  })
}

const POD_LEVEL = ['cpu', 'memory']

function podLevelName(name: string, field: string): FieldError[] {
  const errors = resourceName(name, field)
  if (errors.length > 0 || POD_LEVEL.includes(name) || isHugePages(name)) return errors
  return [unsupportedValue(field, name, ['cpu', 'hugepages-', 'memory'])]
}

/** Validates the resources of a Pod as a whole. */
export function validatePodResources(
  spec: JsonObject,
  field: string,
  claims: ReadonlySet<string>,
): FieldError[] {
  const { resources } = spec
  if (!isObject(resources)) return []
  const at = `${field}.resources`
  if (objectOf(spec['os'])['name'] === 'windows')
    return [forbiddenValue(at, 'may not be set for a windows pod')]
  const errors =
    Array.isArray(resources['claims']) || wasSentEmpty(resources, 'claims')
      ? [forbiddenValue(`${at}.claims`, 'claims may not be set for Resources at pod-level')]
      : []
  addAll(errors, validateResources(resources, at, claims, podLevelName))
  for (const [name, total] of Object.entries(totalRequests(spec))) {
    const own = parseQuantity(objectOf(resources['requests'])[name])
    if (!own || compareQuantities(total, own) <= 0) continue
    const detail = `must be greater than or equal to aggregate container requests of ${canonicalQuantity(total)}`
    errors.push(invalidValue(`${at}.requests[${name}]`, canonicalQuantity(own), detail))
  }
  for (const [index, container] of objectsIn(spec['containers']).entries()) {
    for (const [name, amount] of Object.entries(objectOf(objectOf(container['resources'])['limits']))) {
      const [limit, own] = [parseQuantity(amount), parseQuantity(objectOf(resources['limits'])[name])]
      if (!limit || !own || compareQuantities(limit, own) <= 0) continue
      const detail = `must be less than or equal to pod limits of ${canonicalQuantity(own)}`
      errors.push(
        invalidValue(`${at}.containers[${index}][${name}].limits`, canonicalQuantity(limit), detail),
      )
    }
  }
  return errors
}

/**
 * The sum of the requests of a Pod's containers. Sidecars run beside the other containers, and other init containers
 * before them.
 */
export function totalRequests(spec: JsonObject): Record<string, Quantity> {
  return totalAmounts(spec, 'requests')
}

/** The requests or limits of all containers of a Pod together. */
export function totalAmounts(spec: JsonObject, list: 'requests' | 'limits'): Record<string, Quantity> {
  const total = amountsOf({})
  const add = (to: Record<string, Quantity>, from: JsonObject): void => {
    for (const [name, amount] of Object.entries(from)) {
      const quantity = parseQuantity(amount)
      if (quantity) to[name] = to[name] ? addQuantities(to[name], quantity) : quantity
    }
  }
  for (const container of objectsIn(spec['containers'])) {
    add(total, objectOf(objectOf(container['resources'])[list]))
  }
  const sidecars = amountsOf({})
  const highest = amountsOf({})
  for (const container of objectsIn(spec['initContainers'])) {
    const amounts = objectOf(objectOf(container['resources'])[list])
    const now = amountsOf(sidecars)
    if (container['restartPolicy'] === 'Always') {
      add(total, amounts)
      add(sidecars, amounts)
    } else add(now, amounts)
    for (const [name, quantity] of Object.entries(now)) {
      if (!highest[name] || compareQuantities(quantity, highest[name]) > 0) highest[name] = quantity
    }
  }
  for (const [name, quantity] of Object.entries(highest)) {
    if (!total[name] || compareQuantities(quantity, total[name]) > 0) total[name] = quantity
  }
  return total
}

/** A copy of amounts in which every name can stand, `__proto__` too. */
function amountsOf(amounts: Readonly<Record<string, Quantity>>): Record<string, Quantity> {
  return Object.assign(Object.create(null) as Record<string, Quantity>, amounts)
}
