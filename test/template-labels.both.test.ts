import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'web' }] },
}

test.for([
  ['Job', 'batch/v1', '/apis/batch/v1', { suspend: true, template }],
  [
    'ReplicationController',
    'v1',
    '/api/v1',
    { replicas: 0, template: { ...template, spec: { ...template.spec, restartPolicy: 'Always' } } },
  ],
] as const)(
  'a %s that a write of its status leaves without labels has those of its template',
  async ([kind, apiVersion, root, spec]) => {
    const path = `${root}/namespaces/${server.namespace}/${kind.toLowerCase()}s`
    const metadata = { name: 'web', labels: { own: 'label' } }
    const created = await server.call('POST', path, { body: { apiVersion, kind, metadata, spec } })
    expect(created.status).toBe(201)
    expect(created.body.metadata.labels).toEqual({ own: 'label' })
    const { labels } = created.body.spec.template.metadata
    expect(labels).toMatchObject({ app: 'web' })
    const body = { apiVersion, kind, metadata: { name: 'web' }, status: created.body.status }
    const written = await server.call('PUT', `${path}/web/status`, { body })
    expect([written.status, written.body.metadata.labels]).toEqual([200, labels])
    const read = await server.call('GET', `${path}/web`)
    expect(read.body.metadata.labels).toEqual(labels)
    // No manager owns them: they were not written.
    const owned = read.body.metadata.managedFields.map((entry: any) => entry.fieldsV1['f:metadata'])
    expect(owned.filter((fields: unknown) => JSON.stringify(fields ?? {}).includes('f:app'))).toEqual([])
  },
)
