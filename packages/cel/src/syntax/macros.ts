import { ACCUMULATOR, type Expr } from './ast.ts'
import type { Value } from '../values/value.ts'

/** Gives nodes their numbers. */
export interface NodeMaker {
  id(): number
}

/** Expands a call with nodes that `make` builds; undefined where the macro does not apply to the call. */
type Expander = (make: Builder, target: Expr, args: readonly Expr[]) => Expr | undefined

/** Macros by name, number of arguments and whether they have a target: `all/2`, `has/1/global`. */
export type Macros = ReadonlyMap<string, Expander>

/** A call that looks like a macro but cannot be one. */
export class MacroError extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** The expansion of a call of a macro; undefined for other calls. */
export function expandMacro(
  macros: Macros,
  nodes: NodeMaker,
  at: number,
  name: string,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr | undefined {
  const macro = macros.get(`${name}/${args.length}${target ? '' : '/global'}`)
  if (!macro) return undefined
  return macro(new Builder(nodes, at), target ?? args[0]!, args)
}

/** The macros that every CEL expression of a Kubernetes API server has. */
export function standardMacros(): Macros {
  return new Map<string, Expander>([
    ['has/1/global', has],
    ['all/2', all],
    ['exists/2', exists],
    ['exists_one/2', existsOne],
    ['map/2', mapList],
    ['map/3', mapList],
    ['filter/2', filter],
    ['all/3', all],
    ['exists/3', exists],
    ['existsOne/3', existsOne],
    ['transformList/3', transformList],
    ['transformList/4', transformList],
    ['transformMap/3', transformMap],
    ['transformMap/4', transformMap],
    ['transformMapEntry/3', transformMapEntry],
    ['transformMapEntry/4', transformMapEntry],
    ['optMap/2', optMap],
    ['optFlatMap/2', optFlatMap],
    ['sortBy/2', sortBy],
  ])
}

/** `cel.bind(name, value, expression)`, which Kubernetes has in the selectors of devices alone. */
export function bindingMacros(): Macros {
  return new Map<string, Expander>([['bind/3', bind]])
}

function bind(make: Builder, target: Expr, [variable, init, result]: readonly Expr[]): Expr | undefined {
  if (target.kind !== 'ident' || target.name !== 'cel' || !variable || !init || !result) return undefined
  if (variable.kind !== 'ident') {
    throw new MacroError(variable.at, 'cel.bind() variable names must be simple identifiers')
  }
  const { name } = variable
  const parts = { init, condition: make.literal(false), step: make.ident(name), result }
  return make.loop(make.list(), ['#unused'], parts, name)
}

class Builder {
  readonly #nodes: NodeMaker
  readonly #at: number

  constructor(nodes: NodeMaker, at: number) {
    this.#nodes = nodes
    this.#at = at
  }

  #place(): { id: number; at: number } {
    return { id: this.#nodes.id(), at: this.#at }
  }

  literal(value: Value): Expr {
    return { kind: 'literal', ...this.#place(), value }
  }

  ident(name: string): Expr {
    return { kind: 'ident', ...this.#place(), name }
  }

  accumulator(): Expr {
    return this.ident(ACCUMULATOR)
  }

  call(name: string, ...args: readonly Expr[]): Expr {
    return { kind: 'call', ...this.#place(), name, target: undefined, args }
  }

  member(name: string, target: Expr, ...args: readonly Expr[]): Expr {
    return { kind: 'call', ...this.#place(), name, target, args }
  }

  list(...elements: readonly Expr[]): Expr {
    return { kind: 'list', ...this.#place(), elements, optional: new Set() }
  }

  map(): Expr {
    return { kind: 'map', ...this.#place(), entries: [] }
  }

  presence(operand: Expr, field: string): Expr {
    return { kind: 'select', ...this.#place(), operand, field, test: true }
  }

  loop(
    range: Expr,
    variables: readonly [string, string?],
    parts: { init: Expr; condition: Expr; step: Expr; result: Expr },
    accumulator = ACCUMULATOR,
  ): Expr {
    const [variable, variable2] = variables
    return { kind: 'comprehension', ...this.#place(), range, variable, variable2, accumulator, ...parts }
  }

  /** A node that is used in two places needs a new id in each. */
  copy(expr: Expr): Expr {
    const again = <T extends Expr>(node: T): T => this.copy(node) as T
    const place = { id: this.#nodes.id(), at: expr.at }
    switch (expr.kind) {
      case 'select':
        return { ...expr, ...place, operand: again(expr.operand) }
      case 'call':
        return {
          ...expr,
          ...place,
          target: expr.target && again(expr.target),
          args: expr.args.map((arg) => again(arg)),
        }
      case 'list':
        return { ...expr, ...place, elements: expr.elements.map((element) => again(element)) }
      case 'map':
        return {
          ...expr,
          ...place,
          entries: expr.entries.map((entry) => ({
            ...entry,
            id: this.#nodes.id(),
            key: again(entry.key),
            value: again(entry.value),
          })),
        }
      case 'struct':
        return {
          ...expr,
          ...place,
          fields: expr.fields.map((field) => ({ ...field, id: this.#nodes.id(), value: again(field.value) })),
        }
      case 'comprehension':
        return {
          ...expr,
          ...place,
          range: again(expr.range),
          init: again(expr.init),
          condition: again(expr.condition),
          step: again(expr.step),
          result: again(expr.result),
        }
      default:
        return { ...expr, ...place }
    }
  }
}

function has(make: Builder, _target: Expr, [arg]: readonly Expr[]): Expr {
  if (arg?.kind === 'select') return make.presence(arg.operand, arg.field)
  throw new MacroError(arg!.at, 'invalid argument to has() macro')
}

/** The variables that a loop's first arguments name, and the remaining arguments. */
function variablesOf(
  args: readonly Expr[],
  count: 1 | 2,
  problem: string,
): readonly [variables: readonly [string, string?], rest: readonly Expr[]] {
  const names = args.slice(0, count).map((arg) => {
    if (arg.kind !== 'ident') throw new MacroError(arg.at, problem)
    return arg
  })
  const [first, second] = names
  if (second && first!.name === second.name) {
    throw new MacroError(second.at, `duplicate variable name: ${second.name}`)
  }
  for (const { name, at } of names) {
    if (name === ACCUMULATOR || name === '__result__') {
      throw new MacroError(at, 'iteration variable overwrites accumulator variable')
    }
  }
  return [second ? [first!.name, second.name] : [first!.name], args.slice(count)]
}

const SIMPLE_NAME = 'argument must be a simple name'

function all(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, [predicate]] = variablesOf(args, args.length === 3 ? 2 : 1, SIMPLE_NAME)
  return make.loop(target, variables, {
    init: make.literal(true),
    condition: make.call('@not_strictly_false', make.accumulator()),
    step: make.call('_&&_', make.accumulator(), predicate!),
    result: make.accumulator(),
  })
}

function exists(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, [predicate]] = variablesOf(args, args.length === 3 ? 2 : 1, SIMPLE_NAME)
  return make.loop(target, variables, {
    init: make.literal(false),
    condition: make.call('@not_strictly_false', make.call('!_', make.accumulator())),
    step: make.call('_||_', make.accumulator(), predicate!),
    result: make.accumulator(),
  })
}

function existsOne(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, [predicate]] = variablesOf(args, args.length === 3 ? 2 : 1, SIMPLE_NAME)
  const more = make.call('_+_', make.accumulator(), make.literal(1n))
  return make.loop(target, variables, {
    init: make.literal(0n),
    condition: make.literal(true),
    step: make.call('_?_:_', predicate!, more, make.accumulator()),
    result: make.call('_==_', make.accumulator(), make.literal(1n)),
  })
}

/**
 * A loop over all elements that adds to a list or map. With a predicate, it adds only the elements for which
 * the predicate holds.
 */
function collect(
  make: Builder,
  target: Expr,
  variables: readonly [string, string?],
  init: Expr,
  predicate: Expr | undefined,
  step: Expr,
): Expr {
  return make.loop(target, variables, {
    init,
    condition: make.literal(true),
    step: predicate ? make.call('_?_:_', predicate, step, make.accumulator()) : step,
    result: make.accumulator(),
  })
}

function mapList(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, rest] = variablesOf(args, 1, 'argument is not an identifier')
  const step = make.call('_+_', make.accumulator(), make.list(rest.at(-1)!))
  return collect(make, target, variables, make.list(), rest.length > 1 ? rest[0] : undefined, step)
}

function filter(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, [predicate]] = variablesOf(args, 1, 'argument is not an identifier')
  const step = make.call('_+_', make.accumulator(), make.list(args[0]!))
  return collect(make, target, variables, make.list(), predicate, step)
}

function transformList(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, rest] = variablesOf(args, 2, SIMPLE_NAME)
  const step = make.call('_+_', make.accumulator(), make.list(rest.at(-1)!))
  return collect(make, target, variables, make.list(), rest.length > 1 ? rest[0] : undefined, step)
}

function transformMap(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, rest] = variablesOf(args, 2, SIMPLE_NAME)
  const step = make.call('cel.@mapInsert', make.accumulator(), make.ident(variables[0]), rest.at(-1)!)
  return collect(make, target, variables, make.map(), rest.length > 1 ? rest[0] : undefined, step)
}

function transformMapEntry(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const [variables, rest] = variablesOf(args, 2, SIMPLE_NAME)
  const step = make.call('cel.@mapInsert', make.accumulator(), rest.at(-1)!)
  return collect(make, target, variables, make.map(), rest.length > 1 ? rest[0] : undefined, step)
}

function optMap(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  return optional(make, target, args, 'optMap', (value) => make.call('optional.of', value))
}

function optFlatMap(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  return optional(make, target, args, 'optFlatMap', (value) => value)
}

function optional(
  make: Builder,
  target: Expr,
  [variable, expression]: readonly Expr[],
  name: string,
  wrap: (value: Expr) => Expr,
): Expr {
  if (variable?.kind !== 'ident') {
    throw new MacroError(variable!.at, `${name}() variable name must be a simple identifier`)
  }
  const bound = make.loop(
    make.list(),
    ['#unused'],
    {
      init: make.member('value', make.copy(target)),
      condition: make.literal(false),
      step: make.ident(variable.name),
      result: expression!,
    },
    variable.name,
  )
  return make.call('_?_:_', make.member('hasValue', target), wrap(bound), make.call('optional.none'))
}

/** Binds the list to a name: it is both sorted and mapped to the keys, but evaluated only once. */
function sortBy(make: Builder, target: Expr, args: readonly Expr[]): Expr {
  const input = '@__sortBy_input__'
  if (!['list', 'select', 'ident', 'comprehension', 'call'].includes(target.kind)) {
    throw new MacroError(
      target.at,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    )
  }
  const keys = mapList(make, make.ident(input), args)
  return make.loop(
    make.list(),
    ['#unused'],
    {
      init: target,
      condition: make.literal(false),
      step: make.ident(input),
      result: make.member('@sortByAssociatedKeys', make.ident(input), keys),
    },
    input,
  )
}
