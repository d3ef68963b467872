import { labelKeyProblems, labelValueProblems } from './label-syntax.ts'
import { SelectorError } from './selector-error.ts'

/** How a requirement compares a label with its values; `exists` and `!` take no values. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

/** A requirement of a selector for one label. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

/** Selects the objects whose labels meet all requirements: without any, all objects. */
export interface LabelSelector {
  /** In the order of their keys. */
  readonly requirements: readonly LabelRequirement[]
  /** Selects no object at all, as an absent selector does. Default: false. */
  readonly nothing?: boolean
}

/** A selector as objects hold it, such as a Deployment's `spec.selector`. */
export interface LabelSelectorSource {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined
  readonly matchExpressions?:
    | readonly {
        readonly key: string
        readonly operator: string
        readonly values?: readonly string[] | undefined
      }[]
    | undefined
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}

/**
 * The selector that an object holds: an empty one selects everything, an absent one nothing. Throws a
 * {@link SelectorError} for an unknown operator, a key or value that no label can have, or values that
 * do not suit the operator.
 */
export function labelSelectorFrom(source: LabelSelectorSource | undefined): LabelSelector {
  if (source === undefined) return { requirements: [], nothing: true }
  const requirements = Object.entries(source.matchLabels ?? {}).map(([key, value]) =>
    labelRequirement(key, '=', [value]),
  )
  for (const { key, operator, values } of source.matchExpressions ?? []) {
    const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
    if (!known) {
      throw new SelectorError(
        'LABEL_SELECTOR_INVALID',
        `${JSON.stringify(operator)} is not a valid label selector operator`,
      )
    }
    requirements.push(labelRequirement(key, known, values ?? []))
  }
  return { requirements: inKeyOrder(requirements) }
}

/** A requirement that is known to be valid. Throws a {@link SelectorError} otherwise. */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const problems = labelKeyProblems(key).map((problem) => invalid('key', key, problem))
  const shape = shapeProblem(operator, values)
  if (shape) problems.push(invalid('values', values, shape))
  if (operator === '>' || operator === '<') {
    for (const [index, value] of values.entries()) {
      if (integer(value) !== undefined) continue
      problems.push(
        invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"),
      )
    }
  }
  for (const [index, value] of values.entries()) {
    const wrong = labelValueProblems(value)
    if (wrong.length > 0) problems.push(invalid(`values[${index}][${key}]`, value, wrong.join('; ')))
  }
  if (problems.length > 0) {
    const all = [...new Set(problems)]
    throw new SelectorError('LABEL_SELECTOR_INVALID', all.length === 1 ? all[0]! : `[${all.join(', ')}]`)
  }
  return { key, operator, values }
}

/** Whether the labels of an object meet the selector. */
export function matchesLabels(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (selector.nothing) return false
  return selector.requirements.every((requirement) => {
    const { key, operator, values } = requirement
    const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined
    switch (operator) {
      case '=':
      case '==':
      case 'in':
        return value !== undefined && values.includes(value)
      case '!=':
      case 'notin':
        return value === undefined || !values.includes(value)
      case 'exists':
        return value !== undefined
      case '!':
        return value === undefined
      default:
        return value !== undefined && compares(value, operator, values[0]!)
    }
  })
}

/**
 * The selector in the syntax of the API. The empty text selects everything; a selector of nothing cannot be written
 * as text.
 */
export function formatLabelSelector(selector: LabelSelector): string {
  return selector.requirements
    .map(({ key, operator, values }) => {
      if (operator === 'exists') return key
      if (operator === '!') return `!${key}`
      if (operator === 'in' || operator === 'notin')
        return `${key} ${operator} (${values.toSorted().join(',')})`
      return `${key}${operator}${values[0]}`
    })
    .join(',')
}

/** Selectors list their requirements by key, so that equal ones are written alike. */
export function inKeyOrder(requirements: readonly LabelRequirement[]): readonly LabelRequirement[] {
  const isSorted = requirements.every(({ key }, index) => {
    const previous = requirements[index - 1]
    return !previous || previous.key <= key
  })
  if (isSorted) return requirements
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function shapeProblem(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? undefined : 'exact-match compatibility requires one single value'
    case 'exists':
    case '!':
      return values.length === 0 ? undefined : 'values set must be empty for exists and does not exist'
    default:
      return values.length === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required"
  }
}

function invalid(field: string, value: unknown, detail: string): string {
  return `${field}: Invalid value: ${JSON.stringify(value)}: ${detail}`
}

function compares(label: string, operator: '>' | '<', bound: string): boolean {
  const [left, right] = [integer(label), integer(bound)]
  if (left === undefined || right === undefined) return false
  return operator === '>' ? left > right : left < right
}

/** A whole number of 64 bits, which is more than a JavaScript number can hold. */
function integer(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}
