import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { At, at } from '@homeostat/example-at'
import { markdownView, MarkdownView } from '@homeostat/example-markdownview'
import { connect, loadConfig, timestamp, type Controller } from 'homeostat'
import { describe, expect, inject, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startTestServer, type TestServer } from '../test-server.ts'
import { runOperator } from './operator.ts'

const COLLECTIONS: Record<string, string> = {
  ServiceAccount: '/api/v1/namespaces/{namespace}/serviceaccounts',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
}

describe('under exactly the role in its manifests', () => {
  it('MarkdownView makes, heals and reports', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runAsAccount(server, 'markdownview', markdownView)
    const key = { namespace: server.namespace, name: 'sample' }
    await server.client.create(MarkdownView, { metadata: key, spec: { markdowns: { 'one.md': '# One' } } })
    await server.until('the status', async () =>
      operator.writes.includes('PATCH markdownviews/sample/status'),
    )
    await server.client.patch(MarkdownView, key, {
      type: 'merge',
      body: { spec: { markdowns: { 'one.md': '# Two' } } },
    })
    await server.until('the update', async () => operator.writes.includes('PUT configmaps/markdowns-sample'))
    expect(operator.reports.filter((report) => report.error)).toEqual([])
  })

  it('At runs its Pod', async () => {
    await using server = await startTestServer({ kinds: [At] })
    await using operator = await runAsAccount(server, 'at', at)
    await server.client.create(At, {
      metadata: { namespace: server.namespace, name: 'hello' },
      spec: { schedule: timestamp(server.clock.now()), command: 'true' },
    })
    await server.until('the Pod', async () => operator.writes.includes('POST pods'))
    expect(operator.reports.filter((report) => report.error)).toEqual([])
  })
})

/** Runs the operator as the ServiceAccount of its manifests, with a token of its own and no other rights. */
async function runAsAccount(server: TestServer, example: string, controller: Controller) {
  await create(server, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: `${example}-system` },
  })
  const file = resolve(import.meta.dirname, '../../examples', example, 'manifests/rbac.yaml')
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
    const object = document.toJS() as { kind: string; metadata: { namespace?: string } }
    const collection = COLLECTIONS[object.kind]
    if (!collection) throw new Error(`${file} holds a ${object.kind}, which this test does not know`)
    await create(server, collection.replace('{namespace}', object.metadata.namespace ?? ''), object)
  }
  const account = `/api/v1/namespaces/${example}-system/serviceaccounts/${example}`
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const answer = await server.call('POST', `${account}/token`, { body })
  expect(answer.status).toBe(201)
  const { kubeconfig } = inject('kubernetes')
  const transport = connect(
    { ...loadConfig({ kubeconfig }), token: answer.body.status.token },
    { clock: server.clock },
  )
  return runOperator({ ...server, transport }, controller)
}

async function create(server: TestServer, path: string, body: object): Promise<void> {
  const { status } = await server.call('POST', path, { body })
  expect([201, 409]).toContain(status)
}
