import { isExactNumber, isJsonObject } from '@homeostat/api'
import { MessageWriter } from '../../wire/index.ts'
import type { Component } from '../openapi/native-documents.ts'
import { yamlText } from './yaml-text.ts'

/**
 * OpenAPI v2 as the protobuf messages of gnostic, which Go clients request. Each message lists its fields by their
 * names in JSON, with their number and type.
 */
type Field = readonly [number: number, kind: Kind]
type Kind =
  | 'text'
  | 'texts'
  | 'yes'
  | 'whole'
  | 'fraction'
  /** Any value, or several, as YAML. */
  | 'any'
  | 'anys'
  /** Named messages, one for each key. */
  | { readonly named: (writer: MessageWriter, value: unknown) => void; readonly at: number }
  | { readonly message: (writer: MessageWriter, value: unknown) => void }
  | { readonly messages: (writer: MessageWriter, value: unknown) => void }

type Fields = Readonly<Record<string, Field>>

const SCHEMA: Fields = {
  $ref: [1, 'text'],
  format: [2, 'text'],
  title: [3, 'text'],
  description: [4, 'text'],
  multipleOf: [6, 'fraction'],
  maximum: [7, 'fraction'],
  exclusiveMaximum: [8, 'yes'],
  minimum: [9, 'fraction'],
  exclusiveMinimum: [10, 'yes'],
  maxLength: [11, 'whole'],
  minLength: [12, 'whole'],
  pattern: [13, 'text'],
  maxItems: [14, 'whole'],
  minItems: [15, 'whole'],
  uniqueItems: [16, 'yes'],
  maxProperties: [17, 'whole'],
  minProperties: [18, 'whole'],
  required: [19, 'texts'],
  enum: [20, 'anys'],
  additionalProperties: [21, { message: additionalProperties }],
  type: [22, { message: (writer, value) => writer.text(1, String(value)) }],
  items: [23, { message: (writer, value) => nested(writer, 1, schema, value) }],
  properties: [25, { named: schema, at: 1 }],
  externalDocs: [29, { message: (writer, value) => fields(writer, EXTERNAL_DOCS, value) }],
  example: [30, 'any'],
}
const OPERATION: Fields = {
  tags: [1, 'texts'],
  description: [3, 'text'],
  operationId: [5, 'text'],
  produces: [6, 'texts'],
  consumes: [7, 'texts'],
  parameters: [8, { messages: parameterOrReference }],
  responses: [9, { named: responseValue, at: 1 }],
  schemes: [10, 'texts'],
}
const PATH_ITEM: Fields = {
  get: [2, { message: operation }],
  put: [3, { message: operation }],
  post: [4, { message: operation }],
  delete: [5, { message: operation }],
  options: [6, { message: operation }],
  head: [7, { message: operation }],
  patch: [8, { message: operation }],
  parameters: [9, { messages: parameterOrReference }],
}
const BODY_PARAMETER: Fields = {
  description: [1, 'text'],
  name: [2, 'text'],
  in: [3, 'text'],
  required: [4, 'yes'],
  schema: [5, { message: schema }],
}
const QUERY_PARAMETER: Fields = {
  required: [1, 'yes'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
  type: [6, 'text'],
  uniqueItems: [20, 'yes'],
}
const PATH_PARAMETER: Fields = {
  required: [1, 'yes'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
  type: [5, 'text'],
  uniqueItems: [19, 'yes'],
}
const RESPONSE: Fields = {
  description: [1, 'text'],
  schema: [2, { message: (writer, value) => nested(writer, 1, schema, value) }],
}
const SECURITY: Fields = { type: [1, 'text'], name: [2, 'text'], in: [3, 'text'], description: [4, 'text'] }
const EXTERNAL_DOCS: Fields = { description: [1, 'text'], url: [2, 'text'] }
const INFO: Fields = { title: [1, 'text'], version: [2, 'text'] }
const EXTENSIONS = { schema: 31, operation: 13 } as const

/** The numbers of the fields of a document, and of the lists of named messages in them. */
export const DOCUMENT = {
  paths: 8,
  path: 2,
  definitions: 9,
  definition: 1,
  parameters: 10,
  parameter: 1,
} as const

/** The fields before the paths of a document. */
export function documentHead(swagger: string, info: Component): Uint8Array {
  const writer = new MessageWriter()
  nested(writer, 2, (inner, value) => fields(inner, INFO, value), info)
  writer.text(1, swagger)
  return writer.finish()
}

/** The fields after the parameters of a document: security. */
export function documentEnd(security: Readonly<Record<string, Component>>): Uint8Array {
  const writer = new MessageWriter()
  const apiKey = (inner: MessageWriter, value: unknown): void =>
    nested(inner, 2, (part) => fields(part, SECURITY, value), value)
  nested(writer, 13, (inner) => named(inner, 1, apiKey, security), security)
  nested(writer, 12, (inner) => named(inner, 1, () => undefined, security), security)
  return writer.finish()
}

/** One entry of `paths`, `definitions` or `parameters`, with the tag of its list. */
export function documentEntry(
  list: 'path' | 'definition' | 'parameter',
  name: string,
  value: Component,
): Uint8Array {
  const writer = new MessageWriter()
  const write = { path: pathItem, definition: schema, parameter }[list]
  namedOne(writer, DOCUMENT[list], write, name, value)
  return writer.finish()
}

/** The tag and length that precede a list of entries in a document. */
export function listHead(number: number, length: number): Uint8Array {
  const writer = new MessageWriter()
  writer.length(number, writer.size - length)
  return writer.finish()
}

function pathItem(writer: MessageWriter, value: unknown): void {
  fields(writer, PATH_ITEM, value)
}

function operation(writer: MessageWriter, value: unknown): void {
  extensions(writer, EXTENSIONS.operation, value)
  fields(writer, OPERATION, value)
}

function schema(writer: MessageWriter, value: unknown): void {
  extensions(writer, EXTENSIONS.schema, value)
  fields(writer, SCHEMA, value)
}

function additionalProperties(writer: MessageWriter, value: unknown): void {
  if (typeof value === 'boolean') writer.integer(2, value ? 1 : 0)
  else nested(writer, 1, schema, value)
}

function responseValue(writer: MessageWriter, value: unknown): void {
  nested(writer, 1, (inner) => fields(inner, RESPONSE, value), value)
}

function parameterOrReference(writer: MessageWriter, value: unknown): void {
  const reference = isJsonObject(value) ? value['$ref'] : undefined
  if (typeof reference === 'string') nested(writer, 2, (inner) => inner.text(1, reference), value)
  else nested(writer, 1, parameter, value)
}

function parameter(writer: MessageWriter, value: unknown): void {
  const place = isJsonObject(value) ? value['in'] : undefined
  if (place === 'body') nested(writer, 1, (inner) => fields(inner, BODY_PARAMETER, value), value)
  else {
    nested(
      writer,
      2,
      (inner) =>
        place === 'path'
          ? nested(inner, 4, (part) => fields(part, PATH_PARAMETER, value), value)
          : nested(inner, 3, (part) => fields(part, QUERY_PARAMETER, value), value),
      value,
    )
  }
}

/**
 * Writes the fields of a message before the bytes that are written already, the last field first. Zero, false and
 * empty texts are left out.
 */
function fields(writer: MessageWriter, known: Fields, value: unknown): void {
  if (!isJsonObject(value)) return
  for (const [name, [number, kind]] of Object.entries(known).toReversed()) {
    const part = value[name]
    if (part !== undefined && part !== '' && part !== false) field(writer, number, kind, part)
  }
}

function field(writer: MessageWriter, number: number, kind: Kind, value: unknown): void {
  if (typeof kind === 'object') {
    if ('message' in kind) nested(writer, number, kind.message, value)
    else if ('named' in kind)
      nested(writer, number, (inner) => named(inner, kind.at, kind.named, value), value)
    else for (const one of reversed(value)) nested(writer, number, kind.messages, one)
    return
  }
  switch (kind) {
    case 'text':
      return writer.text(number, String(value))
    case 'texts':
      for (const one of reversed(value)) writer.text(number, String(one))
      return
    case 'yes':
      return writer.integer(number, 1)
    case 'whole':
      if (value !== 0) writer.integer(number, value)
      return
    case 'fraction':
      if (value !== 0) writer.fraction(number, isExactNumber(value) ? Number(value.rawJSON) : value)
      return
    case 'any':
      return any(writer, number, value)
    default:
      for (const one of reversed(value)) any(writer, number, one)
  }
}

function named(
  writer: MessageWriter,
  number: number,
  write: (writer: MessageWriter, value: unknown) => void,
  value: unknown,
): void {
  if (!isJsonObject(value)) return
  for (const [name, one] of Object.entries(value).toReversed()) namedOne(writer, number, write, name, one)
}

function namedOne(
  writer: MessageWriter,
  number: number,
  write: (writer: MessageWriter, value: unknown) => void,
  name: string,
  value: unknown,
): void {
  const before = writer.size
  nested(writer, 2, write, value)
  writer.text(1, name)
  writer.length(number, before)
}

function extensions(writer: MessageWriter, number: number, value: unknown): void {
  if (!isJsonObject(value)) return
  for (const [name, one] of Object.entries(value).toReversed()) {
    if (!name.startsWith('x-')) continue
    const before = writer.size
    any(writer, 2, one)
    writer.text(1, name)
    writer.length(number, before)
  }
}

function any(writer: MessageWriter, number: number, value: unknown): void {
  nested(writer, number, (inner) => inner.text(2, yamlText(value)), value)
}

function nested(
  writer: MessageWriter,
  number: number,
  write: (writer: MessageWriter, value: unknown) => void,
  value: unknown,
): void {
  const before = writer.size
  write(writer, value)
  writer.length(number, before)
}

function reversed(value: unknown): unknown[] {
  return Array.isArray(value) ? value.toReversed() : []
}
