import { expect, test } from 'vitest'
import { Failure } from '../registry/failure.ts'
import { BODY_LIMIT, decodeBody, decodeJson, decodeYaml } from './decode-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function refusal(action: () => unknown): { code: number; message?: string | undefined } {
  try {
    action()
  } catch (error) {
    if (error instanceof Failure) return error.status
    throw error
  }
  throw new Error('it was accepted')
}

test('a body without a media type is JSON', () => {
  expect(decodeBody(bytes('{"a":1}'), undefined).value).toEqual({ a: 1 })
  expect(decodeBody(bytes('{"a":1}'), 'application/json; charset=utf-8').value).toEqual({ a: 1 })
})

test('YAML is read as Kubernetes reads it', () => {
  const text = 'yes: no\nmode: 0644\nwhen: 2026-01-01\nbase: &b {x: 1}\nmerged: {<<: *b, z: 2}\n'
  expect(decodeYaml(bytes(text)).value).toEqual({
    true: false,
    mode: 420,
    when: '2026-01-01',
    base: { x: 1 },
    merged: { x: 1, z: 2 },
  })
})

test('what an alias shares in YAML is copied', () => {
  const { value } = decodeYaml(bytes('a: &x {n: 1}\nb: *x\n')) as { value: { a: object; b: object } }
  expect(value.a).not.toBe(value.b)
})

test('a bomb of aliases is refused', () => {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef'].map((pair) => pair.split(''))) {
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`)
  }
  expect(refusal(() => decodeYaml(bytes(lines.join('\n')))).code).toBe(400)
})

test.each([
  ['text that is no JSON', () => decodeJson(bytes('{"a":'))],
  ['text that is no YAML', () => decodeYaml(bytes('a: ['))],
  ['a body that is nested without end', () => decodeJson(bytes('['.repeat(5000) + ']'.repeat(5000)))],
])('%s is 400', (_, action) => {
  expect(refusal(action).code).toBe(400)
})

test('a body that is too long is 413', () => {
  expect(refusal(() => decodeJson(new Uint8Array(BODY_LIMIT + 1))).code).toBe(413)
})

test('protobuf is 415, and the answer says what is taken', () => {
  const { code, message } = refusal(() => decodeBody(bytes('k8s\0'), 'application/vnd.kubernetes.protobuf'))
  expect(code).toBe(415)
  expect(message).toContain('application/json, application/yaml')
})

test.each([
  ['JSON', () => decodeJson(bytes('{"spec":{"n":9007199254740993}}')), 'spec.n'],
  ['YAML', () => decodeYaml(bytes('spec:\n  count: 9007199254740993\n')), 'count'],
])('a whole number in %s that cannot be kept exactly is refused, not rounded', (_, action, path) => {
  const { code, message } = refusal(action)
  expect(code).toBe(400)
  expect(message).toContain(`the number 9007199254740993 in ${path} cannot be kept exactly`)
})

test('a number in YAML that has no end is refused', () => {
  expect(refusal(() => decodeYaml(bytes('size: .inf'))).code).toBe(400)
  expect(refusal(() => decodeYaml(bytes('size: 1.0e+999'))).code).toBe(400)
})

test('numbers that JSON has survive YAML', () => {
  expect(decodeYaml(bytes('a: 9007199254740991\nb: -3\nc: 1.5\nd: 0x10')).value).toEqual({
    a: 9007199254740991,
    b: -3,
    c: 1.5,
    d: 16,
  })
})

test.each([
  ['of very many keys', 'a: 1\n'.repeat(100_000), 413],
  ['of very many anchors', Array.from({ length: 2_000 }, (_, i) => `k${i}: &a${i} 1`).join('\n'), 413],
  ['nested without end', '['.repeat(1_000_000), 400],
])('YAML %s is refused before it is parsed', (_, text, code) => {
  expect(refusal(() => decodeYaml(bytes(text))).code).toBe(code)
})

test('a long text in YAML is one value', () => {
  const text = `a: |\n${'  b: c, d: &e [f]\n'.repeat(50_000)}`
  expect(decodeYaml(bytes(text)).value).toEqual({ a: 'b: c, d: &e [f]\n'.repeat(50_000) })
})
