import { Tenant, tenant } from '@homeostat/example-tenant'
import { findCondition } from 'homeostat'
import { Namespace, RoleBinding } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { runOperator } from './operator.ts'

describe('Tenant', () => {
  it('lets its members work in its Namespaces, and no former member', async () => {
    await using server = await startTestServer({ kinds: [Tenant] })
    await using _ = await runOperator(server, tenant)
    const name = server.namespace
    const namespace = `${name}-web`
    await create(server, name, [namespace], ['alice', 'bob'])
    await server.until('bob to be let in', () => may(server, 'bob', namespace))
    expect(await may(server, 'bob', 'default')).toBe(false)

    const body = { spec: { members: ['alice', 'carol'] } }
    await server.client.patch(Tenant, { name }, { type: 'merge', body })
    await server.until('carol to be let in', () => may(server, 'carol', namespace))
    await server.until('bob to be locked out', async () => !(await may(server, 'bob', namespace)))
    expect(await may(server, 'alice', namespace)).toBe(true)
    const bindings = await server.client.list(RoleBinding, { namespace })
    expect(bindings.map(({ metadata }) => metadata.name).sort()).toEqual([
      `tenant-${name}-alice`,
      `tenant-${name}-carol`,
    ])
    await server.client.delete(Tenant, { name })
    if (!server.controllers) return
    await server.until('its Namespace to go', async () => {
      return (await server.client.get(Namespace, { name: namespace })) === undefined
    })
  })

  it('reports a Namespace that is another’s, does not fight for it, and takes it when it is free', async () => {
    await using server = await startTestServer({ kinds: [Tenant] })
    await using operator = await runOperator(server, tenant)
    const [a, b] = [`${server.namespace}-a`, `${server.namespace}-b`]
    const shared = `${server.namespace}-shared`
    await create(server, a, [shared], [])
    await server.until('a to be ready', async () => (await ready(server, a))?.status === 'True')
    const { metadata } = await server.client.getOrThrow(Namespace, { name: shared })
    await create(server, b, [shared], [])
    const conflict = await server.until('the conflict', () => ready(server, b))
    expect(conflict).toMatchObject({
      status: 'False',
      reason: 'NamespaceUnavailable',
      message: `the Namespace ${shared} belongs to Tenant ${a}`,
    })
    const before = await server.client.getOrThrow(Namespace, { name: shared })
    expect(before.metadata.ownerReferences).toEqual(metadata.ownerReferences)
    expect((await ready(server, a))?.status).toBe('True')
    expect(operator.reports.filter(({ result }) => result !== 'success')).toEqual([])

    const body = { spec: { namespaces: [`${server.namespace}-other`] } }
    await server.client.patch(Tenant, { name: a }, { type: 'merge', body })
    await server.until('b to have it', async () => (await ready(server, b))?.status === 'True')
    const after = await server.client.getOrThrow(Namespace, { name: shared })
    expect(after.metadata.ownerReferences).toMatchObject([{ kind: 'Tenant', name: b }])
    for (const name of [a, b]) await server.client.delete(Tenant, { name })
  })
})

function create(server: TestServer, name: string, namespaces: string[], members: string[]) {
  return server.client.create(Tenant, { metadata: { name }, spec: { namespaces, members } })
}

async function ready(server: TestServer, name: string) {
  return findCondition((await server.client.get(Tenant, { name }))?.status?.conditions, 'Ready')
}

/** Asks the server itself whether a user may create Deployments there. */
async function may(server: TestServer, user: string, namespace: string): Promise<boolean> {
  const resourceAttributes = { namespace, group: 'apps', resource: 'deployments', verb: 'create' }
  const { body } = await server.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, resourceAttributes },
    },
  })
  return body.status.allowed
}
