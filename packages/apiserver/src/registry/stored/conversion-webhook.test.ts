import type { ApiRequest } from '@homeostat/api'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiServer } from '../../server.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const clock = new SimulatedClock()
let server: ApiServer

async function call(method: ApiRequest['method'], path: string, body?: object) {
  const response = await server.handler({
    method,
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    body: body && new TextEncoder().encode(JSON.stringify(body)),
  })
  return { status: response.status, body: JSON.parse(new TextDecoder().decode(response.body as Uint8Array)) }
}

const versions = (storage: string) =>
  ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: 'object' } },
  }))
const things = (version: string, name = '') => `/apis/example.com/${version}/namespaces/team/things${name}`
const thing = (version: string, name: string) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Thing',
  metadata: { name },
})

describe('a definition with a conversion webhook', () => {
  beforeEach(async () => {
    server = await ApiServer.start({ clock })
    await call('POST', '/api/v1/namespaces', { metadata: { name: 'team' } })
    const service = { namespace: 'hooks', name: 'convert', path: 'things' }
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { service } }
    await call('POST', DEFINITIONS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: versions('v1'),
        conversion: { strategy: 'Webhook', webhook },
      },
    })
    await clock.settle()
    await call('POST', things('v1'), thing('v1', 'of-v1'))
    await call('PATCH', `${DEFINITIONS}/things.example.com`, { spec: { versions: versions('v2') } })
    await clock.settle()
    await call('POST', things('v2'), thing('v2', 'of-v2'))
  })
  afterEach(() => server.close())

  it('names the address that a Service stands for', async () => {
    expect((await call('GET', things('v2', '/of-v1'))).body.message).toBe(
      'conversion webhook for example.com/v1, Kind=Thing failed: Post "https://convert.hooks.svc:443/things?timeout=30s": this API server does not call webhooks',
    )
  })

  it('goes with objects of all versions', async () => {
    await call('DELETE', `${DEFINITIONS}/things.example.com`)
    await clock.settle()
    expect((await call('GET', `${DEFINITIONS}/things.example.com`)).status).toBe(404)
  })

  it('does not keep a namespace from going', async () => {
    await call('DELETE', '/api/v1/namespaces/team')
    await clock.settle()
    expect((await call('GET', things('v1', '/of-v1'))).status).toBe(404)
    expect((await call('GET', things('v2', '/of-v2'))).status).toBe(404)
  })
})
