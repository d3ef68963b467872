import { expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

test('every answer about Endpoints says what to use instead, also a failure', async () => {
  await using env = await TestEnvironment.start()
  const warning = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"'
  const list = await env.call('GET', '/api/v1/endpoints')
  expect([list.code, list.headers['warning']]).toEqual([200, warning])
  const missing = await env.call('GET', '/api/v1/namespaces/default/endpoints/none')
  expect([missing.code, missing.headers['warning']]).toEqual([404, warning])
  expect((await env.call('GET', '/api/v1/services')).headers['warning']).toBeUndefined()
})

test('a deprecated version of a definition warns, with the definition’s own text if it has one', async () => {
  await using env = await TestEnvironment.start()
  const schema = { openAPIV3Schema: { type: 'object' } }
  const version = (name: string, more: object) => ({ name, served: true, storage: false, schema, ...more })
  const versions = [
    version('v1', { storage: true }),
    version('v1beta1', { deprecated: true }),
    version('v1alpha1', { deprecated: true, deprecationWarning: 'too "old"' }),
  ]
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget' }
  const body = {
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions },
  }
  expect((await env.call('POST', DEFINITIONS, { body })).code).toBe(201)
  const warningOf = async (name: string): Promise<string | undefined> =>
    (await env.call('GET', `/apis/example.com/${name}/widgets`)).headers['warning']
  expect(await warningOf('v1')).toBeUndefined()
  expect(await warningOf('v1beta1')).toBe(
    '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
  )
  expect(await warningOf('v1alpha1')).toBe(String.raw`299 - "too \"old\""`)
})
