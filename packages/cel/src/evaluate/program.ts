import {
  isBinding,
  qualifiedName,
  type Call,
  type Comprehension,
  type Expr,
  type Select,
  type StructLiteral,
} from '../syntax/ast.ts'
import type { Checked, Reference } from '../check/checker.ts'
import type { Meter } from '../cost/meter.ts'
import type { Overload } from '../libraries/overload.ts'
import type { Patterns } from '../libraries/patterns.ts'
import { fail, isError, TypeValue, type Value } from '../values/value.ts'
import { functionCall } from './function-call.ts'
import { listLiteral, mapLiteral, structLiteral } from './literals.ts'
import { loop, loopStart } from './loop.ts'
import { conditional, equality, logical, notStrictlyFalse, optionalOr } from './operators.ts'
import { constant, ConstantError, type Part, type Run, type Variables } from './part.ts'
import { hasField, qualify } from './qualify.ts'

/** An expression ready to be evaluated, as often as wanted. */
export interface Program {
  /** The value, or an error that no operator has swallowed. Throws `CostLimitExceeded` where the meter says so. */
  evaluate(variables: Variables, meter: Meter): Value
}

/** Makes a program of a checked expression. Throws `ConstantError` where a constant in it is invalid. */
export function compile(checked: Checked, patterns: Patterns): Program {
  const compiler = new Compiler(checked, patterns)
  const { run } = compiler.compile(checked.expr)
  const { hasLocals } = compiler
  return {
    evaluate: (variables, meter) => run({ variables, meter, locals: hasLocals ? [] : NO_LOCALS }),
  }
}

/** The locals of all programs without loops, which write none. */
const NO_LOCALS: Value[] = []

/** A variable of a loop, or one that `cel.bind` makes. */
interface Local {
  readonly name: string
  /** Its place among the variables of an evaluation. */
  readonly slot: number
  /** Gives it its first value, when it is first read. */
  readonly init?: Run
}

class Compiler {
  readonly #checked: Checked
  readonly #patterns: Patterns
  /** The places of the variables of the loops around, innermost last. */
  readonly #locals: Local[] = []
  #slots = 0

  constructor(checked: Checked, patterns: Patterns) {
    this.#checked = checked
    this.#patterns = patterns
  }

  /** Whether what it has compiled has loops or bindings. */
  get hasLocals(): boolean {
    return this.#slots > 0
  }

  compile(expr: Expr): Part {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value)
      case 'list':
        return listLiteral(
          expr.elements.map((element) => this.compile(element)),
          expr.optional,
        )
      case 'map':
        return mapLiteral(
          expr.entries.map(({ key, value, optional }) => ({
            key: this.compile(key),
            value: this.compile(value),
            optional,
          })),
        )
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
   * A variable with the fields and indexes behind it. Each field and each index costs one. The variable costs one as well,
   * unless the whole expression is only a branch or an index of another one.
   */
  #path(expr: Expr, charged: boolean): Run {
    if (expr.kind === 'ident') return this.#variable(expr.name, charged)
    const reference = this.#reference(expr)
    if (reference?.kind === 'variable') return this.#variable(reference.name, charged)
    if (reference?.kind === 'type') return constant(new TypeValue(reference.type)).run
    if (expr.kind === 'select') return this.#select(expr, charged)
    const call = expr as Call
    if (call.name === '_?_:_') return this.#conditional(call)
    const operand = this.#operand(argument(call, 0), charged)
    const index = this.#index(argument(call, 1))
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
    if (local) return localVariable(local, charged)
    const plain = name.startsWith('.') ? name.slice(1) : name
    return ({ variables, meter }) => {
      if (charged) meter.charge(1)
      const value = variables(plain)
      return value === undefined ? fail(`no such attribute(s): ${plain}`) : value
    }
  }

  #conditional(call: Call): Run {
    const [condition, yes, no] = [argument(call, 0), argument(call, 1), argument(call, 2)]
    return conditional(this.compile(condition).run, this.#index(yes), this.#index(no))
  }

  #struct(expr: StructLiteral): Run {
    const reference = this.#reference(expr)
    if (reference?.kind !== 'maker') throw new ConstantError(`unknown type: '${expr.name}'`)
    const parts = expr.fields.map(({ name, value, optional }) => ({
      name,
      run: this.compile(value).run,
      optional,
    }))
    return structLiteral(reference.maker, parts)
  }

  #comprehension(expr: Comprehension): Run {
    const range = this.compile(expr.range)
    const init = this.compile(expr.init)
    const accumulator = this.#slots++
    this.#locals.push({ name: expr.accumulator, slot: accumulator, init: loopStart(expr, init.run) })
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
    return loop({
      range: range.run,
      condition,
      step,
      result,
      accumulator,
      first,
      second: expr.variable2 === undefined ? undefined : second,
    })
  }

  #call(expr: Call): Part {
    const { name, target, args } = expr
    switch (name) {
      case '_&&_':
      case '_||_':
        return {
          run: logical(
            args.map((arg) => this.compile(arg).run),
            name === '_||_',
          ),
        }
      case '@not_strictly_false':
        return { run: notStrictlyFalse(this.#argument(expr, 0)) }
      case '_==_':
      case '_!=_':
        return { run: equality(name, this.#argument(expr, 0), this.#argument(expr, 1)) }
      case 'or':
      case 'orValue':
        if (this.#overloads(expr).some(({ id }) => id.startsWith('optional_or'))) {
          return { run: optionalOr(name, this.compile(target!).run, this.#argument(expr, 0)) }
        }
    }
    return this.#function(expr)
  }

  #argument(call: Call, index: number): Run {
    return this.compile(argument(call, index)).run
  }

  #overloads(expr: Call): readonly Overload[] {
    const reference = this.#reference(expr)
    return reference?.kind === 'function' ? reference.overloads : []
  }

  #function(expr: Call): Part {
    const reference = this.#reference(expr)
    if (reference?.kind !== 'function') throw new ConstantError(`unknown function: ${expr.name}`)
    const target = reference.plain ? undefined : expr.target
    const name = reference.plain && expr.target ? `${qualifiedName(expr.target)}.${expr.name}` : expr.name
    const parts = [...(target ? [target] : []), ...expr.args].map((arg) => this.compile(arg))
    this.#checkPattern(name, parts)
    return functionCall(name, reference.overloads, parts)
  }

  #checkPattern(name: string, parts: readonly Part[]): void {
    const pattern = parts[1]?.constant
    if (!PATTERN_FUNCTIONS.has(name) || typeof pattern !== 'string') return
    const problem = this.#patterns.compile(pattern)
    if (problem instanceof Error) throw new ConstantError(problem.message)
  }
}

function localVariable({ slot, init }: Local, charged: boolean): Run {
  return (frame) => {
    if (charged) frame.meter.charge(1)
    const value = frame.locals[slot]
    if (value !== undefined || !init) return value!
    return (frame.locals[slot] = init(frame))
  }
}

const PATTERN_FUNCTIONS = new Set(['matches', 'find', 'findAll'])

/** An argument of an operator or macro: the parser gives each as many as it takes. */
function argument({ args }: Call, index: number): Expr {
  return args[index]!
}

/** Whether an expression is a variable with fields and indexes, or a choice between such. */
function isPath(expr: Expr): boolean {
  if (expr.kind === 'ident' || expr.kind === 'select') return true
  return expr.kind === 'call' && ['_[_]', '_[?_]', '_?._', '_?_:_'].includes(expr.name)
}
