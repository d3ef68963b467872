import { expect, test, vi } from 'vitest'
import { TestEnvironment } from '../../testing/test-environment.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function definition(singular: string, properties: object) {
  const kind = singular[0]!.toUpperCase() + singular.slice(1)
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural: `${singular}s`, singular },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
}

test('a write of a definition, or of an object, does not parse the other definitions again', async () => {
  await using environment = await TestEnvironment.start()
  const large = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `field${index}`,
      { type: 'string', description: 'x'.repeat(3000) },
    ]),
  )
  for (let index = 0; index < 14; index++) {
    const { code } = await environment.call('POST', DEFINITIONS, {
      body: definition(`large${index}x`, large),
    })
    expect(code).toBe(201)
  }
  await environment.call('POST', DEFINITIONS, { body: definition('first', {}) })
  const parse = vi.spyOn(JSON, 'parse')
  try {
    for (const name of ['tinya', 'tinyb', 'tinyc']) {
      expect((await environment.call('POST', DEFINITIONS, { body: definition(name, {}) })).code).toBe(201)
      await environment.settle()
      const things = `/apis/example.com/v1/namespaces/default/${name}s`
      const kind = name[0]!.toUpperCase() + name.slice(1)
      const body = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a' } }
      expect((await environment.call('POST', things, { body })).code).toBe(201)
      expect((await environment.call('DELETE', `${DEFINITIONS}/${name}s.example.com`)).code).toBe(200)
      await environment.settle()
    }
    const characters = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
    expect(characters).toBeGreaterThan(0)
    expect(characters).toBeLessThan(100_000)
  } finally {
    parse.mockRestore()
  }
})
