import { expect, test } from 'vitest'
import { decodeBody } from '../decode-body.ts'
import { PROTOBUF } from '../media-type.ts'
import { inEnvelope, writeObject } from './encode-protobuf.ts'

const DEFINITION = { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1' }
const POD_LIST = { kind: 'PodList', apiVersion: 'v1' }

function refusal(body: Uint8Array, expected = POD_LIST): string {
  try {
    decodeBody(body, PROTOBUF, expected)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

function envelope(raw: Uint8Array, { kind, apiVersion } = POD_LIST): Uint8Array {
  return inEnvelope(apiVersion, kind, raw)
}

test('a message cut off anywhere is refused, or is a smaller message', () => {
  const pod = {
    metadata: { name: 'a', labels: { b: 'c' } },
    spec: { containers: [{ name: 'd', image: 'e' }] },
  }
  const whole = envelope(writeObject('v1', 'Pod', pod)!, { kind: 'Pod', apiVersion: 'v1' })
  expect(refusal(whole)).toBe('accepted')
  for (let length = 0; length < whole.length; length++) {
    expect(refusal(whole.subarray(0, length))).toMatch(
      /^(accepted|unexpected EOF|empty data|empty body|provided data .*)$/,
    )
  }
})

test('random bytes quickly result in an error or an object', () => {
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647)
  for (let round = 0; round < 2_000; round++) {
    const raw = Uint8Array.from({ length: random() % 64 }, () => random() % 256)
    expect(refusal(envelope(raw))).toEqual(expect.any(String))
  }
})

test('very deeply nested schemas are refused', () => {
  // Each level is the field `not` of the one around it.
  let schema: Uint8Array = new Uint8Array()
  for (let depth = 0; depth < 2_000; depth++) schema = lengthDelimited(28, schema)
  const raw = lengthDelimited(2, lengthDelimited(7, lengthDelimited(4, lengthDelimited(1, schema))))
  expect(refusal(envelope(raw, DEFINITION), DEFINITION)).toMatch(/nested deeper than 500 levels/)
})

test('a list of very many empty objects is refused before it fills the memory', () => {
  const raw = new Uint8Array(2_000_000)
  for (let index = 0; index < raw.length; index += 2) raw[index] = 0x12
  expect(refusal(envelope(raw))).toMatch(/more than 500000 messages/)
})

test.each([
  [
    'a number of eleven bytes',
    [0x78, ...Array.from({ length: 10 }, () => 0xff), 0x01],
    'proto: integer overflow',
  ],
  [
    'a negative length',
    [0x0a, ...Array.from({ length: 9 }, () => 0xff), 0x01],
    'proto: negative length found during unmarshaling',
  ],
  ['a wire type that there is not', [0x7f], 'proto: illegal wireType 7'],
  ['a group that does not end', [0x7b, 0x08, 0x01], 'unexpected EOF'],
])('%s is refused', (_, bytes, message) => {
  expect(refusal(envelope(Uint8Array.from(bytes)))).toBe(message)
})

test('an unknown field is skipped, also a group', () => {
  expect(refusal(envelope(Uint8Array.of(0x7b, 0x08, 0x01, 0x7c, 0x78, 0x05)))).toBe('accepted')
})

test('very deeply nested JSON inside a message is refused', () => {
  const json = new TextEncoder().encode('['.repeat(5_000) + ']'.repeat(5_000))
  const raw = lengthDelimited(2, lengthDelimited(1, json))
  const revision = { kind: 'ControllerRevision', apiVersion: 'apps/v1' }
  expect(refusal(envelope(raw, revision), revision)).toMatch(/nested deeper than 1000 levels/)
})

test('an invalid quantity, time or fraction is refused', () => {
  const quantity = { spec: { capacity: { storage: 'much' } } }
  const volume = { kind: 'PersistentVolume', apiVersion: 'v1' }
  const body = envelope(writeObject('v1', 'PersistentVolume', quantity)!, volume)
  expect(refusal(body, volume)).toMatch(/^quantities must match the regular expression/)
})

function lengthDelimited(number: number, content: Uint8Array): Uint8Array {
  const header: number[] = []
  for (let rest = number * 8 + 2; ; rest >>= 7) {
    header.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  for (let rest = content.length; ; rest >>= 7) {
    header.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  const whole = new Uint8Array(header.length + content.length)
  whole.set(header)
  whole.set(content, header.length)
  return whole
}
