import { expect, test } from 'vitest'
import { BodyError, summarizeBody } from './body-error.ts'
import { decodeBody } from './decode-body.ts'
import { BODY_LIMIT, mediaType } from './media-type.ts'

const CONFIG_MAP = { kind: 'ConfigMap', apiVersion: 'v1' }
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function refusal(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    return error.status ? `${error.status.code} ${error.status.message}` : error.message
  }
  throw new Error('it was accepted')
}

test.each([undefined, '', 'application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
  'a body of the media type %j is JSON',
  (contentType) => {
    expect(decodeBody(bytes('{"a":1}'), contentType, CONFIG_MAP).value).toEqual({ a: 1 })
  },
)

test.each(['text/plain', 'application/cbor', 'application/json;;;=', 'application/x-www-form-urlencoded'])(
  'a body of the media type %j is 415, and the answer lists the accepted types',
  (contentType) => {
    expect(refusal(() => decodeBody(bytes('{}'), contentType, CONFIG_MAP))).toBe(
      '415 the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    )
  },
)

test('a media type loses its parameters', () => {
  expect(mediaType('application/YAML ; charset=utf-8')).toBe('application/yaml')
  expect(mediaType('application/yaml;')).toBe('application/yaml')
  expect(mediaType('application/yaml; charset')).toBe('invalid')
})

test('a body that is too long is 413', () => {
  expect(refusal(() => decodeBody(new Uint8Array(BODY_LIMIT + 1), undefined, CONFIG_MAP))).toMatch(/^413 /)
})

test.each([
  ['nothing', '', 'empty data'],
  ['JSON', '{}', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  ['only the prefix', 'k8s\0', 'empty body'],
  ['half a number', 'k8s\0\u000a', 'unexpected EOF'],
  ['a length beyond the end', 'k8s\0\u0012\u0005abc', 'unexpected EOF'],
  ['a field of another wire type', 'k8s\0\u0010\u0005', 'proto: wrong wireType = 0 for field Raw'],
  ['an end of a group that has no start', 'k8s\0\u0014', 'proto: Unknown: wiretype end group for non-group'],
  ['a field without a number', 'k8s\0\u0002\u0000', 'proto: Unknown: illegal tag 0 (wire type 2)'],
  [
    'a kind that there is not',
    'k8s\0\u000a\u0009\u000a\u0002v1\u0012\u0003Foo',
    'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
])('protobuf that is %s is refused', (_, text, message) => {
  expect(refusal(() => decodeBody(bytes(text), PROTOBUF, CONFIG_MAP))).toBe(message)
})

test('protobuf that names no kind is of the kind that the path names', () => {
  // The entry of the map also has an unknown field. raw: { metadata: { name: "a" }, data: { k: "v" } }
  const raw = '\u0012\u000f\u000a\u0003\u000a\u0001a\u0012\u0008\u000a\u0001k\u0012\u0001v\u001a\u0000'
  const body = bytes(`k8s\0${raw}`)
  body[5] = body.length - 6
  expect(decodeBody(body, PROTOBUF, CONFIG_MAP).value).toEqual({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    data: { k: 'v' },
  })
})

test('the beginning of a body is shown as text where it looks like JSON, and else in hexadecimal digits', () => {
  expect(summarizeBody(bytes(''))).toBe('<empty>')
  expect(summarizeBody(bytes('{"kind":"ConfigMap","apiVersion":"v1"}'))).toBe(
    '{"kind":"ConfigMap","apiVersio ...',
  )
  expect(summarizeBody(bytes('kind: A\n'))).toBe('6b696e643a20410a')
})
