import type { Expr } from '../syntax/ast.ts'
import { LIST_COST, PATTERN_FACTOR, TEXT_FACTOR } from './call-cost.ts'
import { add, exactly, multiply, ONE, scale, UNKNOWN, type Range } from './estimate.ts'
import { sameType, type Type } from '../types/type.ts'
import { textLength } from '../values/value-type.ts'

/** The facts about an argument: its path, its type and, if known, its size. */
export interface Argument {
  readonly type: Type
  readonly path: readonly string[] | undefined
  readonly size: Range | undefined
  readonly expr: Expr | undefined
}

/** The cost of a call without its arguments, and the size of its result, if known. */
export interface CallEstimate {
  readonly cost: Range
  readonly size?: Range | undefined
}

/** The bounds that schemas set for the size of the value at a path. */
export type SizeOf = (path: readonly string[]) => Range | undefined

/** Estimates the cost of a call; `undefined` for functions without their own rule. */
export function estimateCall(
  name: string,
  overload: string,
  target: Argument | undefined,
  args: readonly Argument[],
  sizes: SizeOf,
): CallEstimate | undefined {
  const size = (argument: Argument | undefined): Range =>
    argument?.size ?? (argument?.path?.length ? sizes(argument.path) : undefined) ?? UNKNOWN
  const first = args[0]
  const list = estimateList(overload, target, args, size)
  if (list) return list
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target && { cost: searchCost(target, size) }
    case 'url':
      return { cost: scale(size(first), TEXT_FACTOR), size: size(first) }
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target && { cost: scale(size(target), TEXT_FACTOR), size: size(target) }
    case 'replace':
      return target && args.length >= 2
        ? {
            cost: scale(size(target), 2 * TEXT_FACTOR),
            size: replacedSize(size(target), size(first), size(args[1])),
          }
        : undefined
    case 'split':
      return (
        target && {
          cost: scale(size(target), 2 * TEXT_FACTOR),
          size: { min: 0, max: splitCount(args[1]) ?? size(target).max },
        }
      )
    case 'join':
      return target && joined(target, first, size)
    case 'find':
    case 'findAll':
      return target && { cost: matching(size(target), size(first)), size: { min: 0, max: size(target).max } }
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return { cost: scale(size(first), TEXT_FACTOR) }
    case 'ip':
      return { cost: overload === 'cidr_ip' ? ONE : scale(size(first), TEXT_FACTOR) }
    case 'ip.isCanonical':
      return { cost: scale(size(first), 2 * TEXT_FACTOR) }
    case 'containsIP':
    case 'containsCIDR':
      return { cost: containment(overload, size(first)) }
    case 'validate':
      return { cost: scale(scale(size(first), TEXT_FACTOR), 128 * PATTERN_FACTOR) }
    case '_==_':
      return equality(first!, args[1]!)
    default:
      return undefined
  }
}

type Sizes = (argument: Argument | undefined) => Range

function elementOf(list: Argument): Argument | undefined {
  const type = list.type.params[0]
  return type && { type, path: list.path && [...list.path, '@items'], size: undefined, expr: undefined }
}

function searchCost(target: Argument, size: Sizes): Range {
  const element = elementOf(target)
  if (!element) return scale(size(target), TEXT_FACTOR)
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes'
  const each = isText ? add(ONE, scale(size(element), TEXT_FACTOR)) : ONE
  return multiply(size(target), each)
}

function replacedSize(size: Range, old: Range, by: Range): Range {
  let [maxCount, maxKept, minCount, minKept] = [0, 0, 0, 0]
  if (old.min === 0) [maxCount, maxKept] = [size.max + 1, size.max]
  else if (by.max <= old.min) maxKept = size.max
  else maxCount = Math.ceil(size.max / old.min)
  if (old.max === 0) [minCount, minKept] = [size.min + 1, size.min]
  else if (old.max <= by.min) minKept = size.min
  else minCount = Math.ceil(size.min / old.max)
  return add(multiply({ min: minCount, max: maxCount }, by), { min: minKept, max: maxKept })
}

function splitCount(count: Argument | undefined): number | undefined {
  const { expr } = count ?? {}
  return expr?.kind === 'literal' && typeof expr.value === 'bigint'
    ? Number(BigInt.asUintN(64, expr.value))
    : undefined
}

function joined(target: Argument, separator: Argument | undefined, size: Sizes): CallEstimate {
  const list = size(target)
  const element = elementOf(target)
  let total: Range = element ? multiply(list, size(element)) : { min: 0, max: 0 }
  if (separator) {
    const between = { min: Math.max(list.min - 1, 0), max: Math.max(list.max - 1, 0) }
    total = add(total, multiply(size(separator), between))
  }
  return { cost: scale(total, TEXT_FACTOR), size: total }
}

/** The cost of matching a text with a pattern, by their sizes. */
export function matching(text: Range, pattern: Range): Range {
  return multiply(scale(add(text, ONE), TEXT_FACTOR), scale(pattern, PATTERN_FACTOR))
}

function containment(overload: string, text: Range): Range {
  const bytes = { min: 4, max: 16 }
  let cost = scale(add(bytes, bytes), TEXT_FACTOR)
  if (overload.startsWith('cidr_contains_cidr')) cost = add(add(cost, scale(bytes, TEXT_FACTOR)), ONE)
  return overload.endsWith('_string') ? add(cost, scale(text, TEXT_FACTOR)) : cost
}

function equality(a: Argument, b: Argument): CallEstimate | undefined {
  if (a.type.kind !== 'opaque' || !sameType(a.type, b.type)) return undefined
  switch (a.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: ONE }
    case 'kubernetes.NamedFormat':
      return { cost: scale({ min: 1, max: 64 }, TEXT_FACTOR) }
    case 'kubernetes.URL':
      return { cost: scale({ min: 1, max: b.size?.max ?? 1 }, TEXT_FACTOR) }
    default:
      return undefined
  }
}

/** Functions over whole lists. */
function estimateList(
  overload: string,
  target: Argument | undefined,
  args: readonly Argument[],
  size: Sizes,
): CallEstimate | undefined {
  const [first, second] = args
  const making = (factor: number, length: Range): CallEstimate => ({
    cost: add(add(scale(length, factor), ONE), exactly(LIST_COST)),
    size: length,
  })
  const comparing = (list: Argument | undefined, text: boolean): CallEstimate =>
    making(text ? 2 + TEXT_FACTOR : 2, multiply(size(list), size(list)))
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: add(multiply(size(first), size(second)), ONE) }
    case 'list_sets_equivalent_list':
      return { cost: add(scale(multiply(size(first), size(second)), 2), ONE) }
    case 'list_slice':
      return making(1, exactly(number(second, size(target).max) - number(first, 0)))
    case 'list_flatten':
      return making(1, size(target))
    case 'list_flatten_int':
      return making(number(first, UNKNOWN.max), size(target))
    case 'lists_range':
      return making(1, exactly(number(first, UNKNOWN.max)))
    case 'list_reverse':
      return making(1, size(target))
    case 'list_distinct':
      return comparing(target, false)
    default:
  }
  const sort = /^list_(.+)_(sort|sortByAssociatedKeys)$/.exec(overload)
  if (!sort) return undefined
  return comparing(sort[2] === 'sort' ? target : first, sort[1] === 'string' || sort[1] === 'bytes')
}

function number(argument: Argument | undefined, otherwise: number): number {
  const { expr } = argument ?? {}
  if (expr?.kind !== 'literal' || typeof expr.value !== 'bigint') return otherwise
  return Math.max(Number(expr.value), 0)
}

/** The size of a constant or of a list or map that is written out. */
export function writtenSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case 'literal':
      if (typeof expr.value === 'string') return exactly(textLength(expr.value))
      return exactly(expr.value instanceof Uint8Array ? expr.value.length : 1)
    case 'list':
      return exactly(expr.elements.length)
    case 'map':
      return exactly(expr.entries.length)
    default:
      return undefined
  }
}

/** The size of values of a type, where they all have the same. */
export function typeSize(type: Type): Range | undefined {
  if (['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind)) return ONE
  return type.name === 'optional_type' && type.params[0] ? typeSize(type.params[0]) : undefined
}
