import { eachObject, qualifiedName } from '../../checks/index.ts'
import { ExpressionProblem, compileMatchCondition } from '../../expressions/index.ts'
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  listOf,
  requiredValue,
  textOf,
  tooMany,
} from '../../schema/index.ts'

const MAX_CONDITIONS = 64

/** What is wrong with the conditions under which a webhook is called: their number, names and expressions. */
export function validateMatchConditions(value: unknown, field: string): FieldError[] {
  const { length } = listOf(value)
  const seen = new Set<unknown>()
  return [
    ...(length > MAX_CONDITIONS ? [tooMany(field, length, MAX_CONDITIONS)] : []),
    ...eachObject(value, field, ({ name, expression }, at) => {
      const errors = expressionErrors(textOf(expression ?? ''), `${at}.expression`)
      if (!name) return [...errors, requiredValue(`${at}.name`)]
      const isRepeated = seen.has(name)
      seen.add(name)
      return [
        ...errors,
        ...qualifiedName(name, `${at}.name`),
        ...(isRepeated ? [duplicateValue(`${at}.name`, name)] : []),
      ]
    }),
  ]
}

function expressionErrors(expression: string, field: string): FieldError[] {
  if (expression.trim() === '') return [requiredValue(field)]
  const compiled = compileMatchCondition(expression)
  if (!(compiled instanceof ExpressionProblem)) return []
  const { message, isInternal } = compiled
  return [
    isInternal
      ? { field, reason: 'InternalError', message: `Internal error: ${message}` }
      : invalidValue(field, expression, message),
  ]
}
