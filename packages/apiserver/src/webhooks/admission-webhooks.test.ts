import { SimulatedClock, type ApiHandler, type ApiRequest } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiServer } from '../server.ts'
import type { WebhookTarget } from './call/webhook.ts'

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'
const decoder = new TextDecoder()
const encoder = new TextEncoder()

let clock: SimulatedClock
let server: ApiServer
/** The webhooks of a test, by the path of their URL. */
let webhooks: Record<string, ApiHandler>
let called: string[]

beforeEach(async () => {
  clock = new SimulatedClock()
  webhooks = {}
  called = []
  const webhookHandlers = (target: WebhookTarget): ApiHandler | undefined => {
    const path = 'url' in target ? new URL(target.url).pathname : target.service.path
    return webhooks[path]
  }
  server = await ApiServer.start({ clock, webhookHandlers })
})
afterEach(() => server.close())

async function call(method: ApiRequest['method'], path: string, body?: object, type = 'application/json') {
  const response = await server.handler({
    method,
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': type },
    ...(body && { body: encoder.encode(JSON.stringify(body)) }),
  })
  return { status: response.status, body: JSON.parse(decoder.decode(response.body as Uint8Array)) }
}

/** Answers each review by a function of its request. */
function answering(path: string, answer: (request: any) => object | Promise<object>): void {
  webhooks[path] = async ({ body }) => {
    called.push(path)
    const { request } = JSON.parse(decoder.decode(body))
    const response = { uid: request.uid, allowed: true, ...(await answer(request)) }
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: encoder.encode(JSON.stringify(review)),
    }
  }
}

const patched = (...operations: object[]) => ({
  patchType: 'JSONPatch',
  patch: btoa(JSON.stringify(operations)),
})

async function configure(kind: 'mutating' | 'validating', name: string, ...more: object[]): Promise<void> {
  const answer = await call('POST', `${CONFIGURATIONS}/${kind}webhookconfigurations`, {
    metadata: { name },
    webhooks: more.map((webhook, index) => ({
      name: `w${index}.example.com`,
      clientConfig: { url: `https://example.com/${name}` },
      rules: [
        { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'namespaces'] },
      ],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...webhook,
    })),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}

const create = (name = 'a', more: object = {}) =>
  call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name }, ...more })

describe('a webhook in the process', () => {
  it('changes and refuses writes without a port', async () => {
    await configure('mutating', 'change', {})
    await configure('validating', 'judge', {})
    answering('/change', () => patched({ op: 'add', path: '/data', value: { added: 'yes' } }))
    answering('/judge', ({ object }) => (object.data.added === 'yes' ? {} : { allowed: false }))
    const { status, body } = await create()
    expect({ status, data: body.data }).toEqual({ status: 201, data: { added: 'yes' } })
    expect(called).toEqual(['/change', '/judge'])
  })

  it('is called again for an object that another write changed meanwhile', async () => {
    await create('a', { data: { n: '1' } })
    await configure('validating', 'judge', {})
    let first = true
    answering('/judge', async ({ oldObject }) => {
      if (!first) return { allowed: oldObject.data.n === 'other' }
      first = false
      // A write by the server itself, for which the webhook is not called.
      const stored = server.registry.store.get('/configmaps', 'default/a')
      if (!stored) throw new Error('no object')
      const resource = server.registry.catalogue.find('', 'v1', 'configmaps')
      if (!resource) throw new Error('no resource')
      server.registry.put(resource, 'default/a', stored.revision, {
        ...(stored.value as any),
        data: { n: 'other' },
      })
      return {}
    })
    const path = '/api/v1/namespaces/default/configmaps/a'
    const { status } = await call('PATCH', path, { data: { m: '2' } }, 'application/merge-patch+json')
    expect(status).toBe(200)
    expect(called).toEqual(['/judge', '/judge'])
    const { body } = await call('GET', path)
    expect(body.data).toEqual({ n: 'other', m: '2' })
  })

  it('that throws is a webhook that could not be called', async () => {
    await configure('validating', 'broken', {})
    webhooks['/broken'] = () => Promise.reject(new Error('it broke'))
    expect((await create()).body.message).toContain('Post "https://example.com/broken?timeout=10s": it broke')
  })
})

describe('webhooks are called', () => {
  it('in the order of the names of their configurations, then as these list them', async () => {
    for (const name of ['b', 'a', 'c']) {
      await configure('mutating', name, {})
      answering(`/${name}`, () => ({}))
    }
    await create()
    expect(called).toEqual(['/a', '/b', '/c'])
  })

  it('no longer when their configuration is gone', async () => {
    await configure('validating', 'judge', {})
    answering('/judge', () => ({ allowed: false }))
    expect((await create()).status).toBe(400)
    await call('DELETE', `${CONFIGURATIONS}/validatingwebhookconfigurations/judge`)
    expect((await create()).status).toBe(201)
  })

  it('never for webhook configurations themselves', async () => {
    const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }
    await configure('validating', 'judge', { rules: [everything] })
    answering('/judge', () => ({ allowed: false }))
    expect((await call('DELETE', `${CONFIGURATIONS}/validatingwebhookconfigurations/judge`)).status).toBe(200)
    expect(called).toEqual([])
  })

  it('for namespaces by the new labels of the namespace', async () => {
    await configure('validating', 'judge', { namespaceSelector: { matchLabels: { strict: 'yes' } } })
    answering('/judge', ({ namespace }) => ({ allowed: false, status: { message: `not ${namespace}` } }))
    const strict = await call('POST', '/api/v1/namespaces', {
      metadata: { name: 'n', labels: { strict: 'yes' } },
    })
    expect(strict.body.message).toContain('denied the request: not n')
    expect((await call('POST', '/api/v1/namespaces', { metadata: { name: 'm' } })).status).toBe(201)
  })
})

it('a Service without endpoints is a webhook that could not be called', async () => {
  const service = { namespace: 'default', name: 'kubernetes', path: '/nowhere' }
  await configure('validating', 'judge', { clientConfig: { service } })
  expect((await create()).body.message).toContain(
    'Post "https://kubernetes.default.svc:443/nowhere?timeout=10s": no endpoints available for service "kubernetes"',
  )
})
