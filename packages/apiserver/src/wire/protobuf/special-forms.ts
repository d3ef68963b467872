import {
  exactInteger,
  formatGoDuration,
  nearestNumber,
  numberText,
  parseGoDuration,
  parseJson,
} from '@homeostat/api'
import { canonicalQuantity, isObject, parseQuantity, quantityProblem, textOf } from '../../schema/index.ts'
import { jsonSyntaxProblem } from '../json/json-syntax.ts'
import type { MessageField, MessageType } from './message-type.ts'
import { ProtobufError, stateOf, type MessageState } from './read-message.ts'

/** A message with a special form in JSON. */
export interface SpecialForm {
  /** `inner` gives the JSON of a message inside it. */
  toJson(
    state: MessageState,
    type: MessageType,
    inner: (type: MessageType, state: MessageState) => unknown,
  ): unknown
  /** Writes the message of a value in JSON; an empty one for null and undefined. */
  write(value: unknown, type: MessageType, writer: FieldWriter): void
}

/** Writes the fields of a message, the last of them first. */
export interface FieldWriter {
  field(field: MessageField, value: unknown): void
  integer(number: number, value: unknown): void
  text(number: number, text: string): void
  bytes(number: number, bytes: Uint8Array): void
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const TIME: SpecialForm = {
  toJson: ([seconds, nanos]) =>
    seconds === undefined && nanos === undefined ? null : `${dateText(nearestNumber(seconds) ?? 0)}Z`,
  write: (value, _, writer) => writeTime(value, writer),
}

const MICRO_TIME: SpecialForm = {
  toJson([seconds, nanos]) {
    if (seconds === undefined && nanos === undefined) return null
    const micros = Math.trunc((typeof nanos === 'number' ? nanos : 0) / 1000)
    const carried = Math.floor(micros / 1_000_000)
    const fraction = String(micros - carried * 1_000_000).padStart(6, '0')
    return `${dateText((nearestNumber(seconds) ?? 0) + carried)}.${fraction}Z`
  },
  write: (value, _, writer) => writeTime(value, writer, true),
}

const TIME_TEXT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/

function writeTime(value: unknown, writer: FieldWriter, micro = false): void {
  const [, time, fraction = '', zone] = (typeof value === 'string' && TIME_TEXT.exec(value)) || []
  if (time === undefined) return
  writer.integer(2, micro ? Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000 : 0)
  writer.integer(1, Date.parse(`${time}${zone}`) / 1000)
}

/** The day and time, without a zone. JavaScript's own form has a sign and six digits for years beyond four. */
function dateText(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) {
    throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]')
  }
  return date.toISOString().slice(0, 19)
}

const QUANTITY: SpecialForm = {
  toJson([text]) {
    if (text === undefined) return '0'
    const quantity = parseQuantity(text)
    if (!quantity) throw new ProtobufError(quantityProblem(text) ?? '')
    return canonicalQuantity(quantity)
  },
  write: (value, _, writer) => writer.text(1, textOf(value) || '0'),
}

const INT_OR_STRING: SpecialForm = {
  toJson([type, number, text]) {
    if (type === undefined || type === 0) return number ?? 0
    if (type === 1) return text ?? ''
    throw new ProtobufError('impossible IntOrString.Type')
  },
  write(value, _, writer) {
    writer.text(3, typeof value === 'string' ? value : '')
    writer.integer(2, value)
    writer.integer(1, typeof value === 'string' ? 1 : 0)
  },
}

const DURATION: SpecialForm = {
  toJson: ([nanoseconds]) => formatGoDuration(BigInt(numberText(nanoseconds ?? 0) ?? 0)),
  write: (value, _, writer) => writer.integer(1, exactInteger(parseGoDuration(textOf(value)) ?? 0n)),
}

/** JSON inside of a message. */
const RAW: SpecialForm = {
  toJson([bytes], type) {
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) return null
    try {
      return parseJson(decoder.decode(bytes))
    } catch (error) {
      const problem = jsonSyntaxProblem(bytes)
      const message = `json: error calling MarshalJSON for type ${type.name}: ${problem}`
      throw new ProtobufError(message, { cause: error })
    }
  },
  write(value, _, writer) {
    if (value !== undefined && value !== null) writer.bytes(1, encoder.encode(JSON.stringify(value)))
  },
}

const SCHEMA_OR_BOOL: SpecialForm = {
  toJson: ([allows, schema], type, inner) =>
    schema === undefined ? (allows ?? false) : inner(type.messageAt(1), stateOf(schema)),
  write(value, type, writer) {
    if (isObject(value)) writer.field(type.fieldAt(1), value)
    writer.integer(1, value === true || isObject(value) ? 1 : 0)
  },
}

const SCHEMA_OR_ARRAY: SpecialForm = {
  toJson([schema, schemas], type, inner) {
    const message = type.messageAt(0)
    if (schemas !== undefined) return stateOf(schemas).map((one) => inner(message, stateOf(one)))
    return schema === undefined ? null : inner(message, stateOf(schema))
  },
  write: (value, type, writer) => writeEither(value, type, writer),
}

const SCHEMA_OR_STRINGS: SpecialForm = {
  toJson: ([schema, strings], type, inner) =>
    strings ?? (schema === undefined ? null : inner(type.messageAt(0), stateOf(schema))),
  write: (value, type, writer) => writeEither(value, type, writer),
}

/** A list is in the second field, an object in the first. */
function writeEither(value: unknown, type: MessageType, writer: FieldWriter): void {
  if (Array.isArray(value)) writer.field(type.fieldAt(1), value)
  else if (isObject(value)) writer.field(type.fieldAt(0), value)
}

const FORMS: ReadonlyMap<string, SpecialForm> = new Map([
  ['meta/v1.Time', TIME],
  ['meta/v1.MicroTime', MICRO_TIME],
  ['meta/v1.Duration', DURATION],
  ['meta/v1.FieldsV1', RAW],
  ['resource.Quantity', QUANTITY],
  ['intstr.IntOrString', INT_OR_STRING],
  ['runtime.RawExtension', RAW],
  ...['v1', 'v1beta1'].flatMap((version): [string, SpecialForm][] => [
    [`apiextensions/${version}.JSON`, RAW],
    [`apiextensions/${version}.JSONSchemaPropsOrBool`, SCHEMA_OR_BOOL],
    [`apiextensions/${version}.JSONSchemaPropsOrArray`, SCHEMA_OR_ARRAY],
    [`apiextensions/${version}.JSONSchemaPropsOrStringArray`, SCHEMA_OR_STRINGS],
  ]),
])

/** The special form of a message in JSON, if it has one. */
export function specialForm(type: MessageType): SpecialForm | undefined {
  return FORMS.get(type.fullName)
}
