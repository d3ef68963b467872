import { beforeAll, expect, test } from 'vitest'
import { parseJson } from '@homeostat/api'
import { BodyError } from './body-error.ts'
import { decodeYaml } from './decode-yaml.ts'
import { encodeYaml } from './encode-yaml.ts'
import { yamlLibrary } from './yaml-library.ts'

beforeAll(() => yamlLibrary.load())

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function refusal(text: string): string {
  try {
    decodeYaml(bytes(text))
  } catch (error) {
    if (error instanceof BodyError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

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

test('of several documents the first is read, and nothing is null', () => {
  expect(decodeYaml(bytes('---\na: 1\n---\nb: 2\n')).value).toEqual({ a: 1 })
  expect(decodeYaml(bytes('')).value).toBeNull()
})

test('a value that aliases share is copied', () => {
  const { value } = decodeYaml(bytes('a: &x {n: 1}\nb: *x\n')) as { value: { a: object; b: object } }
  expect(value.a).not.toBe(value.b)
})

test('aliases that expand exponentially are refused', () => {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef'].map((pair) => pair.split(''))) {
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`)
  }
  expect(refusal(lines.join('\n'))).toMatch(/^yaml: /)
})

test('duplicate keys are named with their lines', () => {
  const { value, duplicates } = decodeYaml(bytes('a:\n  b: "1"\n  b: "2"\nn: 1\nn: 2\n'))
  expect(value).toEqual({ a: { b: '2' }, false: 2 })
  expect(duplicates).toEqual(['line 5: key false already set in map', 'line 3: key "b" already set in map'])
})

test('whole numbers of 64 bits are kept', () => {
  const { value } = decodeYaml(
    bytes('a: 9007199254740991\nb: -9223372036854775808\nc: 1.5\nd: 0x10\ne: 1.0\n'),
  )
  expect(JSON.stringify(value)).toBe('{"a":9007199254740991,"b":-9223372036854775808,"c":1.5,"d":16,"e":1}')
})

test.each([
  ['a number without end', 'size: .inf', 'json: unsupported value: +Inf'],
  ['what is not a number', 'size: .nan', 'json: unsupported value: NaN'],
  ['nesting without end', '['.repeat(1_000_000), 'yaml: exceeded max depth of 10000'],
])('%s is refused', (_, text, message) => {
  expect(refusal(text)).toBe(message)
})

test.each([
  ['text that is not YAML', 'a: ['],
  ['very many keys', 'a: 1\n'.repeat(100_000)],
  ['very many anchors', Array.from({ length: 2_000 }, (_, i) => `k${i}: &a${i} 1`).join('\n')],
])('%s is refused', (_, text) => {
  expect(refusal(text)).toMatch(/^yaml: /)
})

test('a long text is one value', () => {
  const text = `a: |\n${'  b: c, d: &e [f]\n'.repeat(50_000)}`
  expect(decodeYaml(bytes(text)).value).toEqual({ a: 'b: c, d: &e [f]\n'.repeat(50_000) })
})

test('an answer in YAML reads as the same object', () => {
  const object = parseJson(
    '{"z":9007199254740993,"a":"yes","n":"1","y":[{"b":1.5,"a":null}],"time":"2026-01-01T00:00:00Z","empty":{},"list":[],"text":"a\\nb\\n"}',
  )
  const text = encodeYaml(object)
  expect(JSON.stringify(decodeYaml(bytes(text)).value)).toBe(
    '{"a":"yes","empty":{},"list":[],"n":"1","text":"a\\nb\\n","time":"2026-01-01T00:00:00Z","y":[{"a":null,"b":1.5}],"z":9007199254740993}',
  )
  expect(text).toContain('"y":\n- a: null\n')
})
