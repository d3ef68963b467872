import { turnOfTheEventLoop } from '@homeostat/api'
import { expect, test, vi } from 'vitest'
import { TestEnvironment } from '../../testing/test-environment.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GNOSTIC = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

function definition(name: string, more: object = {}): object {
  const kind = name.charAt(0).toUpperCase() + name.slice(1)
  const fields = Array.from({ length: 20 }, (_, index) => [
    `field${index}`,
    { type: 'string', description: `Field ${index} of ${name}.` },
  ])
  const spec = { type: 'object', properties: { ...Object.fromEntries(fields), ...more } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural: `${name}s` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  }
}

async function define(environment: TestEnvironment, name: string): Promise<void> {
  expect((await environment.call('POST', DEFINITIONS, { body: definition(name) })).code).toBe(201)
}

/** The number of turns of the event loop until the promise is fulfilled. */
async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  const state = { turns: 0, done: false }
  const end = promise.finally(() => (state.done = true))
  while (!state.done) {
    await turnOfTheEventLoop()
    state.turns++
  }
  await end
  return state.turns
}

test('making the document of many definitions does not block the event loop', async () => {
  await using environment = await TestEnvironment.start()
  for (let index = 0; index < 60; index++) await define(environment, `thing${index}x`)
  await environment.settle()
  const json = await turnsUntil(environment.call('GET', '/openapi/v2'))
  expect(json).toBeGreaterThan(60)
  const headers = { accept: GNOSTIC }
  const protobuf = await turnsUntil(environment.call('GET', '/openapi/v2', { headers }))
  expect(protobuf).toBeGreaterThan(25)
})

test('a new definition is encoded, and no other is encoded again', async () => {
  await using environment = await TestEnvironment.start()
  for (const name of ['alpha', 'beta', 'gamma']) await define(environment, name)
  await environment.settle()
  const whole = JSON.stringify((await environment.call('GET', '/openapi/v2')).body)
  await define(environment, 'delta')
  await environment.settle()
  const stringify = vi.spyOn(JSON, 'stringify')
  try {
    const { body } = await environment.call('GET', '/openapi/v2')
    const written = stringify.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
    expect(Object.keys((body as { definitions: object }).definitions)).toContain('com.example.v1.Delta')
    expect(written).toBeGreaterThan(1_000)
    expect(written).toBeLessThan(whole.length / 20)
  } finally {
    stringify.mockRestore()
  }
})

test('the document is cached until a definition is added, changed or removed', async () => {
  await using environment = await TestEnvironment.start()
  const tag = async (accept?: string): Promise<string | undefined> =>
    (await environment.call('GET', '/openapi/v2', accept ? { headers: { accept } } : {})).headers['etag']
  const first = await tag()
  expect(await tag(GNOSTIC)).toBe(first)
  await environment.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'other' } } })
  expect(await tag()).toBe(first)
  await define(environment, 'thing')
  await environment.settle()
  const second = await tag()
  expect(second).not.toBe(first)
  await environment.call('DELETE', `${DEFINITIONS}/things.example.com`)
  await environment.settle()
  expect(await tag()).toBe(first)
  expect(await tag(GNOSTIC)).toBe(first)
})
