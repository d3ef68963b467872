import { DYN, sameType, type Type } from './type.ts'

/** The types of type parameters, as far as they are known. */
export type Substitutions = Map<string, Type>

/** Whether one type can be used for the other. Bindings of parameters are added only if the assignment succeeds. */
export function assign(known: Substitutions, a: Type, b: Type): boolean {
  return assignAll(known, [a], [b])
}

/** The same for several types at once. */
export function assignAll(known: Substitutions, a: readonly Type[], b: readonly Type[]): boolean {
  const attempt: Attempt = { known, before: [] }
  if (assignableAll(attempt, a, b)) return true
  for (const [name, type] of attempt.before.toReversed()) {
    if (type) known.set(name, type)
    else known.delete(name)
  }
  return false
}

/** An attempt to make types fit: it remembers what it changed. */
interface Attempt {
  readonly known: Substitutions
  readonly before: (readonly [name: string, type: Type | undefined])[]
}

function remember({ known, before }: Attempt, name: string, type: Type): void {
  before.push([name, known.get(name)])
  known.set(name, type)
}

/** Replaces the parameters of a type by their known types. With `unknownToDyn`, unknown parameters become `dyn`. */
export function substitute(known: ReadonlyMap<string, Type>, type: Type, unknownToDyn = false): Type {
  if (type.kind === 'param') {
    const target = known.get(type.name)
    if (target) return substitute(known, target, unknownToDyn)
    return unknownToDyn ? DYN : type
  }
  if (type.params.length === 0) return type
  return { ...type, params: type.params.map((param) => substitute(known, param, unknownToDyn)) }
}

/** The more general of two types that fit each other. */
export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false
  if (a.kind === 'type') return true
  if (a.name !== b.name || a.params.length !== b.params.length) return false
  return a.params.every((param, index) => isLessSpecific(param, b.params[index]!))
}

function assignableAll(attempt: Attempt, a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, index) => assignable(attempt, type, b[index]!))
}

function assignable(attempt: Attempt, a: Type, b: Type): boolean {
  if (b.kind === 'param') {
    const had = attempt.known.has(b.name)
    if (bind(attempt, a, b)) return true
    if (had) return false
  }
  if (a.kind === 'param') return bind(attempt, b, a)
  if (isWild(a) || isWild(b)) return true
  if (a.kind === 'null' || b.kind === 'null') return isNullable(a.kind === 'null' ? b : a)
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'type':
      return true
    case 'list':
    case 'map':
    case 'opaque':
      return a.name === b.name && assignableAll(attempt, a.params, b.params)
    default:
      return a.name === b.name
  }
}

/** Binds a parameter to a type, if the type agrees with an earlier binding. */
function bind(attempt: Attempt, type: Type, param: Type): boolean {
  if (sameType(type, param)) return true
  const target = attempt.known.get(param.name)
  if (!target) {
    if (!isFree(attempt.known, param, type)) return false
    remember(attempt, param.name, type)
    return true
  }
  if (sameType(type, target)) return true
  if (!assignable(attempt, type, target)) return false
  const general = mostGeneral(type, target)
  if (isFree(attempt.known, param, general)) remember(attempt, param.name, general)
  return true
}

/** Whether a type does not contain the parameter. A parameter cannot be bound to a type that contains it. */
function isFree(known: ReadonlyMap<string, Type>, param: Type, type: Type): boolean {
  if (type.kind === 'param') {
    if (type.name === param.name) return false
    const target = known.get(type.name)
    return !target || isFree(known, param, target)
  }
  return type.params.every((part) => isFree(known, param, part))
}

function isWild(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error'
}

function isNullable(type: Type): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(type.kind)
}
