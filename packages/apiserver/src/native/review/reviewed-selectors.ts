import {
  labelKeyProblems,
  labelSelectorFrom,
  labelValueProblems,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldSelector,
  type LabelSelector,
} from '@homeostat/api'
import { eachObject, operatorErrors } from '../../checks/index.ts'
import {
  invalidValue,
  isObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
  type FieldError,
  type JsonObject,
} from '../../schema/index.ts'

/**
 * A selector of a review, and whether parts of it could not be read. Requirements that cannot be read are left out,
 * which makes the question broader.
 */
interface Reviewed<T> {
  readonly selector: T | undefined
  readonly ignored?: 'ignored' | 'partially ignored' | undefined
}

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

/** The problems of a selector of a review. Newer clients may know more operators, so unknown ones are no problem. */
export function selectorProblems(selector: unknown, kind: 'fieldSelector' | 'labelSelector'): FieldError[] {
  if (!isObject(selector)) return []
  const field = `spec.resourceAttributes.${kind}`
  const raw = textOf(selector['rawSelector'] ?? '')
  const { requirements } = selector
  const errors: FieldError[] = []
  if (raw !== '' && listOf(requirements).length > 0) {
    errors.push(
      invalidValue(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements'),
    )
  }
  if (raw === '' && listOf(requirements).length === 0) {
    const detail = `when ${field} is specified, requirements or rawSelector is required`
    errors.push(requiredValue(`${field}.requirements`, detail))
  }
  const check = kind === 'fieldSelector' ? fieldErrors : labelErrors
  return [...errors, ...eachObject(requirements, `${field}.requirements`, check)]
}

function fieldErrors(requirement: JsonObject, field: string): FieldError[] {
  const unnamed = requirement['key'] ? [] : [requiredValue(`${field}.key`, 'must be specified')]
  return [...unnamed, ...valueErrors(requirement, field)]
}

function labelErrors(requirement: JsonObject, field: string): FieldError[] {
  const key = textOf(requirement['key'] ?? '')
  return [
    ...valueErrors(requirement, field),
    ...labelKeyProblems(key).map((problem) => invalidValue(`${field}.key`, key, problem)),
    ...listOf(requirement['values']).flatMap((value, index) =>
      labelValueProblems(textOf(value)).map((problem) =>
        invalidValue(`${field}.values[${index}]`, value, problem),
      ),
    ),
  ]
}

function valueErrors(requirement: JsonObject, field: string): FieldError[] {
  return KNOWN.includes(textOf(requirement['operator'] ?? '')) ? operatorErrors(requirement, field) : []
}

const KNOWN = ['In', 'NotIn', 'Exists', 'DoesNotExist']

/** The field selector that a review asks about. */
export function reviewedFields(value: unknown): Reviewed<FieldSelector> {
  return reviewed(value, parseFieldSelector, ({ key, operator, values: [only, ...more] }) => {
    const known = operator === 'In' ? '=' : operator === 'NotIn' ? '!=' : undefined
    if (known === undefined || only === undefined || more.length > 0) return undefined
    return { requirements: [{ field: key, operator: known, value: only }] }
  })
}

/** The label selector that a review asks about. */
export function reviewedLabels(value: unknown): Reviewed<LabelSelector> {
  // Kubernetes reads a text up to the character NUL.
  const parse = (text: string): LabelSelector => parseLabelSelector(text.split('\0', 1).join())
  return reviewed(value, parse, (requirement) =>
    orUndefined(() => labelSelectorFrom({ matchExpressions: [requirement] })),
  )
}

function reviewed<Part>(
  value: unknown,
  parse: (text: string) => { readonly requirements: readonly Part[] },
  read: (requirement: Requirement) => { readonly requirements: readonly Part[] } | undefined,
): Reviewed<{ readonly requirements: readonly Part[] }> {
  if (!isObject(value)) return { selector: undefined }
  const raw = textOf(value['rawSelector'] ?? '')
  if (raw !== '') {
    const selector = orUndefined(() => parse(raw))
    return selector ? { selector } : { selector, ignored: 'ignored' }
  }
  const all = listOf(value['requirements']).map((one) => {
    const { key, operator, values } = objectOf(one)
    return read({
      key: textOf(key ?? ''),
      operator: textOf(operator ?? ''),
      values: listOf(values).map(textOf),
    })
  })
  const requirements = all.flatMap((part) => part?.requirements ?? [])
  const selector = requirements.length > 0 ? { requirements } : undefined
  if (all.every((part) => part !== undefined)) return { selector }
  return { selector, ignored: selector ? 'partially ignored' : 'ignored' }
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof SelectorError) return undefined
    throw error
  }
}
