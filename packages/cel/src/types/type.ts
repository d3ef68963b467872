/** The kind of a CEL type. */
export type TypeKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint'

/** A type of the CEL language. `params` are those of a list, map, type or opaque type such as an optional. */
export interface Type {
  readonly kind: TypeKind
  readonly name: string
  readonly params: readonly Type[]
}

function simple(kind: TypeKind, name: string = kind): Type {
  return { kind, name, params: [] }
}

/** The type that messages call `any`. Like a value of the type `dyn`, its values can be used as any type. */
export const ANY: Type = simple('dyn', 'google.protobuf.Any')
export const BOOL: Type = simple('bool')
export const BYTES: Type = simple('bytes')
export const DOUBLE: Type = simple('double')
export const DURATION: Type = simple('duration', 'google.protobuf.Duration')
export const DYN: Type = simple('dyn')
export const ERROR: Type = simple('error', '*error*')
export const INT: Type = simple('int')
export const NULL: Type = simple('null', 'null_type')
export const STRING: Type = simple('string')
export const TIMESTAMP: Type = simple('timestamp', 'google.protobuf.Timestamp')
export const TYPE: Type = simple('type')
export const UINT: Type = simple('uint')

/** The type of lists whose elements have a type. */
export function listType(element: Type): Type {
  return { kind: 'list', name: 'list', params: [element] }
}

/** The type of maps. */
export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', params: [key, value] }
}

/** The type of a type. */
export function typeType(type: Type): Type {
  return { kind: 'type', name: 'type', params: [type] }
}

/** A type that is known by its name alone. */
export function opaqueType(name: string, ...params: readonly Type[]): Type {
  return { kind: 'opaque', name, params }
}

/** The type of a value that may be absent. */
export function optionalType(value: Type): Type {
  return opaqueType('optional_type', value)
}

/** The type of an object with declared fields. */
export function structType(name: string): Type {
  return simple('struct', name)
}

/** A type that is not known yet. */
export function paramType(name: string): Type {
  return simple('param', name)
}

/** Whether the type is that of an optional. */
export function isOptionalType(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type'
}

/** Whether two types are the same in every part. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false
  return a.params.every((param, index) => sameType(param, b.params[index]!))
}

/** A type as messages show it: `list(int)`, `map(string, dyn)`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind
    case 'error':
      return '!error!'
    case 'dyn':
      return type === ANY ? 'any' : 'dyn'
    default:
      if (type.params.length === 0) return type.name
      return `${type.name}(${type.params.map((param) => formatType(param)).join(', ')})`
  }
}

/** A call as messages show it: `string.(int)`, `(int, string)`. */
export function formatSignature(args: readonly Type[], member: boolean): string {
  const [first, ...rest] = args
  if (!member || !first) return `(${args.map((arg) => formatType(arg)).join(', ')})`
  return `${formatType(first)}.(${rest.map((arg) => formatType(arg)).join(', ')})`
}
