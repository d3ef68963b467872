import { OperatorTest } from '@homeostat/cluster/testing'
import { findCondition, type Transport } from 'homeostat'
import { Deployment, Secret, Service } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import operator from './operator.ts'
import { VisitorsApp } from './visitors-app.ts'

const namespace = 'default'
const key = { namespace, name: 'site' }
const tier = (name: string) => ({ namespace, name: `site-${name}` })

describe('VisitorsApp', () => {
  it('starts its tiers one after the other, and waits for each without blocking', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    expect(await deployments(test)).toEqual(['site-database'])
    expect(await ready(test)).toMatchObject({ status: 'False', message: 'waiting for the database' })
    expect(test.reports.at(-1)).toMatchObject({ result: 'requeueAfter', next: 5_000 })
    await test.advance('5s')
    expect(test.reports.at(-1)?.causes).toEqual([{ type: 'requeueAfter', milliseconds: 5_000 }])
    expect(await deployments(test)).toEqual(['site-database'])

    await becomes(test, 'database', 1)
    expect(await deployments(test)).toEqual(['site-backend', 'site-database'])
    expect(await ready(test)).toMatchObject({ message: 'waiting for the backend' })
    expect((await get(test)).status).toMatchObject({ backendImage: 'jdob/visitors-service:1.0.0' })
    expect((await get(test)).status?.frontendImage).toBeUndefined()

    await becomes(test, 'backend', 2)
    await becomes(test, 'frontend', 1)
    expect(await ready(test)).toMatchObject({ status: 'True', reason: 'Running' })
    expect((await get(test)).status).toMatchObject({
      backendImage: 'jdob/visitors-service:1.0.0',
      frontendImage: 'jdob/visitors-webui:1.0.0',
    })
    expect(test.reports.at(-1)).toMatchObject({ result: 'success' })
  })

  it('gives each tier what the spec says, a Service, and the credentials by a Secret', async () => {
    await using test = await start()
    await create(test)
    await run(test)
    const backend = await test.client.getOrThrow(Deployment, tier('backend'))
    expect(backend.spec.replicas).toBe(2)
    expect(backend.spec.template.spec?.containers[0]?.env).toContainEqual({
      name: 'MYSQL_PASSWORD',
      valueFrom: { secretKeyRef: { name: 'site-auth', key: 'password' } },
    })
    const frontend = await test.client.getOrThrow(Deployment, tier('frontend'))
    expect(frontend.spec.template.spec?.containers[0]?.env).toContainEqual({
      name: 'REACT_APP_TITLE',
      value: 'Hello',
    })
    for (const [name, port] of [
      ['database', 3306],
      ['backend', 8000],
      ['frontend', 3000],
    ] as const) {
      const service = await test.client.getOrThrow(Service, tier(name))
      expect(service.spec?.ports).toMatchObject([{ port }])
    }
    const secret = await test.client.getOrThrow(Secret, tier('auth'))
    expect(Buffer.from(secret.data?.['password'] ?? '', 'base64').toString()).toMatch(/^[0-9a-f]{32}$/)
  })

  it('keeps what runs up to date while the database is away, and its credentials for good', async () => {
    await using test = await start()
    await create(test)
    await run(test)
    const before = await test.client.getOrThrow(Secret, tier('auth'))
    await becomes(test, 'database', 0)
    expect(await ready(test)).toMatchObject({ status: 'False', message: 'waiting for the database' })
    await test.client.patch(VisitorsApp, key, { type: 'merge', body: { spec: { size: 3 } } })
    await test.settle()
    expect((await test.client.getOrThrow(Deployment, tier('backend'))).spec.replicas).toBe(3)
    expect((await get(test)).status?.frontendImage).toBe('jdob/visitors-webui:1.0.0')
    expect((await test.client.getOrThrow(Secret, tier('auth'))).data).toEqual(before.data)
  })

  it('takes its Secret back when another client removed the owner, with the same credentials', async () => {
    // With an admission plugin that few clusters have, this takes the right to delete the Secret.
    await using test = await OperatorTest.start(operator, { rights: 'all' })
    await create(test)
    await run(test)
    const before = await test.client.getOrThrow(Secret, tier('auth'))
    const body = { metadata: { ownerReferences: null } }
    await test.client.patch(Secret, tier('auth'), { type: 'merge', body })
    await test.settle()
    const { metadata, data } = await test.client.getOrThrow(Secret, tier('auth'))
    expect([metadata.ownerReferences, data]).toEqual([before.metadata.ownerReferences, before.data])
  })

  it('heals a changed number of back ends, and leaves that of the front end to an autoscaler', async () => {
    await using test = await start()
    await create(test)
    await run(test)
    for (const name of ['backend', 'frontend']) {
      const body = { spec: { replicas: 5 } }
      await test.client
        .subresource('scale')
        .patch(Deployment, tier(name), { type: 'merge', body }, { fieldManager: 'autoscaler' })
    }
    await test.settle()
    expect((await test.client.getOrThrow(Deployment, tier('backend'))).spec.replicas).toBe(2)
    expect((await test.client.getOrThrow(Deployment, tier('frontend'))).spec.replicas).toBe(5)
    await test.expectNoWrites()
  })

  it('stops its tiers in reverse order before it goes', async () => {
    await using test = await start()
    await create(test)
    await run(test)
    expect((await get(test)).metadata.finalizers).toEqual(['visitors.example.com'])
    await test.client.delete(VisitorsApp, key)
    await test.settle()
    for (const name of ['frontend', 'backend', 'database']) {
      expect(await going(test)).toEqual([`site-${name}`])
      expect((await get(test)).metadata.finalizers).toEqual(['visitors.example.com'])
      await gone(test, name)
    }
    expect(await test.client.get(VisitorsApp, key)).toBeUndefined()
    expect(test.reports.filter(({ error }) => error)).toEqual([])
  })

  it('stays when its cleanup fails, and tries it again with back-off', async () => {
    let broken = true
    const transport = (inner: Transport): Transport => ({
      ...inner,
      send(request) {
        if (broken && request.method === 'DELETE') throw new Error('the wire is cut')
        return inner.send(request)
      },
    })
    await using test = await start(transport)
    await create(test)
    await run(test)
    await test.client.delete(VisitorsApp, key)
    await test.settle()
    const failures = () => test.reports.filter(({ result }) => result === 'error')
    expect(failures().map(({ next }) => next)).toEqual([1_000])
    expect(String(failures()[0]?.error)).toContain(
      'VisitorsApp default/site cannot be deleted yet: visitors.example.com failed',
    )
    await test.advance('3s')
    expect(failures().map(({ next }) => next)).toEqual([1_000, 2_000, 4_000])
    expect((await get(test)).metadata.finalizers).toEqual(['visitors.example.com'])

    broken = false
    await test.advance('4s')
    for (const name of ['frontend', 'backend', 'database']) await gone(test, name)
    expect(await test.client.get(VisitorsApp, key)).toBeUndefined()
  })
})

function start(transport?: (inner: Transport) => Transport) {
  return OperatorTest.start(operator, { transport })
}

function create(test: OperatorTest) {
  return test.client.create(VisitorsApp, { metadata: key, spec: { size: 2, title: 'Hello' } })
}

function get(test: OperatorTest) {
  return test.client.getOrThrow(VisitorsApp, key)
}

async function ready(test: OperatorTest) {
  return findCondition((await get(test)).status?.conditions, 'Ready')
}

/** Writes what the controller of Deployments would. */
async function becomes(test: OperatorTest, name: string, availableReplicas: number): Promise<void> {
  const status = { replicas: availableReplicas, readyReplicas: availableReplicas, availableReplicas }
  await test.client.status.patch(Deployment, tier(name), { type: 'merge', body: { status } })
  await test.settle()
}

async function run(test: OperatorTest): Promise<void> {
  await test.settle()
  await becomes(test, 'database', 1)
  await becomes(test, 'backend', 2)
  await becomes(test, 'frontend', 1)
}

async function deployments(test: OperatorTest): Promise<string[]> {
  return (await test.client.list(Deployment, { namespace })).map(({ metadata }) => metadata.name).sort()
}

async function going(test: OperatorTest): Promise<string[]> {
  const all = await test.client.list(Deployment, { namespace })
  return all.filter(({ metadata }) => metadata.deletionTimestamp).map(({ metadata }) => metadata.name)
}

/** Lets a Deployment go, as the garbage collector does when its Pods are gone. */
async function gone(test: OperatorTest, name: string): Promise<void> {
  await test.client.patch(Deployment, tier(name), { type: 'merge', body: { metadata: { finalizers: null } } })
  await test.settle()
}
