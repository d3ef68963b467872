import {
  qualifiedName,
  type Call,
  type Comprehension,
  type Expr,
  type ListLiteral,
  type MapLiteral,
  type StructLiteral,
} from '../syntax/ast.ts'
import type { Overload } from '../libraries/overload.ts'
import type { ObjectMaker } from './scope.ts'
import type { Issue } from '../syntax/source.ts'
import {
  BOOL,
  DYN,
  ERROR,
  formatSignature,
  formatType,
  INT,
  isOptionalType,
  listType,
  mapType,
  optionalType,
  paramType,
  sameType,
  STRING,
  typeType,
  type Type,
} from '../types/type.ts'
import { assign, assignAll, mostGeneral, substitute, type Substitutions } from '../types/unification.ts'
import { typeOfValue } from '../values/value-type.ts'

/** The scope of an expression: its names with their types. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, Type>
  readonly functions: ReadonlyMap<string, readonly Overload[]>
  /** Types that may be named, such as `int`. */
  readonly types: ReadonlyMap<string, Type>
  /** The type of an object's field, or `undefined` where it has none of this name. */
  field(struct: string, field: string): Type | undefined
  /** The constructor of a type's objects; `undefined` where expressions cannot construct them. */
  maker(struct: string): ObjectMaker | undefined
}

/** The resolved meaning of a call or a name. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type'; readonly type: Type }
  | { readonly kind: 'maker'; readonly maker: ObjectMaker }
  /** `plain` where the target is only a part of the function's name. */
  | { readonly kind: 'function'; readonly overloads: readonly Overload[]; readonly plain: boolean }

/** An expression whose types are known. */
export interface Checked {
  readonly expr: Expr
  readonly type: Type
  /** The variables that it refers to. */
  readonly names: ReadonlySet<string>
  typeOf(expr: Expr): Type
  reference(expr: Expr): Reference | undefined
}

/** Finds the types of an expression, and adds its errors to `issues`. */
export function check(expr: Expr, declarations: Declarations, issues: Issue[]): Checked {
  const checker = new Checker(declarations, issues)
  checker.check(expr)
  const types = checker.finish()
  return {
    expr,
    type: types.get(expr.id) ?? ERROR,
    names: checker.names,
    typeOf: (node) => types.get(node.id) ?? ERROR,
    reference: (node) => checker.references.get(node.id),
  }
}

class Checker {
  readonly #declarations: Declarations
  readonly #issues: Issue[]
  readonly #types = new Map<number, Type>()
  readonly references = new Map<number, Reference>()
  readonly names = new Set<string>()
  /** The variables of loops, innermost last. */
  readonly #scopes: Map<string, Type>[] = []
  readonly #known: Substitutions = new Map()
  #free = 0

  constructor(declarations: Declarations, issues: Issue[]) {
    this.#declarations = declarations
    this.#issues = issues
  }

  /** The types of all nodes, with nothing left open. */
  finish(): ReadonlyMap<number, Type> {
    for (const [id, type] of this.#types) this.#types.set(id, substitute(this.#known, type, true))
    return this.#types
  }

  check(expr: Expr): Type {
    const type = this.#find(expr)
    this.#types.set(expr.id, type)
    return type
  }

  #find(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return typeOfValue(expr.value)
      case 'ident': {
        const found = this.#name(expr, expr.name)
        if (found) return found
        this.#report(expr, `undeclared reference to '${expr.name}' (in container '')`)
        return ERROR
      }
      case 'select': {
        const name = qualifiedName(expr)
        const found = name === undefined ? undefined : this.#name(expr, name)
        if (found) return found
        const type = this.#field(expr, expr.operand, expr.field, false)
        return expr.test ? BOOL : substitute(this.#known, type)
      }
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'comprehension':
        return this.#comprehension(expr)
    }
  }

  #report(expr: { readonly at: number }, message: string): void {
    this.#issues.push({ at: expr.at, message })
  }

  /** Resolves a name, from the innermost loop outwards. */
  #name(expr: Expr, name: string): Type | undefined {
    const plain = name.startsWith('.') ? name.slice(1) : name
    for (const scope of name.startsWith('.') ? [] : this.#scopes.toReversed()) {
      const type = scope.get(plain)
      if (type) {
        this.#refer(expr, plain)
        return type
      }
    }
    const variable = this.#declarations.variables.get(plain)
    if (variable) {
      this.#refer(expr, plain)
      return variable
    }
    const type = this.#declarations.types.get(plain)
    if (!type) return undefined
    this.references.set(expr.id, { kind: 'type', type })
    return typeType(type)
  }

  #refer(expr: Expr, name: string): void {
    this.references.set(expr.id, { kind: 'variable', name })
    this.names.add(name)
  }

  #field(expr: Expr, operand: Expr, field: string, optional: boolean): Type {
    const operandType = substitute(this.#known, this.check(operand))
    const isOptional = isOptionalType(operandType)
    const target = isOptional ? operandType.params[0]! : operandType
    const type = this.#fieldOf(expr, target, field)
    return isOptional || optional ? optionalType(type) : type
  }

  #fieldOf(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.params[1]!
      case 'struct': {
        const type = this.#declarations.field(target.name, field)
        if (!type) this.#report(expr, `undefined field '${field}'`)
        return type ?? ERROR
      }
      case 'opaque':
        this.#report(expr, `unexpected failed resolution of '${target.name}'`)
        return ERROR
      case 'param':
        this.#assign(DYN, target)
        return DYN
      case 'dyn':
      case 'error':
        return DYN
      default:
        this.#report(expr, `type '${formatType(target)}' does not support field selection`)
        return DYN
    }
  }

  #call(expr: Call): Type {
    if (expr.name === '_?._') {
      const [operand, field] = expr.args as [Expr, Expr]
      this.#types.set(field.id, STRING)
      const name = field.kind === 'literal' && typeof field.value === 'string' ? field.value : ''
      return substitute(this.#known, this.#field(expr, operand, name, true))
    }
    for (const arg of expr.args) this.check(arg)
    if (!expr.target) return this.#resolve(expr, expr.name, undefined, true)
    const prefix = qualifiedName(expr.target)
    if (prefix !== undefined && this.#functions(`${prefix}.${expr.name}`)) {
      return this.#resolve(expr, `${prefix}.${expr.name}`, undefined, true)
    }
    this.check(expr.target)
    return this.#resolve(expr, expr.name, expr.target, false)
  }

  #functions(name: string): readonly Overload[] | undefined {
    return this.#declarations.functions.get(name.startsWith('.') ? name.slice(1) : name)
  }

  #resolve(expr: Call, name: string, target: Expr | undefined, plain: boolean): Type {
    const overloads = this.#functions(name)
    if (!overloads) {
      this.#report(expr, `undeclared reference to '${name}' (in container '')`)
      return ERROR
    }
    if (name === '_&&_' || name === '_||_') return this.#logical(expr, overloads)
    const args = [...(target ? [target] : []), ...expr.args].map((arg) => this.#types.get(arg.id) ?? ERROR)
    const matching: Overload[] = []
    let result: Type | undefined
    for (const overload of overloads) {
      if (overload.member !== (target !== undefined)) continue
      const fresh: Substitutions = new Map(overload.params.map((param) => [param, this.#newParam()]))
      const expected = overload.args.map((arg) => substitute(fresh, arg))
      if (!assignAll(this.#known, args, expected)) continue
      matching.push(overload)
      const type = substitute(this.#known, substitute(fresh, overload.result))
      if (!result) result = type
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN
    }
    if (!result) {
      const shown = args.map((arg) => substitute(this.#known, arg, true))
      const signature = formatSignature(shown, target !== undefined)
      this.#report(expr, `found no matching overload for '${name}' applied to '${signature}'`)
      return ERROR
    }
    this.references.set(expr.id, { kind: 'function', overloads: matching, plain })
    return result
  }

  #logical(expr: Call, overloads: readonly Overload[]): Type {
    let fits = true
    for (const arg of expr.args) {
      const type = this.#types.get(arg.id) ?? ERROR
      if (this.#assign(type, BOOL)) continue
      this.#mismatch(arg, BOOL, type)
      fits = false
    }
    if (!fits) return ERROR
    this.references.set(expr.id, { kind: 'function', overloads, plain: true })
    return BOOL
  }

  #list(expr: ListLiteral): Type {
    let type: Type | undefined
    for (const [index, element] of expr.elements.entries()) {
      let found = this.check(element)
      if (expr.optional.has(index)) found = this.#unwrap(element, found)
      type = this.#join(type, found)
    }
    return listType(type ?? this.#newParam())
  }

  #map(expr: MapLiteral): Type {
    let keys: Type | undefined
    let values: Type | undefined
    for (const { key, value, optional } of expr.entries) {
      keys = this.#join(keys, this.check(key))
      let found = this.check(value)
      if (optional) found = this.#unwrap(value, found)
      values = this.#join(values, found)
    }
    return mapType(keys ?? this.#newParam(), values ?? this.#newParam())
  }

  #struct(expr: StructLiteral): Type {
    const maker = this.#declarations.maker(expr.name.startsWith('.') ? expr.name.slice(1) : expr.name)
    if (!maker) {
      this.#report(expr, `undeclared reference to '${expr.name}' (in container '')`)
      return ERROR
    }
    for (const field of expr.fields) {
      let found = this.check(field.value)
      if (field.optional) found = this.#unwrap(field.value, found)
      const expected = this.#declarations.field(maker.type.name, field.name)
      if (!expected) this.#report(field, `undefined field '${field.name}'`)
      else if (!this.#assign(expected, found)) {
        this.#report(
          field,
          `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(found)}'`,
        )
      }
    }
    this.references.set(expr.id, { kind: 'maker', maker })
    return maker.type
  }

  #unwrap(expr: Expr, type: Type): Type {
    if (isOptionalType(type)) return type.params[0]!
    if (type.kind !== 'dyn') this.#mismatch(expr, optionalType(type), type)
    return type
  }

  /** The type that holds both. */
  #join(previous: Type | undefined, type: Type): Type {
    if (!previous) return type
    return this.#assign(previous, type) ? mostGeneral(previous, type) : DYN
  }

  #comprehension(expr: Comprehension): Type {
    const range = substitute(this.#known, this.check(expr.range))
    const accumulator = this.check(expr.init)
    this.#scopes.push(new Map([[expr.accumulator, accumulator]]))
    this.#scopes.push(this.#loopVariables(expr, range))
    this.check(expr.condition)
    this.#assert(expr.condition, BOOL)
    this.check(expr.step)
    this.#assert(expr.step, accumulator)
    this.#scopes.pop()
    const result = this.check(expr.result)
    this.#scopes.pop()
    return substitute(this.#known, result)
  }

  #loopVariables(expr: Comprehension, range: Type): Map<string, Type> {
    let types: readonly [Type, Type]
    switch (range.kind) {
      case 'list':
        types = expr.variable2 === undefined ? [range.params[0]!, DYN] : [INT, range.params[0]!]
        break
      case 'map':
        types = [range.params[0]!, range.params[1]!]
        break
      case 'dyn':
      case 'error':
      case 'param':
        this.#assign(DYN, range)
        types = [DYN, DYN]
        break
      default:
        this.#report(
          expr.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        types = [ERROR, ERROR]
    }
    const variables = new Map([[expr.variable, types[0]]])
    if (expr.variable2 !== undefined) variables.set(expr.variable2, types[1])
    return variables
  }

  #assert(expr: Expr, type: Type): void {
    const found = this.#types.get(expr.id) ?? ERROR
    if (!this.#assign(type, found)) this.#mismatch(expr, type, found)
  }

  #mismatch(expr: Expr, expected: Type, found: Type): void {
    this.#report(expr, `expected type '${formatType(expected)}' but found '${formatType(found)}'`)
  }

  #assign(a: Type, b: Type): boolean {
    return assign(this.#known, a, b)
  }

  #newParam(): Type {
    return paramType(`_var${this.#free++}`)
  }
}
