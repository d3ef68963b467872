import {
  ArrayList,
  BOOL,
  DYN,
  listType,
  ListValue,
  mapType,
  STRING,
  structType,
  type ExpressionScope,
  type Value,
} from '@homeostat/cel'
import type { User } from '../auth/index.ts'
import {
  compileExpression,
  Evaluation,
  ExpressionProblem,
  jsonInCel,
  JsonMap,
  OutOfBudget,
  POLICY_BUDGET,
  type CompiledExpression,
} from '../expressions/index.ts'
import { type FieldError, getKey, invalidValue, isObject, type JsonObject } from '../schema/index.ts'
import { TokenProblem } from './token-problem.ts'

/** An expression about the claims of a token, or about its user. */
export type ClaimExpression = CompiledExpression

const USER = structType('kubernetes.UserInfo')
const USER_FIELDS = new Map([
  ['username', STRING],
  ['uid', STRING],
  ['groups', listType(STRING)],
  ['extra', mapType(STRING, listType(STRING))],
])
const CLAIMS_SCOPE: ExpressionScope = {
  variables: new Map([['claims', mapType(STRING, DYN)]]),
  field: () => undefined,
}
const USER_SCOPE: ExpressionScope = {
  variables: new Map([['user', USER]]),
  field: (struct, field) => (struct === USER.name ? USER_FIELDS.get(field) : undefined),
}

/** Compiles an expression about claims. With `isRule` its value must be a boolean. Adds its problem to the errors. */
export function compileClaims(
  source: string,
  field: string,
  errors: FieldError[],
  isRule = false,
): ClaimExpression | undefined {
  return compiled(source, field, errors, CLAIMS_SCOPE, isRule)
}

/** Compiles a rule about the user. Adds its problem to the errors. */
export function compileUser(
  source: string,
  field: string,
  errors: FieldError[],
): ClaimExpression | undefined {
  return compiled(source, field, errors, USER_SCOPE, true)
}

function compiled(
  source: string,
  field: string,
  errors: FieldError[],
  scope: ExpressionScope,
  isRule: boolean,
): ClaimExpression | undefined {
  const expression = compileExpression(source, scope, isRule ? [BOOL] : undefined)
  if (!(expression instanceof ExpressionProblem)) return expression
  errors.push(invalidValue(field, source, expression.message.replace(/ but got [^\n]*$/, '')))
  return undefined
}

/** Evaluates expressions about the claims of one token. */
export function claimEvaluator(claims: JsonObject): (expression: ClaimExpression) => Value {
  const value = new ClaimMap(claims)
  return evaluator((name) => (name === 'claims' ? value : undefined))
}

/** Evaluates rules about one user. */
export function userEvaluator({
  name,
  uid = '',
  groups,
  extra = {},
}: User): (expression: ClaimExpression) => Value {
  const value = jsonInCel({ username: name, uid, groups, extra })
  return evaluator((variable) => (variable === 'user' ? value : undefined))
}

/** Throws a `TokenProblem` where an expression has no value. */
function evaluator(values: (name: string) => Value | undefined): (expression: ClaimExpression) => Value {
  const evaluation = new Evaluation(values, new Map(), POLICY_BUDGET)
  return (expression) => {
    try {
      const result = evaluation.evaluate(expression)
      if ('value' in result) return result.value
      throw new TokenProblem(result.problem)
    } catch (error) {
      if (error instanceof OutOfBudget) throw new TokenProblem(error.message)
      throw error
    }
  }
}

/** The non-empty texts in a value that is a text or a list of texts. */
export function textsOf(value: Value): string[] {
  if (value === null || value === '') return []
  if (typeof value === 'string') return [value]
  if (value instanceof ListValue) {
    const texts = [...value]
    if (texts.every((one) => typeof one === 'string')) return texts.filter((one) => one !== '')
  }
  throw new TokenProblem('expression must return a string or a list of strings')
}

/** Claims as expressions see them: all numbers are of the type `double`. */
function claimInCel(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
  if (Array.isArray(value)) return new ArrayList(value.map(claimInCel))
  return isObject(value) ? new ClaimMap(value) : null
}

class ClaimMap extends JsonMap {
  override get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    // Names that are not identifiers in CEL are escaped: `claims.example__dot__com`.
    const value = getKey(this.content, unescaped(key)) ?? getKey(this.content, key)
    return value === undefined ? undefined : claimInCel(value)
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__dot__', '.'],
  ['__dash__', '-'],
  ['__slash__', '/'],
  ['__underscores__', '__'],
])

function unescaped(name: string): string {
  return name.replaceAll(/__(?:dot|dash|slash|underscores)__/g, (code) => ESCAPES.get(code) ?? code)
}
