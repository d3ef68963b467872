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
import type { Value } from '../values/value.ts'

/** What a function does with arguments that fit its signature; a member's target comes first. */
export type Evaluate = (...args: Value[]) => Value

/** One form of a function, for arguments of certain types. */
export interface Overload {
  readonly name: string
  /** By which costs are looked up, and which tells overloads of one function apart. */
  readonly id: string
  readonly member: boolean
  readonly args: readonly Type[]
  readonly result: Type
  /** The names of the type parameters in the signature. */
  readonly params: readonly string[]
  readonly evaluate: Evaluate
}

/** What a library adds to the language. */
export interface Library {
  readonly overloads: readonly Overload[]
  /** Types that expressions may name. */
  readonly types?: Readonly<Record<string, Type>>
}

/** Describes an overload by its signature: `string.(int) -> bool`, `(list(T), T) -> bool`. */
export function overload(name: string, id: string, signature: string, evaluate: Evaluate): Overload {
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
