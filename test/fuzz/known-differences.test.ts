import { describe, expect, it } from 'vitest'
import type { FuzzCase } from './fuzz-case.ts'
import { knownReasons } from './known-differences.ts'

const named = (name: string): FuzzCase => ({
  kind: 'apps/v1 Deployment',
  verb: 'apply',
  requests: [
    {
      method: 'PATCH',
      path: `/apis/apps/v1/namespaces/{ns}/deployments/${name}`,
      body: { spec: { replicas: 'x' } },
    },
  ],
})

function reasonsFor(message: string, ...more: readonly string[]): readonly string[] | undefined {
  return knownReasons(named('web'), ['code: 400, not 500', `message: ${message}, not panic`, ...more])
}

describe('a refusal of ours where the real server answers 500', () => {
  it.each([
    'Deployment in version "v1" cannot be handled as a Deployment',
    'spec.replicas: expected a number',
    'deployments "web" is wrong',
  ])('is listed where it names the kind, the field or the object: %s', (message) => {
    expect(reasonsFor(message)).toHaveLength(1)
  })

  it('is listed where it names an object whose name has dots', () => {
    const lines = ['code: 400, not 500', 'message: the name (192.0.2.7 based on URL) is missing, not panic']
    expect(knownReasons(named('192.0.2.7'), lines)).toHaveLength(1)
    expect(knownReasons(named('192.0.2.8'), lines)).toBeUndefined()
  })

  it('is listed where a cause names the field', () => {
    expect(reasonsFor('', 'only ours: FieldValueInvalid spec.replicas: Invalid value: "x"')).toHaveLength(1)
  })

  it('is not listed where the client cannot tell what is wrong', () => {
    expect(reasonsFor('the request is wrong')).toBeUndefined()
    expect(reasonsFor('', 'only ours: FieldValueInvalid <nil>: Invalid value: "x"')).toBeUndefined()
  })
})
