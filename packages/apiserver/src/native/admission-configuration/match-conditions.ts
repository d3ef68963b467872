import { eachObject, qualifiedName } from '../../checks/index.ts'
import {
  compileCondition,
  ExpressionCompiler,
  ExpressionProblem,
  type CompiledExpression,
} from '../../expressions/index.ts'
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

/**
 * Validates the conditions under which a webhook is called or a policy is evaluated: their number, names and
 * expressions.
 */
export function validateMatchConditions(value: unknown, field: string, hasParams = false): FieldError[] {
  const compiler = new ExpressionCompiler({ hasVariables: false })
  const options = { params: hasParams, authorizer: true }
  const { length } = listOf(value)
  const seen = new Set<unknown>()
  return [
    ...(length > MAX_CONDITIONS ? [tooMany(field, length, MAX_CONDITIONS)] : []),
    ...eachObject(value, field, ({ name, expression }, at) => {
      const source = textOf(expression ?? '').trim()
      const errors =
        source === ''
          ? [requiredValue(`${at}.expression`)]
          : compileErrors(compileCondition(compiler, source, options), `${at}.expression`, source)
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

/** Reports the compiler's errors of an expression. */
export function compileErrors(
  compiled: CompiledExpression | ExpressionProblem,
  field: string,
  source: unknown,
): FieldError[] {
  if (!(compiled instanceof ExpressionProblem)) return []
  const { message, isInternal } = compiled
  return [
    isInternal
      ? { field, reason: 'InternalError', message: `Internal error: ${message}` }
      : invalidValue(field, source, message),
  ]
}
