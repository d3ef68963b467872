import examples from 'json-patch-test-suite/spec_tests.json' with { type: 'json' }
import tests from 'json-patch-test-suite/tests.json' with { type: 'json' }
import { definition } from '../objects.ts'
import { scenario, topic, type Step } from '../scenario.ts'
import { create, jsonPatch } from '../steps.ts'

/** A case of the suite that implementations of RFC 6902 share. */
interface Case {
  readonly doc: unknown
  readonly patch: readonly Record<string, unknown>[]
}

const documents = '/apis/conformance.example.com/v1/~/documents'
const definitionOfDocument = definition('Document', {
  spec: { type: 'object', properties: { free: { 'x-kubernetes-preserve-unknown-fields': true } } },
})

/** The cases of the suite, on a field of an object that holds any JSON. */
function steps(cases: readonly Case[]): Step[] {
  return cases.flatMap(({ doc, patch }, index) => {
    const name = `case-${index + 1}`
    const object = { apiVersion: 'conformance.example.com/v1', kind: 'Document', metadata: { name } }
    return [
      create(documents, { ...object, spec: { free: doc } }, { show: ({ spec }) => spec.free }),
      jsonPatch(`${documents}/${name}`, patch.map(inside), {
        show: ({ spec }) => spec.free,
      }),
    ]
  })
}

/** The operation with its pointers leading into the field. */
function inside(operation: Record<string, unknown>): Record<string, unknown> {
  const { path, from } = operation
  return {
    ...operation,
    ...(isPointer(path) && { path: `/spec/free${path}` }),
    ...(isPointer(from) && { from: `/spec/free${from}` }),
  }
}

function isPointer(value: unknown): value is string {
  return typeof value === 'string' && (value === '' || value.startsWith('/'))
}

/** JSON patches as the suite of RFC 6902 has them. */
export const jsonPatchSuite = topic(
  'json-patch-suite',
  [
    scenario('B patch', 'the cases of the suite', ...steps(tests)),
    scenario('B patch', 'the examples of the RFC', ...steps(examples)),
  ],
  { definitions: [definitionOfDocument] },
)
