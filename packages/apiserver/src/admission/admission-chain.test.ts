import { expect, test } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'
import type { AdmissionHook, AdmissionRequest } from './index.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const start = (admit: AdmissionHook) => TestEnvironment.start({ admit })

test('a hook sees the operation, the user and the objects of each write', async () => {
  const seen: object[] = []
  await using env = await start(
    ({ operation, kind, subresource, name, namespace, object, oldObject, user, dryRun }) => {
      const [data, old] = [object?.['data'], oldObject?.['data']]
      seen.push({
        operation,
        kind: kind.kind,
        subresource,
        name,
        namespace,
        data,
        old,
        user: user.name,
        dryRun,
      })
    },
  )
  await env.call('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: '1' } } })
  const headers = { 'content-type': 'application/merge-patch+json' }
  await env.call('PATCH', `${MAPS}/a?dryRun=All`, { body: { data: { k: '2' } }, headers })
  await env.call('DELETE', `${MAPS}/a`)
  await env.call('GET', MAPS)
  const common = {
    kind: 'ConfigMap',
    name: 'a',
    namespace: 'default',
    user: 'homeostat-admin',
    subresource: undefined,
  }
  expect(seen).toEqual([
    { ...common, operation: 'CREATE', data: { k: '1' }, old: undefined, dryRun: false },
    { ...common, operation: 'UPDATE', data: { k: '2' }, old: { k: '1' }, dryRun: true },
    { ...common, operation: 'DELETE', data: undefined, old: { k: '1' }, dryRun: false },
  ])
})

test('changes of a hook are stored with defaults, and have no field manager', async () => {
  await using env = await start(({ object, kind }) => {
    if (kind.kind === 'Service') object!['spec'] = { ...(object!['spec'] as object), ports: [{ port: 80 }] }
    else if (object) object['data'] = { ...(object['data'] as object), added: 'yes' }
  })
  const { body } = await env.call('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: '1' } } })
  expect(body.data).toEqual({ k: '1', added: 'yes' })
  expect(body.metadata.managedFields[0].fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:k': {} } })
  const service = await env.call('POST', '/api/v1/namespaces/default/services', {
    body: { metadata: { name: 's' }, spec: {} },
  })
  expect(service.body.spec.ports).toEqual([{ port: 80, protocol: 'TCP', targetPort: 80 }])
  const headers = { 'content-type': 'application/merge-patch+json' }
  const patched = await env.call('PATCH', `${MAPS}/a`, { body: { data: { added: null, k: '2' } }, headers })
  expect(patched.body.data).toEqual({ k: '2', added: 'yes' })
})

test('a hook refuses with a sentence, or with a status of its own', async () => {
  const admit = ({ name, refuse }: AdmissionRequest): void => {
    if (name === 'no') refuse('not here')
    if (name === '') refuse('no name')
    if (name === 'teapot') {
      refuse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'tea', code: 418 })
    }
  }
  await using env = await start(admit)
  const make = (metadata: object) => env.call('POST', MAPS, { body: { metadata } })
  expect((await make({ name: 'no' })).body).toMatchObject({
    code: 403,
    message: 'configmaps "no" is forbidden: not here',
    details: { name: 'no', kind: 'configmaps' },
  })
  expect((await make({ generateName: 'x-' })).body.message).toBe('configmaps "x-" is forbidden: no name')
  expect((await make({ name: 'teapot' })).code).toBe(418)
  expect((await make({ name: 'yes' })).code).toBe(201)
})

test('the warning of a hook reaches the client, and the write waits for an asynchronous hook', async () => {
  await using env = await start(async ({ warn }) => {
    await Promise.resolve()
    warn('mind the gap')
  })
  const { code, headers } = await env.call('POST', MAPS, { body: { metadata: { name: 'a' } } })
  expect(code).toBe(201)
  expect(headers['warning']).toBe('299 - "mind the gap"')
})

test('an exception in a hook is answered with a 500', async () => {
  await using env = await start(() => {
    throw new TypeError('broken hook')
  })
  const { body } = await env.call('POST', MAPS, { body: { metadata: { name: 'a' } } })
  expect(body).toMatchObject({
    code: 500,
    reason: 'InternalError',
    message: expect.stringContaining('broken hook'),
  })
})

test('a deletion passes admission again when another write came first', async () => {
  const olds: unknown[] = []
  await using env = await start(async ({ operation, oldObject }) => {
    if (operation !== 'DELETE') return
    olds.push(oldObject?.['data'])
    if (olds.length > 1) return
    const headers = { 'content-type': 'application/merge-patch+json' }
    await env.call('PATCH', `${MAPS}/a`, { body: { data: { k: '2' } }, headers })
  })
  await env.call('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: '1' } } })
  expect((await env.call('DELETE', `${MAPS}/a`)).code).toBe(200)
  expect(olds).toEqual([{ k: '1' }, { k: '2' }])
})

test('the default namespaces cannot be deleted', async () => {
  await using env = await TestEnvironment.start()
  const { body } = await env.call('DELETE', '/api/v1/namespaces/default')
  expect(body).toMatchObject({
    code: 403,
    message: 'namespaces "default" is forbidden: this namespace may not be deleted',
  })
})
