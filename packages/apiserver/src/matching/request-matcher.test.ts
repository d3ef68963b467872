import { expect, test } from 'vitest'
import { ApiServer } from '../server.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

async function start() {
  const server = await ApiServer.start()
  const call = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<number> => {
    const { status } = await server.handler({
      method,
      path,
      query: new URLSearchParams(),
      headers: { 'content-type': method === 'POST' ? 'application/json' : 'application/merge-patch+json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    })
    return status
  }
  return { call, [Symbol.asyncDispose]: () => server.close() }
}

/** A policy that refuses what its rule matches. */
async function refuse(
  call: Awaited<ReturnType<typeof start>>['call'],
  name: string,
  rule: object,
): Promise<void> {
  const resourceRules = [{ operations: ['CREATE'], ...rule }]
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] }
  expect(await call('POST', `${ADMISSION}/validatingadmissionpolicies`, { metadata: { name }, spec })).toBe(
    201,
  )
  const binding = { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } }
  expect(await call('POST', `${ADMISSION}/validatingadmissionpolicybindings`, binding)).toBe(201)
}

test('a rule for a version that is served later also matches requests in the other version', async () => {
  await using server = await start()
  const versions = (...names: string[]) =>
    names.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: { type: 'object' } },
    }))
  const definition = (...names: string[]) => ({
    metadata: { name: 'things.test.dev' },
    spec: {
      group: 'test.dev',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: versions(...names),
    },
  })
  const create = (name: string): Promise<number> =>
    server.call('POST', '/apis/test.dev/v1/namespaces/default/things', {
      apiVersion: 'test.dev/v1',
      kind: 'Thing',
      metadata: { name },
    })
  expect(await server.call('POST', DEFINITIONS, definition('v1'))).toBe(201)
  await refuse(server.call, 'later', { apiGroups: ['test.dev'], apiVersions: ['v2'], resources: ['things'] })
  expect(await create('before')).toBe(201)
  expect(await create('again')).toBe(201)
  expect(await server.call('PATCH', `${DEFINITIONS}/things.test.dev`, definition('v1', 'v2'))).toBe(200)
  expect(await create('after')).toBe(422)
})

test('a rule for one name matches only requests with this name', async () => {
  await using server = await start()
  const core = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
  await refuse(server.call, 'named', { ...core, resourceNames: ['this'] })
  const create = (name: string): Promise<number> =>
    server.call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } })
  expect(await create('other')).toBe(201)
  expect(await create('this')).toBe(422)
  expect(await create('another')).toBe(201)
})
