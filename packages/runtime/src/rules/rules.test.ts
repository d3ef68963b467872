import { defineKind, schema as s, SimulatedClock, type ApiRequest } from '@homeostat/api'
import { ClusterRole, ConfigMap, Deployment, Pod, Secret } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { controller } from '../controller/builder.ts'
import { FinalizerRegistry } from '../ownership/index.ts'
import { every } from '../source/every.ts'
import { directTransport } from '../transport/direct-transport.ts'
import { Manager } from '../manager/manager.ts'
import { recordRules } from './record-rules.ts'
import { clusterRole, role } from './roles.ts'

const At = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'At',
  spec: s.object({ command: s.string() }),
})

const at = controller('at').for(At)
const read = ['get', 'list', 'watch']
const events = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }
const rulesOf = (builder: { reconcile(reconcile: () => void): any }) =>
  new Manager().add(builder.reconcile(() => {})).rules()

describe('the rules of a manager', () => {
  test('let its controllers read the kinds that they watch or declare to read, and write events', () => {
    const built = at
      .watches(Secret, () => undefined)
      .watches(every('1h'), () => undefined)
      .reads(ConfigMap)
    expect(rulesOf(built)).toEqual([
      { apiGroups: ['example.com'], resources: ['ats'], verbs: read },
      { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: read },
      events,
    ])
  })

  test.each(['status', 'craete', 'toString'])('cannot be made of %s, which is not a way to write', (verb) => {
    expect(() => rulesOf(at.writes(ConfigMap, verb as 'create'))).toThrow(
      new TypeError(
        `${verb} is not a way to write ConfigMap: there are create, update, patch, apply, createOrUpdate, createOrPatch, delete, deleteAllOf, bind, escalate, and those of a subresource, such as status.apply`,
      ),
    )
  })

  test('let an owner block deletion in its children’s owner references', () => {
    expect(rulesOf(at.owns(Deployment))).toEqual([
      { apiGroups: ['example.com'], resources: ['ats'], verbs: read },
      { apiGroups: ['example.com'], resources: ['ats/finalizers'], verbs: ['update'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: read },
      events,
    ])
  })

  test('let its controllers write what they declare, and nothing else', () => {
    const built = at
      .writes(At, 'status.apply', 'patch')
      .writes(Deployment, 'apply', 'delete', 'scale.update')
      .writes(ConfigMap, 'deleteAllOf')
      .writes(ClusterRole, 'apply', 'escalate', 'bind')
    expect(rulesOf(built).slice(0, -1)).toEqual([
      { apiGroups: ['example.com'], resources: ['ats'], verbs: [...read, 'patch'] },
      { apiGroups: ['example.com'], resources: ['ats/status'], verbs: ['patch'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: [...read, 'create', 'patch', 'delete'] },
      { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'deletecollection'] },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        verbs: [...read, 'create', 'patch', 'bind', 'escalate'],
      },
    ])
  })

  test('allow all requests of the helpers', () => {
    const built = at
      .uses(new FinalizerRegistry(At))
      .writes(ConfigMap, 'createOrUpdate')
      .writes(Secret, 'createOrPatch')
      .writes(Deployment, 'scale.apply')
      .writes(Pod, 'eviction.create', 'log.get')
      .rules({ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] })
    expect(rulesOf(built)).toEqual([
      { apiGroups: ['example.com'], resources: ['ats'], verbs: [...read, 'patch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: [...read, 'create', 'update'] },
      { apiGroups: [''], resources: ['secrets'], verbs: [...read, 'create', 'patch'] },
      { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: read },
      { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get', 'patch'] },
      events,
      { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] },
    ])
  })

  test('join what several controllers need', () => {
    const other = controller('other')
      .for(At)
      .writes(At, 'update')
      .reconcile(() => {})
    const manager = new Manager().add(
      at.reconcile(() => {}),
      other,
    )
    expect(manager.rules()[0]).toEqual({
      apiGroups: ['example.com'],
      resources: ['ats'],
      verbs: [...read, 'update'],
    })
  })

  test('allow its own Lease with leader election, in a separate Role', () => {
    const manager = new Manager({ leaderElection: { name: 'at' } }).add(at.reconcile(() => {}))
    const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
    const election = [
      { ...lease, verbs: ['create'] },
      { ...lease, resourceNames: ['at'], verbs: ['get', 'update'] },
    ]
    expect(manager.rules('leaderElection')).toEqual(election)
    expect(manager.rules()).toEqual([...manager.rules('controllers'), ...election])
    expect(role({ name: 'at', namespace: 'ops' }, election)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'at', namespace: 'ops' },
      rules: election,
    })
    expect(clusterRole('at', [events])).toMatchObject({ kind: 'ClusterRole', metadata: { name: 'at' } })
  })
})

describe('a recording transport', () => {
  const apply = { 'content-type': 'application/apply-patch+yaml' }
  test.each<[string, ApiRequest['method'], string, Record<string, string>, string]>([
    ['a list', 'GET', '/api/v1/pods', {}, 'pods: list'],
    ['a watch', 'GET', '/api/v1/namespaces/x/pods?watch=true', {}, 'pods: watch'],
    ['a read', 'GET', '/apis/apps/v1/namespaces/x/deployments/y', {}, 'deployments.apps: get'],
    ['a namespace', 'GET', '/api/v1/namespaces/x', {}, 'namespaces: get'],
    ['a create', 'POST', '/api/v1/namespaces/x/pods', {}, 'pods: create'],
    ['an update', 'PUT', '/api/v1/namespaces/x/pods/y', {}, 'pods: update'],
    ['a patch of a part', 'PATCH', '/api/v1/namespaces/x/pods/y/status', {}, 'pods/status: patch'],
    ['an apply', 'PATCH', '/api/v1/namespaces/x/pods/y', apply, 'pods: create patch'],
    ['an apply of a part', 'PATCH', '/api/v1/namespaces/x/pods/y/status', apply, 'pods/status: patch'],
    ['a delete', 'DELETE', '/api/v1/namespaces/x/pods/y', {}, 'pods: delete'],
    ['a delete of all', 'DELETE', '/api/v1/namespaces/x/pods', {}, 'pods: deletecollection'],
  ])('records the rights that %s needs', async (_, method, target, headers, rule) => {
    const answer = { status: 200, headers: {}, body: new Uint8Array() }
    const recorder = recordRules(
      directTransport(() => Promise.resolve(answer), { clock: new SimulatedClock() }),
    )
    const [path = '', query] = target.split('?')
    await recorder.send({ method, path, query: new URLSearchParams(query), headers })
    const texts = recorder
      .rules()
      .map(
        ({ apiGroups, resources, verbs }) =>
          `${[resources[0], apiGroups[0]].filter(Boolean).join('.')}: ${verbs.join(' ')}`,
      )
    expect(texts).toEqual([rule])
  })
})
