import { SelectorError } from './selector-error.ts'

/** A requirement of a selector for one field, which is named by its path, such as `metadata.name`. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** Selects the objects whose fields meet all requirements: without any, all objects. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[]
}

/**
 * Selects the objects whose fields have exactly these values. Throws a {@link SelectorError} for a field whose
 * value is undefined: ignoring the field would select too many objects.
 */
export function fieldSelectorFrom(fields: Readonly<Partial<Record<string, string>>>): FieldSelector {
  return {
    requirements: Object.entries(fields)
      .map(([field, value]) => ({ field, operator: '=' as const, value: required(field, value) }))
      .sort((a, b) => (a.field < b.field ? -1 : 1)),
  }
}

function required(field: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw invalid(`the field ${field} has no value to select by: give a string, or leave the field out`)
}

/**
 * Reads a selector such as `metadata.name=a,status.phase!=Running`. A backslash makes `,`, `=` and itself part of a
 * value. The valid fields depend on the kind, so the caller checks them. Throws a {@link SelectorError} in an API
 * server's words.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = (text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []).sort()
  const requirements = terms.map((term) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term)
    if (!match) throw invalid(`invalid selector: '${text}'; can't understand '${term}'`)
    const operator = match[2] === '!=' ? ('!=' as const) : ('=' as const)
    return { field: match[1]!, operator, value: unescape(match[3]!) }
  })
  // As in Kubernetes, a term without a field and without a value asks for nothing.
  return { requirements: requirements.filter(({ field, value }) => field !== '' || value !== '') }
}

/** The selector in the syntax of the API. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector.requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, String.raw`\$&`)}`)
    .join(',')
}

/**
 * Whether an object meets the selector. `read` returns the text of a field; by default the value at its path. A
 * field that the object does not have counts as the empty text.
 */
export function matchesFields<T extends object>(
  selector: FieldSelector,
  object: T,
  read: (object: T, field: string) => string = fieldText,
): boolean {
  return selector.requirements.every(
    ({ field, operator, value }) => (read(object, field) === value) === (operator === '='),
  )
}

/** The value at a path such as `spec.nodeName`, as text; empty if it is not a string, number or boolean. */
export function fieldText(object: object, path: string): string {
  let value: unknown = object
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return ''
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

function unescape(text: string): string {
  return text.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw invalid(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`)
    }
    if (!/^[\\,=]$/.test(escaped)) throw invalid(`invalid field selector: invalid escape sequence: ${found}`)
    return escaped
  })
}

function invalid(message: string): SelectorError {
  return new SelectorError('FIELD_SELECTOR_INVALID', message)
}
