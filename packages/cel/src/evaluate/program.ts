import {
  isBinding,
  qualifiedName,
  type Call,
  type Comprehension,
  type Expr,
  type Select,
  type StructLiteral,
} from '../syntax/ast.ts'
import { callCost, LIST_COST, MAP_COST, STRUCT_COST } from '../cost/call-cost.ts'
import type { Checked, Reference } from '../check/checker.ts'
import { equalValues, ValueSet } from '../values/compare.ts'
import { dispatcher, noOverload } from './dispatch.ts'
import { ArrayList, GrowingList } from '../values/list-value.ts'
import { EntryMap, GrowingMap, keyIdentity } from '../values/map-value.ts'
import { Meter } from '../cost/meter.ts'
import type { Overload } from '../libraries/overload.ts'
import type { Patterns } from '../libraries/patterns.ts'
import { hasField, qualify } from './qualify.ts'
import { typeOfValue } from '../values/value-type.ts'
import { valueText } from '../values/value-text.ts'
import {
  type EvaluationError,
  fail,
  isError,
  ListValue,
  MapValue,
  OptionalValue,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts'

/** Gives variables their values; `undefined` where there is none. */
export type Variables = (name: string) => Value | undefined

/** An expression ready to be evaluated, as often as wanted. */
export interface Program {
  /** The value, or an error that no operator has swallowed. Throws `CostLimitExceeded` where the meter says so. */
  evaluate(variables: Variables, meter: Meter): Value
}

/** Makes a program of a checked expression. Fails where a constant in it makes no sense. */
export function compile(checked: Checked, patterns: Patterns): Program {
  const compiler = new Compiler(checked, patterns)
  const { run } = compiler.compile(checked.expr)
  return {
    evaluate: (variables, meter) => run({ variables, meter, locals: [] }),
  }
}

/** A constant that cannot be, such as `int('x')`. */
export class ConstantError extends Error {}

interface Frame {
  readonly variables: Variables
  readonly meter: Meter
  /** The variables of loops, by the places that the compiler gave them. */
  readonly locals: (Value | undefined)[]
}

type Run = (frame: Frame) => Value

/** A part of a program; `constant` where its value is known already. */
interface Part {
  readonly run: Run
  readonly constant?: Value
}

const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
])

class Compiler {
  readonly #checked: Checked
  readonly #patterns: Patterns
  /** Where the variables of the loops around are, innermost last. */
  readonly #locals: { readonly name: string; readonly slot: number; readonly init?: Run }[] = []
  #slots = 0

  constructor(checked: Checked, patterns: Patterns) {
    this.#checked = checked
    this.#patterns = patterns
  }

  compile(expr: Expr): Part {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value)
      case 'list':
        return this.#list(expr.elements, expr.optional)
      case 'map':
        return this.#map(expr.entries)
      case 'comprehension':
        return { run: this.#comprehension(expr) }
      case 'struct':
        return { run: this.#struct(expr) }
      case 'call':
        if (!isPath(expr)) return this.#call(expr)
        return { run: this.#path(expr, true) }
      default:
        return this.#type(expr) ?? { run: this.#path(expr, true) }
    }
  }

  #reference(expr: Expr): Reference | undefined {
    return this.#checked.reference(expr)
  }

  /** A name that stands for a type. */
  #type(expr: Expr): Part | undefined {
    const reference = this.#reference(expr)
    return reference?.kind === 'type' ? constant(new TypeValue(reference.type)) : undefined
  }

  /**
   * A variable with the fields and indexes behind it. Each of these costs one, and so does the variable
   * unless the whole is only a branch or an index of something else.
   */
  #path(expr: Expr, charged: boolean): Run {
    if (expr.kind === 'ident') return this.#variable(expr.name, charged)
    const reference = this.#reference(expr)
    if (reference?.kind === 'variable') return this.#variable(reference.name, charged)
    if (reference?.kind === 'type') return constant(new TypeValue(reference.type)).run
    if (expr.kind === 'select') return this.#select(expr, charged)
    const call = expr as Call
    if (call.name === '_?_:_') return this.#conditional(call)
    const operand = this.#operand(call.args[0]!, charged)
    const index = this.#index(call.args[1]!)
    const optional = call.name !== '_[_]'
    return (frame) => {
      const container = operand(frame)
      if (isError(container)) return container
      const key = index(frame)
      if (isError(key)) return key
      return qualify(container, key, optional, frame.meter)
    }
  }

  #select(expr: Select, charged: boolean): Run {
    const { field, test } = expr
    const operand = this.#operand(expr.operand, charged && !test)
    if (test) {
      return (frame) => {
        const container = operand(frame)
        if (isError(container)) return container
        frame.meter.charge(1)
        return hasField(container, field)
      }
    }
    return (frame) => {
      const container = operand(frame)
      return isError(container) ? container : qualify(container, field, false, frame.meter)
    }
  }

  /** The operand of a field or index. */
  #operand(expr: Expr, charged: boolean): Run {
    if (isPath(expr) && !this.#type(expr)) return this.#path(expr, charged)
    const { run } = this.compile(expr)
    if (!charged) return run
    return (frame) => {
      frame.meter.charge(1)
      return run(frame)
    }
  }

  #index(expr: Expr): Run {
    return isPath(expr) && !this.#type(expr) ? this.#path(expr, false) : this.compile(expr).run
  }

  #variable(name: string, charged: boolean): Run {
    const local = this.#locals.findLast((one) => one.name === name)
    const plain = name.startsWith('.') ? name.slice(1) : name
    const read: Run = local
      ? ({ locals }) => locals[local.slot]!
      : ({ variables }) => {
          const value = variables(plain)
          return value === undefined ? fail(`no such attribute(s): ${plain}`) : value
        }
    const init = local?.init
    const initialized: Run = init
      ? (frame) => {
          const value = frame.locals[local.slot]
          return value === undefined ? (frame.locals[local.slot] = init(frame)) : value
        }
      : read
    if (!charged) return initialized
    return (frame) => {
      frame.meter.charge(1)
      return initialized(frame)
    }
  }

  #conditional(expr: Call): Run {
    const condition = this.compile(expr.args[0]!).run
    const [yes, no] = expr.args.slice(1).map((branch) => this.#index(branch)) as [Run, Run]
    return (frame) => {
      const value = condition(frame)
      if (value === true) return yes(frame)
      if (value === false) return no(frame)
      return isError(value) ? value : fail('no such overload')
    }
  }

  #list(elements: readonly Expr[], optional: ReadonlySet<number>): Part {
    const parts = elements.map((element) => this.compile(element))
    const values = parts.map((part) => part.constant)
    if (optional.size === 0 && values.every((value) => value !== undefined))
      return constant(new ArrayList(values))
    const runs = parts.map((part) => part.run)
    return {
      run: (frame) => {
        const list: Value[] = []
        for (const [index, run] of runs.entries()) {
          let value = run(frame)
          if (isError(value)) return value
          if (optional.has(index)) {
            if (!(value instanceof OptionalValue)) {
              return fail(
                `cannot initialize optional list element from non-optional value ${valueText(value)}`,
              )
            }
            if (value.value === undefined) continue
            value = value.value
          }
          list.push(value)
        }
        frame.meter.charge(LIST_COST)
        return new ArrayList(list)
      },
    }
  }

  #map(entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[]): Part {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }))
    const make: Run = (frame) => {
      const map = new EntryMap()
      for (const { key, value, optional } of parts) {
        const name = key.run(frame)
        if (isError(name)) return name
        let content = value.run(frame)
        if (isError(content)) return content
        if (optional) {
          if (!(content instanceof OptionalValue)) {
            return fail(
              `cannot initialize optional entry '${valueText(name)}' from non-optional value ${valueText(content)}`,
            )
          }
          if (content.value === undefined) continue
          content = content.value
        }
        if (keyIdentity(name) === undefined) return fail(`unsupported key type: ${typeOfValue(name).name}`)
        map.put(name, content)
      }
      return map
    }
    const known = parts.every(
      ({ key, value, optional }) => !optional && key.constant !== undefined && value.constant !== undefined,
    )
    if (known) {
      const value = make({ variables: () => undefined, meter: new Meter(0), locals: [] })
      return isError(value) ? { run: () => value } : constant(value)
    }
    return {
      run: (frame) => {
        const map = make(frame)
        if (!isError(map)) frame.meter.charge(MAP_COST)
        return map
      },
    }
  }

  #struct(expr: StructLiteral): Run {
    const reference = this.#reference(expr)
    if (reference?.kind !== 'maker') throw new ConstantError(`unknown type: '${expr.name}'`)
    const { maker } = reference
    const parts = expr.fields.map(({ name, value, optional }) => ({
      name,
      run: this.compile(value).run,
      optional,
    }))
    return (frame) => {
      const fields = new Map<string, Value>()
      for (const { name, run, optional } of parts) {
        let content = run(frame)
        if (isError(content)) return content
        if (optional) {
          if (!(content instanceof OptionalValue)) {
            return fail(
              `cannot initialize optional entry '${name}' from non-optional value ${valueText(content)}`,
            )
          }
          if (content.value === undefined) continue
          content = content.value
        }
        fields.set(name, content)
      }
      frame.meter.charge(STRUCT_COST)
      return maker.make(fields)
    }
  }

  #comprehension(expr: Comprehension): Run {
    const range = this.compile(expr.range)
    const init = this.compile(expr.init)
    const accumulator = this.#slots++
    const start: Run = makesCollection(expr) ? growing(expr.init.kind === 'map') : init.run
    this.#locals.push({ name: expr.accumulator, slot: accumulator, init: start })
    if (isBinding(expr)) {
      const result = this.compile(expr.result).run
      this.#locals.pop()
      return (frame) => {
        frame.locals[accumulator] = undefined
        return result(frame)
      }
    }
    const first = this.#slots++
    const second = this.#slots++
    this.#locals.push({ name: expr.variable, slot: first })
    if (expr.variable2 !== undefined) this.#locals.push({ name: expr.variable2, slot: second })
    const condition = this.compile(expr.condition)
    const step = this.compile(expr.step).run
    this.#locals.length -= expr.variable2 === undefined ? 1 : 2
    const result = this.compile(expr.result).run
    this.#locals.pop()
    const both = expr.variable2 !== undefined
    return (frame) => {
      const container = range.run(frame)
      if (isError(container)) return container
      const { locals } = frame
      locals[accumulator] = undefined
      const next = (key: Value, value: Value | undefined): boolean => {
        locals[first] = key
        if (both) locals[second] = value
        if (condition.constant !== true && condition.run(frame) === false) return false
        locals[accumulator] = step(frame)
        return true
      }
      if (container instanceof ListValue) {
        for (let index = 0; index < container.length; index++) {
          const element = container.at(index)
          if (!(both ? next(BigInt(index), element) : next(element, undefined))) break
        }
      } else if (container instanceof MapValue) {
        for (const key of container.keys()) {
          if (!next(key, both ? container.get(key) : undefined)) break
        }
      } else {
        return fail(`got '${typeOfValue(container).name}', expected iterable type`)
      }
      const value = result(frame)
      return value instanceof GrowingList || value instanceof GrowingMap ? value.finish() : value
    }
  }

  #call(expr: Call): Part {
    switch (expr.name) {
      case '_&&_':
        return { run: this.#logical(expr, false) }
      case '_||_':
        return { run: this.#logical(expr, true) }
      case '@not_strictly_false':
        return { run: this.#notStrictlyFalse(expr) }
      case '_==_':
        return { run: this.#equality(expr, 'equals', true) }
      case '_!=_':
        return { run: this.#equality(expr, 'not_equals', false) }
      case 'or':
      case 'orValue':
        if (this.#overloads(expr).some(({ id }) => id.startsWith('optional_or'))) {
          return { run: this.#optionalOr(expr) }
        }
    }
    return this.#function(expr)
  }

  #overloads(expr: Call): readonly Overload[] {
    const reference = this.#reference(expr)
    return reference?.kind === 'function' ? reference.overloads : []
  }

  /** Operators whose result may be known although an argument failed. */
  #logical(expr: Call, decisive: boolean): Run {
    const terms = expr.args.map((arg) => this.compile(arg).run)
    return (frame) => {
      let error: EvaluationError | undefined
      for (const term of terms) {
        const value = term(frame)
        if (value === decisive) return decisive
        if (value === !decisive) continue
        error ??= isError(value) ? value : fail('no such overload')
      }
      return error ?? !decisive
    }
  }

  #notStrictlyFalse(expr: Call): Run {
    const { run } = this.compile(expr.args[0]!)
    return (frame) => {
      const value = run(frame)
      frame.meter.charge(1)
      return value !== false
    }
  }

  #equality(expr: Call, overload: string, equal: boolean): Run {
    const [left, right] = expr.args.map((arg) => this.compile(arg).run) as [Run, Run]
    const cost = callCost(expr.name, overload)
    return (frame) => {
      const a = left(frame)
      const b = right(frame)
      frame.meter.charge(cost.of([a, b], true))
      if (isError(a)) return a
      return isError(b) ? b : equalValues(a, b) === equal
    }
  }

  /** The second operand is looked at only where the first has no value. */
  #optionalOr(expr: Call): Run {
    const [first, second] = [expr.target!, expr.args[0]!].map((arg) => this.compile(arg).run) as [Run, Run]
    const { name } = expr
    return (frame) => {
      const optional = first(frame)
      if (isError(optional)) return optional
      if (!(optional instanceof OptionalValue)) return noOverload(name, [optional])
      if (optional.value !== undefined) return name === 'or' ? optional : optional.value
      return second(frame)
    }
  }

  #function(expr: Call): Part {
    const reference = this.#reference(expr)
    if (reference?.kind !== 'function') throw new ConstantError(`unknown function: ${expr.name}`)
    const target = reference.plain ? undefined : expr.target
    const name = reference.plain && expr.target ? `${qualifiedName(expr.target)}.${expr.name}` : expr.name
    const parts = [...(target ? [target] : []), ...expr.args].map((arg) => this.compile(arg))
    const { overloads } = reference
    const only = overloads.length === 1 ? overloads[0] : undefined
    const cost = callCost(name, only?.id ?? '')
    const evaluate = dispatcher(name, overloads)
    this.#checkPattern(name, parts)
    const run: Run = (frame) => {
      const args: Value[] = []
      let error: EvaluationError | undefined
      for (const part of parts) {
        const value = part.run(frame)
        if (isError(value)) {
          // Calls with one or two arguments look at both, and cost something even then.
          if (parts.length > 2) return value
          error ??= value
        }
        args.push(value)
      }
      if (error) {
        frame.meter.charge(1)
        return error
      }
      // The cost that depends on the arguments is charged before the call, so that a function does not begin work
      // beyond the limit.
      if (cost.before) frame.meter.charge(cost.of(args, null))
      const result = evaluate(args)
      if (!cost.before) frame.meter.charge(cost.of(args, result))
      return result
    }
    return this.#folded(name, only, parts, evaluate) ?? { run }
  }

  #checkPattern(name: string, parts: readonly Part[]): void {
    const pattern = parts[1]?.constant
    if (!PATTERN_FUNCTIONS.has(name) || typeof pattern !== 'string') return
    const problem = this.#patterns.compile(pattern)
    if (problem instanceof Error) throw new ConstantError(problem.message)
  }

  /** Constant parts cost nothing at run time: conversions of constants, and lookups in constant lists. */
  #folded(
    name: string,
    only: Overload | undefined,
    parts: readonly Part[],
    evaluate: (args: Value[]) => Value,
  ): Part | undefined {
    const [first, second] = parts
    if (CONVERSIONS.has(name) && parts.length === 1 && first?.constant !== undefined) {
      const value = evaluate([first.constant])
      if (isError(value)) throw new ConstantError(value.message)
      return constant(value)
    }
    if (only?.id !== 'in_list' || !(second?.constant instanceof ListValue)) return undefined
    const elements = [...second.constant]
    if (elements.length === 0) return constant(false)
    if (!elements.every((element) => isPlain(element))) return undefined
    const set = new ValueSet()
    for (const element of elements) set.add(element)
    return {
      run: (frame) => {
        const value = first!.run(frame)
        return isError(value) ? value : set.has(value)
      },
    }
  }
}

const PATTERN_FUNCTIONS = new Set(['matches', 'find', 'findAll'])

function constant(value: Value): Part {
  return { run: () => value, constant: value }
}

/** Whether an expression is a variable with fields and indexes, or a choice between such. */
function isPath(expr: Expr): boolean {
  if (expr.kind === 'ident' || expr.kind === 'select') return true
  return expr.kind === 'call' && ['_[_]', '_[?_]', '_?._', '_?_:_'].includes(expr.name)
}

/** Whether a loop makes a list or map that no other expression sees before it is done. */
function makesCollection({ init, condition }: Comprehension): boolean {
  if (condition.kind !== 'literal' || condition.value !== true) return false
  return (
    (init.kind === 'list' && init.elements.length === 0) || (init.kind === 'map' && init.entries.length === 0)
  )
}

function growing(map: boolean): Run {
  return () => (map ? new GrowingMap() : new GrowingList())
}

function isPlain(value: Value): boolean {
  return ['string', 'bigint', 'boolean', 'number'].includes(typeof value) || value instanceof Uint
}
