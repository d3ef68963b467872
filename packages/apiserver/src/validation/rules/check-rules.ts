import { declaredType, escapeName, type DeclaredType } from '@homeostat/cel'
import type { ValidationRule } from '@homeostat/api'
import {
  additionalOf,
  type FieldError,
  forbiddenValue,
  invalidValue,
  listOf,
  objectOf,
  propertiesOf,
  requiredValue,
  type SchemaNode,
  unsupportedValue,
} from '../../schema/index.ts'
import { shownRule } from './shown-schema.ts'
import { compileRule, maxCardinality, type CompiledRule } from './compile-rule.ts'
import { parseFieldPath } from './field-path.ts'
import { structureProblem } from './structure-problem.ts'

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']
/** The limits of the estimated cost of one rule, and of all rules of a schema. */
const RULE_COST = 10_000_000
const SCHEMA_COST = 100_000_000

/** Validates the rules of a schema's node before they are compiled. */
export function ruleFormErrors(node: SchemaNode, field: string): FieldError[] {
  return rulesOf(node).flatMap((rule, index) =>
    formErrors(rule, node, `${field}.x-kubernetes-validations[${index}]`),
  )
}

/** The rules of a node; a value that is not a rule counts as an empty one. */
function rulesOf(node: SchemaNode): readonly ValidationRule[] {
  return listOf(node['x-kubernetes-validations']).map((rule) => ({ rule: '', ...objectOf(rule) }))
}

function formErrors(rule: Partial<ValidationRule>, node: SchemaNode, at: string): FieldError[] {
  const errors: FieldError[] = []
  const { rule: text = '', message = '', messageExpression = '', fieldPath = '', reason } = rule
  const breaks = /[\n\r]/
  if (text.trim() === '') errors.push(requiredValue(`${at}.rule`, 'rule is not specified'))
  else if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${at}.message`, message, 'must be non-empty if specified'))
  } else if (breaks.test(message.trim())) {
    errors.push(invalidValue(`${at}.message`, message, 'must not contain line breaks'))
  } else if (breaks.test(text.trim()) && message.trim() === '') {
    errors.push(requiredValue(`${at}.message`, 'message must be specified if rule contains line breaks'))
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(requiredValue(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(unsupportedValue(`${at}.reason`, reason, REASONS))
  }
  if (fieldPath === '') return errors
  const path = `${at}.fieldPath`
  if (fieldPath.trim() === '') errors.push(invalidValue(path, fieldPath, 'must be non-empty if specified'))
  if (breaks.test(fieldPath)) errors.push(invalidValue(path, fieldPath, 'must not contain line breaks'))
  // Kubernetes takes any path for a valid one where the schema has no structure.
  if (structureProblem(node) === undefined && parseFieldPath(fieldPath, node) instanceof Error) {
    errors.push(invalidValue(path, fieldPath, 'must be a valid path'))
  }
  return errors
}

/** Compiles the rules of an otherwise valid schema, and estimates their cost. */
export function ruleErrors(root: SchemaNode, field: string): FieldError[] {
  const check = new RuleCheck()
  check.visit(root, field, { cardinality: 1, declared: undefined, root: true, uncorrelated: undefined })
  return [...check.errors, ...check.totalErrors(field)]
}

/** Where a node stands. */
interface RulePlace {
  /** How often it can be in an object; undefined where nothing bounds it. */
  readonly cardinality: number | undefined
  /** Its type, where it is known from above. */
  readonly declared: DeclaredType | undefined
  readonly root: boolean
  /** The nearest ancestor whose old values cannot be correlated. */
  readonly uncorrelated: string | undefined
}

class RuleCheck {
  readonly errors: FieldError[] = []
  #total = 0
  #expensive: { readonly field: string; readonly cost: number }[] = []

  visit(node: SchemaNode, field: string, place: RulePlace): void {
    const embedded = place.root || node['x-kubernetes-embedded-resource'] === true
    const needed = place.declared !== undefined || rulesOf(node).length > 0
    const declared = place.declared ?? (needed ? declaredType(node, embedded) : undefined)
    const cardinality = times(place.cardinality, growth(node))
    const next = { cardinality, root: false }
    const additional = additionalOf(node)
    if (additional) {
      const { uncorrelated } = place
      const below = { ...next, declared: declared?.element, uncorrelated }
      this.visit(additional, `${field}.additionalProperties`, below)
    }
    for (const [name, property] of propertiesOf(node)) {
      const escaped = escapeName(name)
      const type = escaped === undefined ? undefined : declared?.fields?.get(escaped)
      const below = { ...next, declared: type, uncorrelated: place.uncorrelated }
      this.visit(property, `${field}.properties[${name}]`, below)
    }
    if (node.items) {
      const uncorrelated =
        node['x-kubernetes-list-type'] === 'map' ? place.uncorrelated : (place.uncorrelated ?? field)
      this.visit(node.items, `${field}.items`, { ...next, declared: declared?.element, uncorrelated })
    }
    if (declared) this.#rules(node, declared, field, place)
    else if (rulesOf(node).length > 0) this.errors.push(untyped(`${field}.x-kubernetes-validations`))
  }

  #rules(node: SchemaNode, declared: DeclaredType, field: string, place: RulePlace): void {
    for (const [index, rule] of rulesOf(node).entries()) {
      const at = `${field}.x-kubernetes-validations[${index}]`
      const compiled = compileRule(rule, node, declared)
      this.#rule(
        compiled,
        rule,
        at,
        place,
        compiled.maxCost * (place.cardinality ?? maxCardinality(declared)),
      )
    }
  }

  #rule(compiled: CompiledRule, rule: ValidationRule, at: string, place: RulePlace, cost: number): void {
    if (cost > RULE_COST)
      this.errors.push(forbiddenValue(`${at}.rule`, costText('estimated rule cost', cost, RULE_COST)))
    this.#observe(`${at}.rule`, cost)
    if (compiled.problem !== undefined) {
      this.errors.push(invalidValue(`${at}.rule`, shownRule({ ...rule }), compiled.problem))
    }
    const message = `${at}.messageExpression`
    if (compiled.messageProblem !== undefined) {
      this.errors.push(invalidValue(message, shownRule({ ...rule }), compiled.messageProblem))
    } else if (compiled.message) {
      const { messageMaxCost } = compiled
      if (messageMaxCost > RULE_COST) {
        const text = costText('estimated messageExpression cost', messageMaxCost, RULE_COST)
        this.errors.push(forbiddenValue(message, text))
      }
      this.#observe(message, messageMaxCost)
    }
    if (compiled.usesOldSelf) {
      if (place.uncorrelated === undefined) return
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`
      this.errors.push(invalidValue(`${at}.rule`, rule.rule, detail))
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule'
      this.errors.push(invalidValue(`${at}.optionalOldSelf`, rule.optionalOldSelf, detail))
    }
  }

  #observe(field: string, cost: number): void {
    this.#total += cost
    if (cost < SCHEMA_COST / 100) return
    this.#expensive.push({ field, cost })
    this.#expensive = this.#expensive.toSorted((a, b) => b.cost - a.cost).slice(0, 4)
  }

  totalErrors(field: string): FieldError[] {
    if (this.#total <= SCHEMA_COST) return []
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    return [
      ...this.#expensive.map((rule) => forbiddenValue(rule.field, detail)),
      forbiddenValue(field, costText(name, this.#total, SCHEMA_COST)),
    ]
  }
}

/** The error for rules on a value without a type. */
function untyped(field: string): FieldError {
  const message =
    'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'
  return { field, reason: 'InternalError', message }
}

/** How many children each value of a node can have. */
function growth(node: SchemaNode): number | undefined {
  if (node.type === 'array') return node.maxItems === undefined ? undefined : Math.max(node.maxItems, 0)
  if (node.type !== 'object' || node.additionalProperties === undefined) return 1
  return node.maxProperties === undefined ? undefined : Math.max(node.maxProperties, 0)
}

function times(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b
}

function costText(name: string, cost: number, limit: number): string {
  const factor = cost / limit
  const text =
    factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
  return `${name} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}
