import { OperatorTest } from '@homeostat/cluster/testing'
import { findCondition } from 'homeostat'
import { PersistentVolumeClaim, Service, StatefulSet } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { buildService, buildStatefulSet } from './builder.ts'
import { MariaDB } from './mariadb.ts'
import operator from './operator.ts'

const key = { namespace: 'default', name: 'db' }
const FINALIZER = 'mariadb.example.com/data'

describe('MariaDB', () => {
  it('is served by a StatefulSet with storage and the password of the Secret, behind a Service', async () => {
    await using test = await start()
    const { metadata } = await create(test)
    await test.settle()

    const owner = [{ kind: 'MariaDB', name: 'db', uid: metadata.uid, controller: true }]
    const service = await test.client.getOrThrow(Service, key)
    expect(service.metadata.ownerReferences).toMatchObject(owner)
    expect(service.spec).toMatchObject({
      type: 'ClusterIP',
      selector: { 'app.kubernetes.io/instance': 'db' },
      ports: [{ name: 'mysql', port: 3306, targetPort: 'mysql' }],
    })
    const servers = await test.client.getOrThrow(StatefulSet, key)
    expect(servers.metadata.ownerReferences).toMatchObject(owner)
    expect(servers.spec.template.spec?.containers).toMatchObject([
      {
        image: 'mariadb:11',
        args: ['--port=3306'],
        env: [
          { name: 'MARIADB_ROOT_PASSWORD', valueFrom: { secretKeyRef: { name: 'root', key: 'password' } } },
        ],
        volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }],
      },
    ])
    expect(servers.spec.volumeClaimTemplates).toMatchObject([
      { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } },
    ])
  })

  it('tells how many of its servers are ready', async () => {
    await using test = await start()
    await create(test, { replicas: 2 })
    await test.settle()
    expect((await get(test)).status).toMatchObject({ readyReplicas: 0 })
    expect(await ready(test)).toMatchObject({ status: 'False', message: '0 of 2 servers are ready' })
    await become(test, { replicas: 2, readyReplicas: 2 })
    expect(await ready(test)).toMatchObject({ status: 'True', reason: 'ServersReady' })
    await become(test, { replicas: 2, readyReplicas: 1 })
    expect(await ready(test)).toMatchObject({ status: 'False', message: '1 of 2 servers are ready' })
  })

  it('patches what differs, and sends nothing else', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    test.writes()
    await change(test, { replicas: 3 })
    expect(test.writes()).toEqual(['patch statefulsets default/db', 'patch mariadbs/status default/db'])
    expect((await test.client.getOrThrow(StatefulSet, key)).spec.replicas).toBe(3)

    await change(test, { service: { type: 'LoadBalancer', loadBalancerClass: 'example.com/internal' } })
    expect(test.writes()).toEqual(['patch services default/db'])
    expect((await test.client.getOrThrow(Service, key)).spec).toMatchObject({
      type: 'LoadBalancer',
      loadBalancerClass: 'example.com/internal',
    })
    await change(test, { service: { type: 'ClusterIP', loadBalancerClass: null } })
    const { spec } = await test.client.getOrThrow(Service, key)
    expect([spec?.type, spec?.loadBalancerClass]).toEqual(['ClusterIP', undefined])
  })

  it('puts back what another changed: the selector, the type, the number of replicas', async () => {
    await using test = await start()
    await create(test, { replicas: 2 })
    await test.settle()
    const merge = (spec: object) => ({ type: 'merge', body: { spec } }) as const
    await test.client.patch(Service, key, merge({ type: 'NodePort', selector: { app: 'other' } }))
    await test.client.patch(StatefulSet, key, merge({ replicas: 7 }))
    await test.settle()
    const { spec } = await test.client.getOrThrow(Service, key)
    expect(spec).toMatchObject({
      type: 'ClusterIP',
      selector: { 'app.kubernetes.io/name': 'mariadb', 'app.kubernetes.io/instance': 'db' },
    })
    expect(spec?.selector).not.toHaveProperty('app')
    expect((await test.client.getOrThrow(StatefulSet, key)).spec.replicas).toBe(2)
  })

  it('keeps storage that was written in another form as it is', async () => {
    await using test = await start()
    await create(test, { storage: '1024Mi' })
    await test.settle()
    test.writes()
    await change(test, { image: 'mariadb:12' })
    expect(test.writes()).toEqual(['patch statefulsets default/db'])
    expect(test.reports.filter(({ error }) => error)).toEqual([])
  })

  it.each([
    [{ storage: '2Gi' }, 'spec.storage: Invalid value: "2Gi": value is immutable'],
    [{ service: { loadBalancerClass: 'x' } }, 'loadBalancerClass needs type LoadBalancer'],
    [{ dataPolicy: 'Forget' }, 'supported values: "Retain", "Delete"'],
  ])('refuses %j, and says why', async (spec, message) => {
    await using test = await start()
    await create(test)
    await expect(change(test, spec)).rejects.toThrow(message)
  })

  it('leaves the data when it goes, where the policy is Retain', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    expect((await get(test)).metadata.finalizers).toEqual([FINALIZER])
    await claim(test, 'data-db-0')
    await test.client.delete(MariaDB, key)
    await test.settle()
    expect(await test.client.get(MariaDB, key)).toBeUndefined()
    expect(await claims(test)).toEqual(['data-db-0'])
  })

  it('deletes the data when it goes, where the policy is Delete, once its servers are gone', async () => {
    await using test = await start()
    await create(test, { dataPolicy: 'Delete' })
    await test.settle()
    await claim(test, 'data-db-0')
    await test.client.delete(MariaDB, key)
    await test.settle()
    const servers = await test.client.getOrThrow(StatefulSet, key)
    expect(servers.metadata.finalizers).toEqual(['foregroundDeletion'])
    expect((await get(test)).metadata.finalizers).toEqual([FINALIZER])
    expect(await claims(test)).toEqual(['data-db-0'])
    expect(test.reports.filter(({ error }) => error)).toEqual([])

    // As the garbage collector does when the Pods are gone.
    await test.client.patch(StatefulSet, key, { type: 'merge', body: { metadata: { finalizers: null } } })
    await test.settle()
    expect(await claims(test)).toEqual([])
    expect(await test.client.get(MariaDB, key)).toBeUndefined()
  })

  it('does not take a Service of that name that belongs to another', async () => {
    await using test = await start()
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true },
    ]
    await test.client.create(Service, {
      metadata: { ...key, ownerReferences },
      spec: { ports: [{ port: 80 }] },
    })
    await create(test)
    await test.settle()
    expect(String(test.reports.at(-1)?.error)).toContain(
      'default/db is already controlled by ConfigMap other',
    )
  })
})

describe('the builder', () => {
  it('takes every field of the spec', () => {
    const db = {
      apiVersion: 'mariadb.example.com/v1alpha1',
      kind: 'MariaDB',
      metadata: { ...key, uid: 'uid' },
      spec: {
        image: 'mariadb:10',
        port: 3307,
        replicas: 2,
        storage: '5Gi',
        rootPassword: { name: 'secret', key: 'root' },
        service: { type: 'LoadBalancer', loadBalancerClass: 'c' },
        dataPolicy: 'Retain',
      },
    } as unknown as MariaDB
    expect(buildService(db).spec).toMatchObject({
      type: 'LoadBalancer',
      loadBalancerClass: 'c',
      ports: [{ port: 3307 }],
    })
    expect(buildStatefulSet(db).spec).toMatchObject({
      replicas: 2,
      template: { spec: { containers: [{ image: 'mariadb:10', args: ['--port=3307'] }] } },
      volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '5Gi' } } } }],
    })
  })
})

function start() {
  return OperatorTest.start(operator)
}

function create(test: OperatorTest, spec: object = {}) {
  return test.client.create(MariaDB, { metadata: key, spec: { rootPassword: { name: 'root' }, ...spec } })
}

function get(test: OperatorTest) {
  return test.client.getOrThrow(MariaDB, key)
}

async function change(test: OperatorTest, spec: object): Promise<void> {
  await test.client.patch(MariaDB, key, { type: 'merge', body: { spec } })
  await test.settle()
}

/** Writes what the controller of StatefulSets would. */
async function become(test: OperatorTest, status: object): Promise<void> {
  await test.client.status.patch(StatefulSet, key, { type: 'merge', body: { status } })
  await test.settle()
}

async function ready(test: OperatorTest) {
  return findCondition((await get(test)).status?.conditions, 'Ready')
}

/** A claim, as the StatefulSet makes it from its template. */
function claim(test: OperatorTest, name: string) {
  return test.client.create(PersistentVolumeClaim, {
    metadata: {
      namespace: 'default',
      name,
      labels: { 'app.kubernetes.io/name': 'mariadb', 'app.kubernetes.io/instance': 'db' },
    },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
}

/** The claims that are not about to go: what is in use waits for its users. */
async function claims(test: OperatorTest): Promise<string[]> {
  const all = await test.client.list(PersistentVolumeClaim, { namespace: 'default' })
  return all.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name)
}
