import { TestEnvironment } from '@homeostat/apiserver/testing'
import { clusterRole, Manager, role, type PolicyRule } from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applyManifests, distrust, OPTIONS, readState, Replica, SECRET, webhooks } from './replica.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ACCOUNT = { kind: 'ServiceAccount', namespace: 'default', name: 'shelves' }
const USER = { name: 'system:serviceaccount:default:shelves', groups: ['system:authenticated'] }

const leaderElection = { name: 'shelves', namespace: 'default' }
const manager = new Manager({ leaderElection }).addWebhooks(webhooks, OPTIONS)

let environment: TestEnvironment
let replica: Replica
beforeEach(async () => {
  environment = await TestEnvironment.start()
  await applyManifests(environment)
})
afterEach(async () => {
  await replica.stop()
  await environment.close()
})

/** Starts a process that may do what the rules say, and no more. */
async function start(everywhere: readonly PolicyRule[], inside: readonly PolicyRule[]): Promise<void> {
  const namespace = 'default'
  for (const [path, object, kind] of [
    [RBAC, clusterRole('shelves', everywhere), 'ClusterRoleBinding'],
    [`${RBAC}/namespaces/${namespace}`, role({ name: 'shelves', namespace }, inside), 'RoleBinding'],
  ] as const) {
    const roles = `${path}/${object.kind.toLowerCase()}s`
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: object.kind, name: 'shelves' }
    const binding = { ...object, kind, roleRef, subjects: [ACCOUNT], rules: undefined }
    expect((await environment.prepare('POST', roles, object)).code).toBe(201)
    expect((await environment.prepare('POST', roles.replace('roles', 'rolebindings'), binding)).code).toBe(
      201,
    )
  }
  replica = new Replica({ handler: environment.handlerFor(USER), clock: environment.clock }, 'one')
  await environment.advance('1m')
}

const isTrusted = async (): Promise<boolean> =>
  replica.certificate !== undefined &&
  distrust(replica.certificate, await readState(environment), environment.clock.now()).length === 0

describe('the rights of webhooks that keep their own certificates', () => {
  it('are all that they need, and are for single objects where Kubernetes allows that', async () => {
    await start(manager.rules('controllers'), manager.rules('namespace'))
    expect(await isTrusted()).toBe(true)
    await environment.call('DELETE', SECRET)
    await environment.settle()
    expect((await environment.call('GET', SECRET)).code).toBe(200)
    await environment.advance('750h')
    expect(await isTrusted()).toBe(true)
    expect(replica.lines.join('\n')).not.toContain('forbidden')
    const named = manager.rules('namespace').filter(({ resources }) => resources.includes('secrets'))
    expect(named).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['shelves-webhook-certificates'],
        verbs: ['get', 'list', 'watch', 'patch'],
      },
    ])
  })

  it('are named in the log where one is missing', async () => {
    const inside = manager.rules('namespace').filter(({ resources }) => !resources.includes('secrets'))
    await start(manager.rules('controllers'), inside)
    expect(replica.certificate).toBeUndefined()
    const log = replica.lines.join('\n')
    expect(log).toContain('cannot get resource "secrets" in API group "" in the namespace "default"')
    expect(log).toContain('Grant get on secrets to this user with a Role or ClusterRole')
  })
})
