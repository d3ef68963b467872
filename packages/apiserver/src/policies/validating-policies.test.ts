import { expect, test } from 'vitest'
import { ApiServer } from '../server.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

async function start() {
  const server = await ApiServer.start()
  const send = async (method: 'POST' | 'PUT', path: string, body: object): Promise<number> => {
    const { status } = await server.handler({
      method,
      path,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    })
    return status
  }
  const bind = async (name: string, spec: object): Promise<void> => {
    expect(await send('POST', `${ADMISSION}/validatingadmissionpolicies`, policy(name, spec))).toBe(201)
    const binding = { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } }
    expect(await send('POST', `${ADMISSION}/validatingadmissionpolicybindings`, binding)).toBe(201)
  }
  const create = (name: string): Promise<number> =>
    send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } })
  return { send, bind, create, [Symbol.asyncDispose]: () => server.close() }
}

function policy(name: string, spec: object): object {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }
  return { metadata: { name }, spec: { matchConstraints: { resourceRules: [rule] }, ...spec } }
}

test('policies with the same match condition are evaluated where it holds', async () => {
  await using server = await start()
  const matchConditions = [{ name: 'chosen', expression: "object.metadata.name.startsWith('chosen')" }]
  await server.bind('a', { matchConditions, validations: [{ expression: 'true' }] })
  await server.bind('b', {
    matchConditions,
    validations: [{ expression: "!object.metadata.name.endsWith('wrong')" }],
  })
  expect(await server.create('chosen-wrong')).toBe(422)
  expect(await server.create('wrong')).toBe(201)
  expect(await server.create('chosen-right')).toBe(201)
})

test('a policy that another policy for other resources came before is in effect at once', async () => {
  await using server = await start()
  const other = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }
  const validations = [{ expression: 'false' }]
  await server.bind('a', { matchConstraints: { resourceRules: [other] }, validations })
  expect(await server.create('one')).toBe(201)
  await server.bind('b', { validations })
  expect(await server.create('two')).toBe(422)
})
