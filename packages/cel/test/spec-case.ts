import { formatType, NULL, typeType, UINT } from '../src/types/type.ts'
import {
  type Language,
  ArrayList,
  BOOL,
  BYTES,
  ConstantError,
  DOUBLE,
  DurationValue,
  DURATION,
  DYN,
  equalValues,
  EvaluationError,
  INT,
  listType,
  mapType,
  Meter,
  opaqueType,
  STRING,
  structType,
  Timestamp,
  TIMESTAMP,
  type Type,
  type Value,
} from '../src/index.ts'
import { EntryMap } from '../src/values/map-value.ts'
import { typeOfValue } from '../src/values/value-type.ts'
import { TypeValue, Uint } from '../src/values/value.ts'

/** A message of the specification's cases: names and numbers are texts that begin with `=`. */
type Message = Readonly<Record<string, any>>

/** A case of the CEL specification, as `npm run record cel` writes it. */
export interface SpecCase {
  readonly name: string
  readonly expr: string
  readonly value?: Message
  readonly typed_result?: { readonly result?: Message; readonly deduced_type?: Message }
  readonly eval_error?: Message
  readonly any_eval_errors?: Message
  readonly unknown?: Message
  readonly type_env?: Message | readonly Message[]
  readonly bindings?: Message | readonly Message[]
  readonly container?: string
  readonly disable_macros?: string
  readonly disable_check?: string
  readonly check_only?: string
}

/** Why a case is not met, or `undefined` where it is. */
export function caseProblem(language: Language, one: SpecCase): string | undefined {
  const variables = new Map<string, Type>()
  const values = new Map<string, Value>()
  for (const { name, ident } of several(one.type_env)) {
    if (ident?.type) variables.set(name, typeFrom(ident.type))
  }
  for (const { key, value } of several(one.bindings)) {
    const bound = valueFrom(value?.value ?? {})
    if (bound === undefined) return 'an unknown value'
    values.set(key, bound)
    if (!variables.has(key)) variables.set(key, DYN)
  }
  const expectsError = one.eval_error !== undefined || one.any_eval_errors !== undefined
  const checked = language.check(one.expr, { variables, field: () => undefined })
  if (checked instanceof Error) return expectsError ? undefined : checked.message
  const { deduced_type: deduced, result } = one.typed_result ?? {}
  if (deduced && formatType(typeFrom(deduced)) !== formatType(checked.type)) {
    return `of type ${formatType(checked.type)}`
  }
  if (one.check_only) return undefined
  const expected = one.value ?? result
  const actual = evaluated(language, checked, values)
  if (actual instanceof EvaluationError) return expectsError ? undefined : actual.message
  if (expectsError) return 'no error'
  const wanted = expected ? valueFrom(expected) : true
  return wanted !== undefined && sameValue(wanted, actual) ? undefined : 'another value'
}

function evaluated(
  language: Language,
  checked: Exclude<ReturnType<Language['check']>, Error>,
  values: ReadonlyMap<string, Value>,
): Value {
  try {
    return language.compile(checked).evaluate((name) => values.get(name), new Meter(1_000_000))
  } catch (error) {
    if (error instanceof ConstantError) return new EvaluationError(error.message)
    throw error
  }
}

function several<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as T]
}

/** Whether values are equal and of the same type. NaN is equal to itself here. */
function sameValue(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || (a === b && a === 0)
  return typeOfValue(a).name === typeOfValue(b).name && equalValues(a, b)
}

const word = (text: string): string => text.replace(/^=/, '')

function valueFrom(message: Message): Value | undefined {
  const [kind, content] = Object.entries(message)[0] ?? ['null_value', '']
  switch (kind) {
    case 'null_value':
      return null
    case 'bool_value':
      return word(content) === 'true'
    case 'int64_value':
      return BigInt(word(content))
    case 'uint64_value':
      return new Uint(BigInt(word(content)))
    case 'double_value':
      return Number(word(content).replace(/^(-?)inf(inity)?$/i, '$1Infinity'))
    case 'string_value':
      return content
    case 'bytes_value':
      return bytesFrom(content)
    case 'type_value':
      return new TypeValue(namedType(content))
    case 'list_value':
      return listFrom(content)
    case 'map_value':
      return mapFrom(content)
    case 'object_value':
      return wellKnown(content)
    default:
      return undefined
  }
}

/** The prefix of bytes that are not text. */
const BYTES_MARK = '\u0000bytes:'

function bytesFrom(content: string): Uint8Array {
  if (!content.startsWith(BYTES_MARK)) return new TextEncoder().encode(content)
  return new Uint8Array(content.slice(BYTES_MARK.length).split(',').map(Number))
}

function listFrom(content: Message): Value | undefined {
  const elements = several<Message>(content['values']).map((element) => valueFrom(element))
  return elements.includes(undefined) ? undefined : new ArrayList(elements as Value[])
}

function mapFrom(content: Message): Value | undefined {
  const entries = several<Message>(content['entries']).map(
    ({ key, value }) => [valueFrom(key), valueFrom(value)] as const,
  )
  return entries.some((pair) => pair.includes(undefined))
    ? undefined
    : new EntryMap(entries as [Value, Value][])
}

/** The messages that the language has types of its own for. */
function wellKnown(content: Message): Value | undefined {
  const [type = '', fields = {}] = Object.entries(content)[0] ?? []
  const { seconds = '=0', nanos = '=0' } = fields as Message
  const time = BigInt(word(seconds)) * 1_000_000_000n + BigInt(word(nanos))
  if (type.endsWith('google.protobuf.Duration]')) return new DurationValue(time)
  return type.endsWith('google.protobuf.Timestamp]') ? new Timestamp(time) : undefined
}

const TYPES: Readonly<Record<string, Type>> = {
  bool: BOOL,
  BOOL,
  bytes: BYTES,
  BYTES,
  double: DOUBLE,
  DOUBLE,
  int: INT,
  INT64: INT,
  uint: UINT,
  UINT64: UINT,
  string: STRING,
  STRING,
  null_type: NULL,
  TIMESTAMP,
  'google.protobuf.Timestamp': TIMESTAMP,
  DURATION,
  'google.protobuf.Duration': DURATION,
  type: typeType(DYN),
  list: listType(DYN),
  map: mapType(DYN, DYN),
  optional_type: opaqueType('optional_type', DYN),
}

function namedType(name: string): Type {
  return TYPES[name] ?? opaqueType(name)
}

function typeFrom(message: Message): Type {
  const [kind, content] = Object.entries(message)[0] ?? ['dyn', {}]
  switch (kind) {
    case 'primitive':
    case 'well_known':
      return namedType(word(content))
    case 'wrapper':
      return opaqueType('wrapper', namedType(word(content)))
    case 'null':
      return NULL
    case 'list_type':
      return listType(typeFrom(content['elem_type'] ?? {}))
    case 'map_type':
      return mapType(typeFrom(content['key_type'] ?? {}), typeFrom(content['value_type'] ?? {}))
    case 'message_type':
      return structType(content)
    case 'abstract_type':
      return opaqueType(
        content['name'],
        ...several<Message>(content['parameter_types']).map((type) => typeFrom(type)),
      )
    case 'type':
      return typeType(typeFrom(content))
    default:
      return DYN
  }
}
