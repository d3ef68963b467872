import { storedObject, type ServerObject, specOf, type StrategyContext } from '../../registry/index.ts'
import {
  bytesOf,
  equalJson,
  familyOf,
  type FieldError,
  invalidValue,
  listOf,
  objectOf,
  textOf,
} from '../../schema/index.ts'
import { addressIn, serviceRangeIn, type ServiceRange } from '../service-cidr/service-range.ts'
import { validateClusterAddresses } from './service-addresses.ts'

/** The cluster has no IPv6 addresses. */
const FAMILY = 'IPv4'
/** The first address of the network belongs to the Service `kubernetes`. */
const FIRST = 2

/**
 * Allocates the addresses of a Service, and sets its address families. It runs before validation, and returns the
 * first error.
 */
export function allocateAddresses(
  object: ServerObject,
  old: ServerObject | undefined,
  context: StrategyContext,
): FieldError[] {
  const spec = { ...specOf(object) }
  object['spec'] = spec
  if (spec['type'] === 'ExternalName') return []
  const before = old && specOf(old)
  if (before && keepsPreference(spec, before)) return []
  spec['ipFamilyPolicy'] ??= policyOf(spec)
  const wrong = validateClusterAddresses(spec, before)
  if (wrong.length > 0) return wrong
  const problems = familyProblems(spec, before)
  return problems.length > 0 ? problems : giveAddress(object, before, context)
}

/** Whether a Service that prefers two families keeps its addresses, because the write changes none of them. */
function keepsPreference(spec: Record<string, unknown>, before: Record<string, unknown>): boolean {
  return (
    spec['type'] === before['type'] &&
    spec['ipFamilyPolicy'] === 'PreferDualStack' &&
    before['ipFamilyPolicy'] === 'PreferDualStack' &&
    equalJson(spec['clusterIPs'], before['clusterIPs']) &&
    equalJson(spec['ipFamilies'], before['ipFamilies'])
  )
}

function isHeadless(spec: Record<string, unknown>): boolean {
  return spec['clusterIP'] === 'None'
}

function hasSelector(spec: Record<string, unknown>): boolean {
  return Object.keys(objectOf(spec['selector'])).length > 0
}

function policyOf(spec: Record<string, unknown>): string {
  return isHeadless(spec) && !hasSelector(spec) ? 'RequireDualStack' : 'SingleStack'
}

/** Sets the families. Returns the errors of those that the client requested. */
function familyProblems(
  spec: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
): FieldError[] {
  const field = 'spec.ipFamilyPolicy'
  const policy = spec['ipFamilyPolicy']
  const addresses = listOf(spec['clusterIPs'])
  const families = [...listOf(spec['ipFamilies'])]
  const problems: FieldError[] = []
  if (policy === 'SingleStack') {
    for (const [many, what] of [
      [addresses, 'cluster IPs'],
      [families, 'IP families'],
    ] as const) {
      if (many.length !== 2) continue
      const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
      problems.push(invalidValue(field, policy, detail))
    }
  }
  if (policy !== 'SingleStack' && families.length === 1 && listOf(before?.['ipFamilies']).length === 2) {
    const detail = "must be 'SingleStack' to release the secondary IP family"
    problems.push(invalidValue(field, policy, detail))
  }
  for (const [index, ip] of isHeadless(spec) ? [] : addresses.entries()) {
    if (index < families.length) continue
    const family = familyOf(textOf(ip))
    if (family === FAMILY) families.push(family)
    else {
      const detail = `${family ?? ''} is not configured on this cluster`
      problems.push(invalidValue(`spec.clusterIPs[${index}]`, addresses, detail))
    }
  }
  if (problems.length > 0) return problems
  if (isHeadless(spec) && !hasSelector(spec)) {
    if (families.length === 0) families.push(FAMILY)
    if (families.length < 2 && policy !== 'SingleStack')
      families.push(families[0] === FAMILY ? 'IPv6' : FAMILY)
    spec['ipFamilies'] = families
    return []
  }
  if (policy === 'RequireDualStack') {
    problems.push(invalidValue(field, policy, 'this cluster is not configured for dual-stack services'))
  }
  for (const [index, family] of families.entries()) {
    if (family === FAMILY) continue
    problems.push(invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'))
  }
  if (problems.length === 0) spec['ipFamilies'] = families.length > 0 ? families : [FAMILY]
  return problems
}

function giveAddress(
  object: ServerObject,
  before: Record<string, unknown> | undefined,
  context: StrategyContext,
): FieldError[] {
  const spec = specOf(object)
  if (isHeadless(spec)) return []
  const [asked] = listOf(spec['clusterIPs'])
  if (before && before['type'] !== 'ExternalName') return []
  const used = usedBy(context, object)
  if (asked === undefined) {
    const free = freeAddress(used, context)
    if (free === undefined) {
      return [invalidValue('spec.clusterIPs', [], 'failed to allocate IP: range is full')]
    }
    spec['clusterIP'] = free
    spec['clusterIPs'] = [free]
    return []
  }
  const problem = whyNot(textOf(asked), used, context.dryRun ?? false, serviceRangeIn(context.store))
  if (problem === undefined) return []
  const detail = `failed to allocate IP ${textOf(asked)}: ${problem}`
  return [invalidValue('spec.clusterIPs', spec['clusterIPs'], detail)]
}

/** Why an address cannot be allocated. A dry run does not check whether it is free, and has another message. */
function whyNot(
  address: string,
  used: ReadonlySet<unknown>,
  dryRun: boolean,
  range: ServiceRange,
): string | undefined {
  if (isWithin(address, range))
    return used.has(address) && !dryRun ? 'provided IP is already allocated' : undefined
  if (!dryRun) return 'the provided network does not match the current range'
  return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}`
}

/** The first and the last address of a network are reserved. */
function isWithin(address: string, { base, size }: ServiceRange): boolean {
  const offset = (bytesOf(address) ?? 0) - base
  return offset > 0 && offset < size - 1
}

/** A free address, searched from a random offset, so that an address is rarely reused soon after it was freed. */
function freeAddress(used: ReadonlySet<unknown>, context: StrategyContext): string | undefined {
  const range = serviceRangeIn(context.store)
  const count = range.size - FIRST - 1
  const start = Math.floor(context.clock.random() * count)
  for (let step = 0; step < count; step++) {
    const address = addressIn(range, FIRST + ((start + step) % count))
    if (!used.has(address)) return address
  }
  return undefined
}

function usedBy({ store }: StrategyContext, object: ServerObject): Set<unknown> {
  const used = new Set<unknown>()
  for (const stored of store.snapshot({ collection: '/services' })) {
    const other = storedObject(stored)
    if (other.metadata.uid === object.metadata.uid) continue
    for (const address of listOf(specOf(other)['clusterIPs'])) used.add(address)
  }
  return used
}
