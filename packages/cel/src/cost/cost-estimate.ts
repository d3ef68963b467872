import {
  ACCUMULATOR,
  isBinding,
  type Call,
  type Comprehension,
  type Expr,
  type Select,
} from '../syntax/ast.ts'
import { LIST_COST, MAP_COST, STRUCT_COST, TEXT_FACTOR } from './call-cost.ts'
import {
  estimateCall,
  matching,
  typeSize,
  writtenSize,
  type Argument,
  type CallEstimate,
  type SizeOf,
} from './call-estimate.ts'
import type { Checked } from '../check/checker.ts'
import { add, exactly, multiply, ONE, scale, union, UNKNOWN, ZERO, type Range } from './estimate.ts'

/** The least and the most that an expression may cost, with the bounds that schemas set for sizes. */
export function estimateCost(checked: Checked, sizes: SizeOf): Range {
  return new Estimator(checked, sizes).cost(checked.expr)
}

/** The sizes of the elements of a list or map. */
interface EntrySizes {
  readonly list: boolean
  readonly key: Range
  readonly value: Range
}

interface Local {
  readonly path: readonly string[] | undefined
  readonly size: Range | undefined
  readonly entries: EntrySizes | undefined
}

class Estimator {
  readonly #checked: Checked
  readonly #sizeOf: SizeOf
  readonly #paths = new Map<number, readonly string[]>()
  readonly #sizes = new Map<number, Range>()
  readonly #entries = new Map<number, EntrySizes>()
  readonly #locals = new Map<string, Local[]>()

  constructor(checked: Checked, sizes: SizeOf) {
    this.#checked = checked
    this.#sizeOf = sizes
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return ZERO
      case 'ident':
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name])
        return ONE
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr.id, expr.elements)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return expr.fields.reduce((sum, { value }) => add(sum, this.cost(value)), exactly(STRUCT_COST))
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr)
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1)
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name)
    if (stack) stack.push(local)
    else this.#locals.set(name, [local])
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop()
  }

  #select(expr: Select): Range {
    const cost = this.cost(expr.operand)
    if (expr.test) return cost
    // A selection that was resolved to a qualified name.
    if (this.#checked.reference(expr)) {
      this.#paths.set(expr.id, [])
      return ONE
    }
    this.#paths.set(expr.id, [...(this.#path(expr.operand) ?? []), expr.field])
    const { kind } = this.#checked.typeOf(expr.operand)
    return kind === 'map' || kind === 'struct' || kind === 'param' ? add(cost, ONE) : cost
  }

  #list(id: number, elements: readonly Expr[]): Range {
    let cost = exactly(LIST_COST)
    let value: Range | undefined
    for (const element of elements) {
      cost = add(cost, this.cost(element))
      const size = this.#sizeOrUnknown(element)
      value = value ? union(value, size) : size
    }
    this.#entries.set(id, { list: true, key: ONE, value: value ?? ZERO })
    return cost
  }

  #map(expr: Extract<Expr, { kind: 'map' }>): Range {
    let cost = exactly(MAP_COST)
    let [keys, values]: [Range | undefined, Range | undefined] = [undefined, undefined]
    for (const { key, value } of expr.entries) {
      cost = add(add(cost, this.cost(key)), this.cost(value))
      const [keySize, valueSize] = [this.#sizeOrUnknown(key), this.#sizeOrUnknown(value)]
      keys = keys ? union(keys, keySize) : keySize
      values = values ? union(values, valueSize) : valueSize
    }
    this.#entries.set(expr.id, { list: false, key: keys ?? ZERO, value: values ?? ZERO })
    return cost
  }

  #binding(expr: Comprehension): Range {
    const cost = add(this.cost(expr.range), this.cost(expr.init))
    this.#pushAccumulator(expr)
    const total = add(cost, this.cost(expr.result))
    this.#pop(expr.accumulator)
    this.#copySizes(expr, expr.result)
    return total
  }

  #pushAccumulator({ accumulator, init }: Comprehension): void {
    this.#push(accumulator, {
      path: this.#path(init),
      size: this.#size(init),
      entries: this.#entrySizes(init),
    })
  }

  #comprehension(expr: Comprehension): Range {
    let cost = add(this.cost(expr.range), this.cost(expr.init))
    this.#pushAccumulator(expr)
    this.#pushVariables(expr)
    const each = add(this.cost(expr.condition), this.cost(expr.step))
    this.#pop(expr.variable)
    if (expr.variable2 !== undefined) this.#pop(expr.variable2)
    cost = add(cost, this.cost(expr.result))
    this.#pop(expr.accumulator)
    const count = this.#sizeOrUnknown(expr.range)
    if (expr.init.kind === 'literal') this.#setSize(expr, this.#size(expr.init))
    else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#setSize(expr, count)
      const entries = this.#entrySizes(expr.step)
      if (entries) this.#entries.set(expr.id, entries)
    }
    return add(cost, multiply(count, each))
  }

  #pushVariables({ range, variable, variable2 }: Comprehension): void {
    const entries = this.#entrySizes(range)
    const list = entries ? entries.list : this.#checked.typeOf(range).kind === 'list'
    const path = this.#path(range) ?? []
    const key: Local = {
      path: [...path, list ? '@indices' : '@keys'],
      size: entries?.key,
      entries: undefined,
    }
    const value: Local = {
      path: [...path, list ? '@items' : '@values'],
      size: entries?.value,
      entries: undefined,
    }
    if (variable2 === undefined) this.#push(variable, list ? value : key)
    else {
      this.#push(variable, key)
      this.#push(variable2, value)
    }
  }

  #call(expr: Call): Range {
    if (expr.name === 'dyn' && expr.args.length === 1) {
      const cost = add(ONE, this.cost(expr.args[0]!))
      this.#copySizes(expr, expr.args[0]!)
      return cost
    }
    const costs = expr.args.map((arg) => this.cost(arg))
    const args = expr.args.map((arg) => this.#argument(arg))
    const reference = this.#checked.reference(expr)
    const overloads =
      reference?.kind === 'function'
        ? reference.overloads.map(({ id }) => id)
        : expr.name === '_?._'
          ? ['select_optional_field']
          : []
    const plain = reference?.kind !== 'function' || reference.plain
    const name = plain && expr.target ? `${nameOf(expr.target)}.${expr.name}` : expr.name
    let total = ZERO
    let target: Argument | undefined
    if (expr.target && !plain) {
      total = this.cost(expr.target)
      target = this.#argument(expr.target)
    }
    let cost: Range | undefined
    let size: Range | undefined
    for (const overload of overloads) {
      const estimate = this.#overload(expr, name, overload, target, args, costs)
      cost = cost ? union(cost, estimate.cost) : estimate.cost
      if (estimate.size) size = size ? union(size, estimate.size) : estimate.size
      if (overload === 'index_list' || overload === 'index_map') {
        size = this.#entrySizes(expr.args[0]!)?.value
        const path = this.#path(expr.args[0]!) ?? []
        this.#paths.set(expr.id, [...path, overload === 'index_list' ? '@items' : '@values'])
      }
      size ??= this.#size(expr)
    }
    this.#setSize(expr, size)
    return cost ? add(total, cost) : ZERO
  }

  #overload(
    expr: Call,
    name: string,
    overload: string,
    target: Argument | undefined,
    args: readonly Argument[],
    costs: readonly Range[],
  ): CallEstimate {
    const sum = costs.reduce((total, cost) => add(total, cost), ZERO)
    const known = estimateCall(name, overload, target, args, this.#sizeOf)
    if (known) return { ...known, cost: add(known.cost, sum) }
    const size = (argument: Argument | undefined): Range => argument?.size ?? UNKNOWN
    const [first, second] = args
    const linear = (range: Range, result?: Range): CallEstimate => ({
      cost: add(scale(range, TEXT_FACTOR), sum),
      size: result,
    })
    switch (overload) {
      case 'string_format':
        return linear(size(target))
      case 'string_to_bytes':
        return linear(size(first), { min: size(first).min, max: size(first).max * 4 })
      case 'bytes_to_string':
        return linear(size(first), { min: Math.floor(size(first).min / 4), max: size(first).max })
      case 'strings_quote':
        return linear(size(first), { min: size(first).min + 2, max: size(first).max * 2 + 2 })
      case 'starts_with_string':
      case 'ends_with_string':
        return linear(size(first))
      case 'in_list':
        return { cost: add(size(second), sum) }
      case 'matches_string':
        return { cost: add(matching(size(target), size(first)), sum) }
      case 'contains_string':
        return { cost: add(multiply(scale(size(target), TEXT_FACTOR), scale(size(first), TEXT_FACTOR)), sum) }
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: costs[0]!.min, max: sum.max } }
      case 'conditional':
        return this.#conditional(expr, args, costs)
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const result = add(size(first), size(second))
        const entries = this.#unionEntries(expr.args[0]!, expr.args[1]!)
        if (entries) this.#entries.set(expr.id, entries)
        return overload === 'add_list' ? { cost: add(ONE, sum), size: result } : linear(result, result)
      }
      default:
    }
    if (/^(less|greater)(_equals)?_(string|bytes)$|^(not_)?equals$/.test(overload)) {
      const most = Math.min(size(first).max, size(second).max)
      return linear({ min: most > 0 ? 1 : 0, max: most })
    }
    return { cost: add(ONE, sum) }
  }

  #conditional(expr: Call, args: readonly Argument[], costs: readonly Range[]): CallEstimate {
    const entries = this.#unionEntries(expr.args[1]!, expr.args[2]!)
    if (entries) this.#entries.set(expr.id, entries)
    return {
      cost: add(costs[0]!, union(costs[1]!, costs[2]!)),
      size: union(args[1]!.size ?? UNKNOWN, args[2]!.size ?? UNKNOWN),
    }
  }

  #unionEntries(a: Expr, b: Expr): EntrySizes | undefined {
    const [left, right] = [this.#entrySizes(a), this.#entrySizes(b)]
    if (!left || !right) return undefined
    return { list: left.list, key: union(left.key, right.key), value: union(left.value, right.value) }
  }

  #argument(expr: Expr): Argument {
    const path = this.#path(expr)
    return {
      type: this.#checked.typeOf(expr),
      path: path?.[0] === ACCUMULATOR ? undefined : path,
      size: this.#size(expr),
      expr,
    }
  }

  #path(expr: Expr): readonly string[] | undefined {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined
    return local ? local.path : this.#paths.get(expr.id)
  }

  #setSize(expr: Expr, size: Range | undefined): void {
    if (size) this.#sizes.set(expr.id, size)
  }

  #copySizes(to: Expr, from: Expr): void {
    this.#setSize(to, this.#size(from))
    const entries = this.#entrySizes(from)
    if (entries) this.#entries.set(to.id, entries)
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#size(expr) ?? UNKNOWN
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? writtenSize(expr)
    if (known) return known
    const path = this.#path(expr)
    const promised = path?.length ? this.#sizeOf(path) : undefined
    if (promised) {
      this.#sizes.set(expr.id, promised)
      return promised
    }
    const byType = typeSize(this.#checked.typeOf(expr))
    if (byType) return byType
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined
  }

  #entrySizes(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr.id)
    if (known) return known
    return expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined
  }
}

function nameOf(expr: Expr): string {
  if (expr.kind === 'ident') return expr.name
  return expr.kind === 'select' ? `${nameOf(expr.operand)}.${expr.field}` : ''
}
