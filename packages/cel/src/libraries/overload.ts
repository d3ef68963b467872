import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  opaqueType,
  optionalType,
  paramType,
  STRING,
  TIMESTAMP,
  TYPE,
  typeType,
  UINT,
  type Type,
} from '../types/type.ts'
import type {
  DurationValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  Value,
} from '../values/value.ts'

/** Computes the result of a function from arguments that fit its signature; a member's target comes first. */
export type Evaluate = (...args: Value[]) => Value

/** One form of a function, for arguments of certain types. */
export interface Overload {
  readonly name: string
  /** The id of the overload, by which costs are looked up. */
  readonly id: string
  readonly member: boolean
  readonly args: readonly Type[]
  readonly result: Type
  /** The names of the type parameters in the signature. */
  readonly params: readonly string[]
  readonly evaluate: Evaluate
}

/** The additions of a library to the language. */
export interface Library {
  readonly overloads: readonly Overload[]
  /** Types that expressions may name. */
  readonly types?: Readonly<Record<string, Type>>
}

/** The values of the types that the language brings, by the names that signatures give to the types. */
interface ValuesByType {
  bool: boolean
  bytes: Uint8Array
  double: number
  duration: DurationValue
  int: bigint
  null: null
  string: string
  timestamp: Timestamp
  type: TypeValue
  uint: Uint
}

/** The values of a type without parameters. A type parameter stands for any value. */
export type ValueOf<Name, Opaque = {}> = Name extends keyof Opaque
  ? Opaque[Name]
  : Name extends keyof ValuesByType
    ? ValuesByType[Name]
    : Value

/** The values of a list of types, such as `list(T), int`. */
type ValuesOf<List extends string, Opaque> = List extends ''
  ? []
  : List extends `map(${string}, ${string})${infer Rest}`
    ? [MapValue, ...After<Rest, Opaque>]
    : List extends `list(${string})${infer Rest}`
      ? [ListValue, ...After<Rest, Opaque>]
      : List extends `optional(${string})${infer Rest}`
        ? [OptionalValue, ...After<Rest, Opaque>]
        : List extends `type(${string})${infer Rest}`
          ? [TypeValue, ...After<Rest, Opaque>]
          : List extends `${infer First}, ${infer Rest}`
            ? [ValueOf<First, Opaque>, ...ValuesOf<Rest, Opaque>]
            : [ValueOf<List, Opaque>]

/**
 * The values of the types that follow a type with parameters. After a nested one, the text begins with the outer
 * closing parenthesis.
 */
type After<Rest extends string, Opaque> = Rest extends `)${infer Closed}`
  ? After<Closed, Opaque>
  : Rest extends `, ${infer List}`
    ? ValuesOf<List, Opaque>
    : []

/** The arguments that fit a signature; a member's target comes first. */
type ArgumentsOf<Signature extends string, Opaque> = Signature extends `${infer Head} -> ${string}`
  ? Head extends `(${infer List})`
    ? ValuesOf<List, Opaque>
    : Head extends `${infer Target}.(${infer List})`
      ? [...ValuesOf<Target, Opaque>, ...ValuesOf<List, Opaque>]
      : never
  : Value[]

/** Makes overloads whose signatures may also name the opaque types of a library. */
type MakeOverload<Opaque> = <const Signature extends string>(
  name: string,
  id: string,
  signature: Signature,
  evaluate: (...args: ArgumentsOf<Signature, Opaque>) => Value,
) => Overload

/** Creates overloads for a library that declares opaque types, with the classes of their values by the types' names. */
export function overloadsWith<Opaque extends Readonly<Record<string, OpaqueValue>>>(): MakeOverload<Opaque> {
  // The checker lets an expression call an overload only with arguments that fit its signature.
  return (name, id, signature, evaluate) => makeOverload(name, id, signature, evaluate as Evaluate)
}

/** Describes an overload by its signature: `string.(int) -> bool`, `(list(T), T) -> bool`. */
export const overload: MakeOverload<{}> = overloadsWith()

function makeOverload(name: string, id: string, signature: string, evaluate: Evaluate): Overload {
  const [head, result] = signature.split(' -> ') as [string, string]
  const target = /^(.+)\.\(/.exec(head)?.[1]
  const inner = head.slice(target === undefined ? 1 : target.length + 2, -1)
  const args = [...(target === undefined ? [] : [target]), ...splitList(inner)].map((text) => parseType(text))
  const resultType = parseType(result)
  const params = new Set<string>()
  for (const type of [...args, resultType]) collectParams(type, params)
  return { name, id, member: target !== undefined, args, result: resultType, params: [...params], evaluate }
}

const NAMED: Readonly<Record<string, Type>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  null: NULL,
  string: STRING,
  timestamp: TIMESTAMP,
  type: TYPE,
  uint: UINT,
}

/** A type from its text. Single capital letters are parameters. */
function parseType(text: string): Type {
  const known = NAMED[text]
  if (known) return known
  if (/^[A-Z]$/.test(text)) return paramType(text)
  const open = text.indexOf('(')
  if (open < 0) return opaqueType(text)
  const params = splitList(text.slice(open + 1, -1)).map((part) => parseType(part))
  switch (text.slice(0, open)) {
    case 'list':
      return listType(params[0]!)
    case 'map':
      return mapType(params[0]!, params[1]!)
    case 'type':
      return typeType(params[0]!)
    case 'optional':
      return optionalType(params[0]!)
    default:
      return opaqueType(text.slice(0, open), ...params)
  }
}

function splitList(text: string): string[] {
  if (text === '') return []
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++
    else if (text[index] === ')') depth--
    else if (text[index] === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}

function collectParams(type: Type, into: Set<string>): void {
  if (type.kind === 'param') into.add(type.name)
  for (const param of type.params) collectParams(param, into)
}
