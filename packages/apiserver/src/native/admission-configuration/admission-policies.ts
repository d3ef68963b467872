import type { KindStrategy } from '../../registry/index.ts'
import {
  eachObject,
  named,
  objectsIn,
  oneOf,
  requiredName,
  validateConditions,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  segmentProblems,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { PolicyExpressionChecks, validateParamKind } from './admission-expressions.ts'
import { validateNamedRule } from './admission-rules.ts'
import { validateMatchConditions } from './match-conditions.ts'
import { CONFIGURES_SERVER } from './configures-server.ts'

const ACTIONS = ['Audit', 'Deny', 'Warn']
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE']

/** Sets the defaults of `matchConstraints` and `matchResources`. */
function defaultMatch(value: unknown): void {
  if (!isObject(value)) return
  value['matchPolicy'] ??= 'Equivalent'
  value['namespaceSelector'] ??= {}
  value['objectSelector'] ??= {}
  for (const rule of [...objectsIn(value['resourceRules']), ...objectsIn(value['excludeResourceRules'])]) {
    rule['scope'] ??= '*'
  }
}

/**
 * The strategy of validating and mutating admission policies. It compiles their expressions in the environment in
 * which they will be evaluated.
 */
export function admissionPolicy(admits: boolean): KindStrategy {
  return {
    ...CONFIGURES_SERVER,
    default(object) {
      const spec = objectOf(object['spec'])
      if (!isObject(object['spec'])) return
      spec['failurePolicy'] ??= 'Fail'
      defaultMatch(spec['matchConstraints'])
    },
    validate(object) {
      const spec = objectOf(object['spec'])
      const match = spec['matchConstraints']
      const name = textOf(objectOf(object['metadata'])['name'] ?? '')
      const expressions = new PolicyExpressionChecks(spec, { alwaysHasVariables: !admits })
      const at = 'spec.matchConstraints'
      return [
        ...setOneOf(spec['failurePolicy'], ['Fail', 'Ignore'], 'spec.failurePolicy'),
        ...(spec['paramKind'] === undefined ? [] : validateParamKind(spec['paramKind'], 'spec.paramKind')),
        ...(isObject(match)
          ? [
              ...matchErrors(match, at),
              ...(listOf(match['resourceRules']).length === 0 ? [requiredValue(`${at}.resourceRules`)] : []),
            ]
          : [requiredValue(at)]),
        ...(admits ? [] : operationErrors(match)),
        ...validateMatchConditions(
          spec['matchConditions'],
          'spec.matchConditions',
          isObject(spec['paramKind']),
        ),
        ...expressions.variables(),
        ...(admits ? expressions.validations(name) : expressions.mutations()),
      ]
    },
    validateStatus(object) {
      const status = objectOf(object['status'])
      const { expressionWarnings } = objectOf(status['typeChecking'])
      return [
        ...eachObject(expressionWarnings, 'status.typeChecking.expressionWarnings', (one, at) => [
          ...(one['warning'] ? [] : [requiredValue(`${at}.warning`)]),
          ...(textOf(one['fieldRef'] ?? '').trim() === '' ? [requiredValue(`${at}.fieldRef`)] : []),
        ]),
        ...validateConditions(status['conditions'], 'status.conditions'),
      ]
    },
  }
}

/** The strategy of policy bindings. The binding of a validating policy also has `validationActions`. */
export function admissionPolicyBinding(admits: boolean): KindStrategy {
  return {
    ...CONFIGURES_SERVER,
    default: (object) => defaultMatch(objectOf(object['spec'])['matchResources']),
    validate(object) {
      const spec = objectOf(object['spec'])
      return [
        ...requiredName(spec['policyName'], 'spec.policyName', subdomainProblems),
        ...paramErrors(spec['paramRef'], 'spec.paramRef'),
        ...(isObject(spec['matchResources'])
          ? matchErrors(spec['matchResources'], 'spec.matchResources')
          : []),
        ...(admits ? actionErrors(listOf(spec['validationActions']), 'spec.validationActions') : []),
      ]
    },
  }
}

/** A mutating policy cannot match DELETE, which has no object to change. */
function operationErrors(match: unknown): FieldError[] {
  return objectsIn(objectOf(match)['resourceRules'])
    .flatMap(({ operations }) => listOf(operations))
    .filter((operation) => !MUTATING_OPERATIONS.includes(textOf(operation)))
    .map((operation) =>
      unsupportedValue('spec.matchConstraints.resourceRules.operations', operation, MUTATING_OPERATIONS),
    )
}

function matchErrors(match: JsonObject, field: string): FieldError[] {
  return [
    ...setOneOf(match['matchPolicy'], ['Equivalent', 'Exact'], `${field}.matchPolicy`),
    ...validateLabelSelector(match['namespaceSelector'], `${field}.namespaceSelector`),
    ...validateLabelSelector(match['objectSelector'], `${field}.objectSelector`),
    ...eachObject(match['resourceRules'], `${field}.resourceRules`, validateNamedRule),
    ...eachObject(match['excludeResourceRules'], `${field}.excludeResourceRules`, validateNamedRule),
  ]
}

/**
 * Checks that a value is set and one of those allowed. Unlike `requiredOneOf`, it treats an empty text as a set value.
 */
function setOneOf(value: unknown, allowed: readonly string[], field: string): FieldError[] {
  return value === undefined ? [requiredValue(field)] : oneOf(value, allowed, field)
}

function paramErrors(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  const { name, selector, parameterNotFoundAction } = value
  const errors: FieldError[] = []
  const exclusive = 'name and selector are mutually exclusive'
  if (name) {
    addAll(errors, named(name, `${field}.name`, segmentProblems))
    if (isObject(selector)) errors.push(forbiddenValue(`${field}.name`, exclusive))
  }
  if (isObject(selector)) {
    addAll(errors, validateLabelSelector(selector, `${field}.selector`))
    if (name) errors.push(forbiddenValue(`${field}.selector`, exclusive))
  }
  if (!name && !isObject(selector)) {
    errors.push(requiredValue(field, 'one of name or selector must be specified'))
  }
  const at = `${field}.parameterNotFoundAction`
  if (!parameterNotFoundAction) return [...errors, requiredValue(at)]
  return [...errors, ...oneOf(parameterNotFoundAction, ['Deny', 'Allow'], at)]
}

function actionErrors(actions: readonly unknown[], field: string): FieldError[] {
  const seen = new Set<unknown>()
  const errors: FieldError[] = []
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(textOf(action))) {
      errors.push(unsupportedValue(`${field}[${index}]`, action, ACTIONS))
    }
    if (seen.has(action)) errors.push(duplicateValue(`${field}[${index}]`, action))
    seen.add(action)
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
    errors.push(invalidValue(field, actions, detail))
  }
  if (actions.length === 0) errors.push(requiredValue(field, 'at least one validation action is required'))
  return errors
}
