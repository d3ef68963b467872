import type { ValidationRule } from '@homeostat/api'
import {
  asResource,
  CostLimitExceeded,
  EvaluationError,
  Meter,
  OptionalValue,
  schemaValue,
  type Program,
  type Value,
} from '@homeostat/cel'
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  getKey,
  invalidValue,
  invalidWhole,
  isObject,
  requiredValue,
  ROOT,
} from '../../schema/index.ts'
import type { CompiledRule } from './compile-rule.ts'
import { Correlation, elementIdentity, oldElements } from './correlation.ts'
import type { RuleTree } from './rule-tree.ts'
import { OverBudget, spend, stepsLeft } from '../../work/index.ts'

/** The cost limits of one evaluation of a rule, and of all rules of an object. */
const RULE_LIMIT = 1_000_000
const OBJECT_BUDGET = 10_000_000
/** The most bytes of a message that a rule makes. */
const MESSAGE_SIZE = 5 * 1024

const NO_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/**
 * The errors of an object's rules. With `old`, transition rules are evaluated too, and a rule that an unchanged part
 * breaks is passed to `warn` only. Exceeding the cost limit ends the evaluation with an error.
 */
export function evaluateRules(
  tree: RuleTree,
  value: unknown,
  old: unknown,
  warn: (message: string) => void = () => {},
): FieldError[] {
  const evaluation = new Evaluation(warn)
  const correlation = old === undefined ? undefined : new Correlation(value, old, tree.node)
  evaluation.walk(tree, value, old, '', { current: correlation, parent: undefined })
  return evaluation.errors
}

/** The errors of a default's rules, evaluated as an existing and as a new value. */
export function defaultRuleErrors(tree: RuleTree, value: unknown, field: string): FieldError[] {
  const evaluate = (old: unknown): FieldError[] => {
    const evaluation = new Evaluation(() => {})
    evaluation.walk(tree, value, old, field, { current: undefined, parent: undefined })
    return evaluation.errors
  }
  const errors = evaluate(value)
  return errors.length > 0 ? errors : evaluate(undefined)
}

/** The old value of the current field, and the nearest parent that has an old value. */
interface Ratchet {
  readonly current: Correlation | undefined
  readonly parent: Correlation | undefined
}

class Evaluation {
  readonly errors: FieldError[] = []
  readonly #warn: (message: string) => void
  /** The cost that is left; below zero, no further rule is evaluated. */
  #budget = OBJECT_BUDGET

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  walk(tree: RuleTree, value: unknown, old: unknown, path: string, ratchet: Ratchet): void {
    if (value === null || value === undefined || this.#budget < 0) return
    spend(1)
    const before = old === null ? undefined : old
    this.#rules(tree, value, before, path, ratchet)
    if (Array.isArray(value)) this.#list(tree, value, before, path, ratchet)
    else if (isObject(value)) this.#object(tree, value, before, path, ratchet)
  }

  #list(tree: RuleTree, value: readonly unknown[], old: unknown, path: string, ratchet: Ratchet): void {
    const { items } = tree
    if (!items) return
    const elements = oldElements(tree.node, old)
    for (let index = 0; index < value.length && this.#budget >= 0; index++) {
      const before = elements.size > 0 ? elements.get(elementIdentity(tree.node, value[index])) : undefined
      const next = ratchet.current
        ? { current: ratchet.current.index(index), parent: ratchet.current }
        : ratchet
      this.walk(items, value[index], before, `${path}[${index}]`, next)
    }
  }

  #object(
    tree: RuleTree,
    value: Record<string, unknown>,
    old: unknown,
    path: string,
    ratchet: Ratchet,
  ): void {
    if (!tree.additional && tree.properties.size === 0) return
    const before = isObject(old) ? old : {}
    for (const name of Object.keys(value)) {
      const property = tree.properties.get(name)
      const child = property ?? tree.additional
      if (!child) continue
      const at = property ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]`
      this.walk(child, value[name], getKey(before, name), at, below(ratchet, name))
      if (this.#budget < 0) return
    }
  }

  #rules(tree: RuleTree, value: unknown, old: unknown, path: string, ratchet: Ratchet): void {
    if (tree.rules.length === 0) return
    const field = path === '' ? ROOT : path
    const node = tree.resource ? asResource(tree.node) : tree.node
    const type = node.type ?? ''
    if (this.#budget <= 0) {
      this.#end(invalidValue(field, type, NO_BUDGET))
      return
    }
    const self = schemaValue(value, node)
    const oldSelf = old === undefined ? undefined : schemaValue(old, node)
    for (const rule of tree.rules) {
      if (rule.problem !== undefined) {
        this.errors.push(invalidValue(field, type, `rule compile error: ${rule.problem}`))
        continue
      }
      const optional = rule.source.optionalOldSelf === true
      if (!rule.program || (rule.usesOldSelf && old === undefined && !optional)) continue
      const variables = (name: string): Value | undefined => {
        if (name === 'self') return self
        if (name !== 'oldSelf') return undefined
        if (optional) return oldSelf === undefined ? OptionalValue.none : new OptionalValue(oldSelf)
        return oldSelf
      }
      this.#rule(rule, rule.program, variables, { path, type, value, ratchet })
      if (this.#budget < 0) return
    }
  }

  #rule(
    rule: CompiledRule,
    program: Program,
    variables: (name: string) => Value | undefined,
    place: { path: string; type: string; value: unknown; ratchet: Ratchet },
  ): void {
    const { path, type, value, ratchet } = place
    const field = path === '' ? ROOT : path
    const shown = ruleText(rule.source)
    const result = run(program, variables)
    if (result.cost > this.#budget) {
      this.#end(invalidValue(field, type, NO_BUDGET))
      return
    }
    this.#budget -= result.cost
    if (result.value === true) return
    if (result.exceeded) {
      const detail = `'${COST_EXCEEDED}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`
      this.#end(invalidValue(field, type, detail))
      return
    }
    if (result.value instanceof EvaluationError) {
      this.errors.push(invalidValue(field, type, errorText(result.value.message, shown)))
      return
    }
    const at = rule.fieldPath === '' ? field : path === '' ? rule.fieldPath : `${path}.${rule.fieldPath}`
    const add = (error: FieldError): void => {
      const unchanged = ratchet.current ? ratchet.current.unchanged : ratchet.parent?.unchanged
      if (!rule.usesOldSelf && unchanged) this.#warn(`${error.field}: ${error.message}`)
      else this.errors.push(error)
    }
    const message = this.#message(rule, variables)
    if (message instanceof Error) {
      add(invalidValue(at, type, message.message))
      this.#budget = -1
      return
    }
    const detail = message ?? defaultMessage(rule.source)
    add(reasonError(rule.source.reason, at, value, detail))
  }

  /** The value of a rule's `messageExpression`, if it is a usable message; an error where it costs too much. */
  #message(rule: CompiledRule, variables: (name: string) => Value | undefined): string | Error | undefined {
    if (!rule.message) return undefined
    const result = run(rule.message, variables)
    if (result.cost > this.#budget) {
      return new Error(
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      )
    }
    if (result.exceeded) {
      return new Error(
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.source.messageExpression)}`,
      )
    }
    this.#budget -= result.cost
    const text = typeof result.value === 'string' ? result.value.trim() : ''
    const size = new TextEncoder().encode(text).length
    return text === '' || size > MESSAGE_SIZE || text.includes('\n') ? undefined : text
  }

  /** Adds an error and ends the evaluation. */
  #end(error: FieldError): void {
    this.errors.push(error)
    this.#budget = -1
  }
}

function below({ current, parent }: Ratchet, name: string): Ratchet {
  if (!current) return { current, parent }
  // These have no old value to correlate with.
  if (!parent && (name === 'apiVersion' || name === 'kind')) return { current: undefined, parent: undefined }
  return { current: current.key(name), parent: current }
}

const COST_EXCEEDED = 'operation cancelled: actual cost limit exceeded'

interface Outcome {
  readonly value: Value
  readonly cost: number
  readonly exceeded: boolean
}

function run(program: Program, variables: (name: string) => Value | undefined): Outcome {
  const affordable = stepsLeft()
  const meter = new Meter(Math.min(RULE_LIMIT, affordable))
  try {
    const value = program.evaluate(variables, meter)
    spend(meter.cost)
    return { value, cost: meter.cost, exceeded: false }
  } catch (error) {
    if (!(error instanceof CostLimitExceeded)) throw error
    if (affordable < RULE_LIMIT) throw new OverBudget()
    return { value: null, cost: meter.cost, exceeded: true }
  }
}

function errorText(message: string, rule: string): string {
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${rule}`
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
}

function ruleText({ message = '', rule }: ValidationRule): string {
  return (message === '' ? rule : message).trim()
}

function defaultMessage(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`
}

function reasonError(reason: string | undefined, field: string, value: unknown, detail: string): FieldError {
  const whole = Array.isArray(value) || isObject(value)
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail)
    case 'FieldValueRequired':
      return requiredValue(field, detail)
    case 'FieldValueDuplicate':
      if (!whole) return duplicateValue(field, value)
      return { field, reason: 'FieldValueDuplicate', message: 'Duplicate value' }
    default:
      return whole ? invalidWhole(field, detail) : invalidValue(field, value, detail)
  }
}
