import { matchesLabels, type FieldSelector, type LabelRequirement, type LabelSelector } from '@homeostat/api'

/**
 * Makes a label selector fast to match, however many requirements it has. All requirements of one label are combined.
 * Forbidden labels and values are looked up by the labels of an object. Required labels are counted first: an object
 * with fewer labels cannot match.
 */
export function labelMatcher(selector: LabelSelector): (labels: Readonly<Record<string, string>>) => boolean {
  if (selector.nothing || selector.requirements.length <= FEW) {
    return (labels) => matchesLabels(selector, labels)
  }
  const forbidding = new Map<string, Forbidden>()
  const demanding = new Map<string, Demand>()
  for (const requirement of selector.requirements) {
    const { key, operator, values } = requirement
    if (operator === '!' || operator === '!=' || operator === 'notin') forbid(forbidding, key, values)
    else demand(demanding, requirement)
  }
  return (labels) => {
    const keys = Object.keys(labels)
    if (demanding.size > keys.length) return false
    for (const key of keys) {
      const label = labels[key]
      if (label !== undefined && forbids(forbidding.get(key), label)) return false
    }
    for (const [key, wanted] of demanding) {
      const label = Object.hasOwn(labels, key) ? labels[key] : undefined
      if (label === undefined || !meets(wanted, labels, label)) return false
    }
    return true
  }
}

/** Up to this number, requirements are compared one by one. */
const FEW = 8

/** The values that a label must not have; `present` where the label must be absent. */
type Forbidden = Set<string> | 'present'

function forbid(forbidding: Map<string, Forbidden>, key: string, values: readonly string[]): void {
  const known = values.length === 0 ? 'present' : (forbidding.get(key) ?? new Set())
  forbidding.set(key, known)
  if (known !== 'present') for (const value of values) known.add(value)
}

function forbids(forbidden: Forbidden | undefined, value: string): boolean {
  return forbidden === 'present' || (forbidden?.has(value) ?? false)
}

/** The requirements of one label. */
interface Demand {
  /** The values that all requirements allow; undefined for any value. */
  allowed: Set<string> | undefined
  /** The narrowest bounds, by their operators. */
  readonly bounds: Map<string, LabelRequirement>
}

function demand(demanding: Map<string, Demand>, requirement: LabelRequirement): void {
  const { key, operator, values } = requirement
  const known: Demand = demanding.get(key) ?? { allowed: undefined, bounds: new Map() }
  demanding.set(key, known)
  if (operator === '>' || operator === '<') {
    const before = known.bounds.get(operator)?.values[0]
    if (before === undefined || narrower(operator, values[0] ?? '', before))
      known.bounds.set(operator, requirement)
  } else if (operator !== 'exists') {
    const { allowed } = known
    known.allowed = new Set(allowed ? values.filter((value) => allowed.has(value)) : values)
  }
}

function narrower(operator: '>' | '<', value: string, other: string): boolean {
  return operator === '>' ? BigInt(value) > BigInt(other) : BigInt(value) < BigInt(other)
}

function meets(wanted: Demand, labels: Readonly<Record<string, string>>, value: string): boolean {
  if (wanted.allowed && !wanted.allowed.has(value)) return false
  return wanted.bounds.size === 0 || matchesLabels({ requirements: [...wanted.bounds.values()] }, labels)
}

/** Does the same for a field selector: each field is read once. */
export function fieldMatcher({ requirements }: FieldSelector): (read: (field: string) => string) => boolean {
  const wanted = new Map<string, { equal: Set<string>; unequal: Set<string> }>()
  for (const { field, operator, value } of requirements) {
    const values = wanted.get(field) ?? { equal: new Set(), unequal: new Set() }
    wanted.set(field, values)
    values[operator === '!=' ? 'unequal' : 'equal'].add(value)
  }
  return (read) => {
    for (const [field, { equal, unequal }] of wanted) {
      const value = read(field)
      // A field has one value, so that it cannot equal two.
      if (equal.size > 1 || (equal.size === 1 && !equal.has(value)) || unequal.has(value)) return false
    }
    return true
  }
}
