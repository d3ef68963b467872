import { afterEach, beforeEach, expect, test } from 'vitest'
import { callJson, TestEnvironment } from '../../testing/index.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const EVE = { name: 'eve', groups: ['staff', 'system:authenticated'] }

let env: TestEnvironment
beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

const make = async (plural: string, body: object): Promise<void> => {
  const { code, body: answer } = await env.call('POST', `${RBAC}/${plural}`, { body })
  expect(code, answer.message).toBe(201)
}
const codeFor = async (path: string, user = EVE): Promise<number> =>
  (await callJson(env.server.handlerFor(user), 'GET', path)).code
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]
const PODS = '/api/v1/namespaces/default/pods'

test('a binding takes effect with the next request, and ends with its deletion', async () => {
  expect(await codeFor(PODS)).toBe(403)
  await make('namespaces/default/roles', { metadata: { name: 'reader' }, rules })
  await make('namespaces/default/rolebindings', {
    metadata: { name: 'readers' },
    subjects: [{ kind: 'Group', name: 'staff' }],
    roleRef: { kind: 'Role', name: 'reader' },
  })
  expect(await codeFor(PODS)).toBe(200)
  expect(await codeFor('/api/v1/namespaces/kube-system/pods')).toBe(403)
  expect(await codeFor('/api/v1/pods')).toBe(403)
  await env.call('DELETE', `${RBAC}/namespaces/default/rolebindings/readers`)
  expect(await codeFor(PODS)).toBe(403)
})

test('a change of a role takes effect with the next request', async () => {
  await make('clusterroles', { metadata: { name: 'reader' }, rules: [] })
  await make('clusterrolebindings', {
    metadata: { name: 'readers' },
    subjects: [{ kind: 'User', name: 'eve' }],
    roleRef: { kind: 'ClusterRole', name: 'reader' },
  })
  expect(await codeFor('/api/v1/pods')).toBe(403)
  const merge = { 'content-type': 'application/merge-patch+json' }
  await env.call('PATCH', `${RBAC}/clusterroles/reader`, { body: { rules }, headers: merge })
  expect(await codeFor('/api/v1/pods')).toBe(200)
})

test('a ServiceAccount subject without a namespace is in the binding’s namespace', async () => {
  await make('namespaces/default/rolebindings', {
    metadata: { name: 'viewer' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
    roleRef: { kind: 'ClusterRole', name: 'view' },
  })
  const robot = (namespace: string) => ({ name: `system:serviceaccount:${namespace}:robot`, groups: [] })
  expect(await codeFor(PODS, robot('default'))).toBe(200)
  expect(await codeFor(PODS, robot('kube-system'))).toBe(403)
})

test('the default roles exist: admin, edit and view have the rules that they aggregate', async () => {
  const { body } = await env.call('GET', `${RBAC}/clusterroles`)
  const sizes = Object.fromEntries(body.items.map((role: any) => [role.metadata.name, role.rules?.length]))
  expect(Object.keys(sizes)).toHaveLength(69)
  expect(sizes['admin']).toBeGreaterThan(sizes['edit'])
  expect(sizes['edit']).toBeGreaterThan(sizes['view'])
  expect(sizes['view']).toBe(sizes['system:aggregate-to-view'])
})

test('an aggregated role follows the roles that its rule selects', async () => {
  const more = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get', 'list'] }]
  await make('clusterroles', {
    metadata: { name: 'widgets', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: more,
  })
  await env.settle()
  for (const name of ['view', 'edit', 'admin']) {
    const { body } = await env.call('GET', `${RBAC}/clusterroles/${name}`)
    expect(body.rules).toContainEqual(more[0])
    expect(body.metadata.managedFields[0]).toMatchObject({
      manager: 'clusterrole-aggregation-controller',
      operation: 'Apply',
      fieldsV1: { 'f:rules': {} },
    })
  }
  await env.call('DELETE', `${RBAC}/clusterroles/widgets`)
  await env.settle()
  const { body } = await env.call('GET', `${RBAC}/clusterroles/admin`)
  expect(body.rules).not.toContainEqual(more[0])
})

test('a user’s aggregated role gets its rules, also when the selected role is created first', async () => {
  await make('clusterroles', { metadata: { name: 'part', labels: { sum: 'yes' } }, rules })
  await make('clusterroles', {
    metadata: { name: 'sum' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { sum: 'yes' } }] },
    rules: [],
  })
  await env.settle()
  expect((await env.call('GET', `${RBAC}/clusterroles/sum`)).body.rules).toEqual(rules)
})
