import examples from 'json-patch-test-suite/spec_tests.json' with { type: 'json' }
import tests from 'json-patch-test-suite/tests.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { applyJsonPatch, PatchError, type JsonPatchOperation } from './index.ts'

/** A case of the suite that implementations of RFC 6902 share. */
interface Case {
  readonly comment?: string
  readonly doc: unknown
  readonly patch: readonly JsonPatchOperation[]
  readonly expected?: unknown
  readonly error?: string
  readonly disabled?: boolean
}

/**
 * The cases that Kubernetes handles differently, by file and number: test/conformance and test/fuzz ask the server. With `expected`,
 * a patch that fails by the RFC has this result; without it, a patch that succeeds by the RFC fails.
 */
const OTHERWISE: Readonly<Record<string, { why: string; expected?: unknown }>> = {
  'tests 17': { why: 'a negative index counts from the end', expected: { bar: [1, 2, '5'] } },
  'tests 60': { why: 'only replace and test take the whole document' },
  'tests 71': { why: 'a value that is left out is null', expected: [1, null] },
  'tests 72': { why: 'a value that is left out is null', expected: [null] },
  'tests 73': { why: 'a value that is left out is null', expected: [null] },
}

const cases = [
  ...named('tests', tests as unknown as Case[]),
  ...named('spec_tests', examples as unknown as Case[]),
]

function named(file: string, list: readonly Case[]): [name: string, one: Case][] {
  return list.map((one, index) => [`${file} ${index + 1}`, one])
}

test.each(cases.filter(([, { disabled }]) => !disabled))('%s of the suite', (name, one) => {
  const otherwise = OTHERWISE[name]
  if (otherwise ? !('expected' in otherwise) : one.error) {
    expect(() => applyJsonPatch(one.doc, one.patch)).toThrow(PatchError)
    return
  }
  const expected = otherwise ? otherwise.expected : (one.expected ?? one.doc)
  expect(applyJsonPatch(one.doc, one.patch)).toEqual(expected)
})
