import { customResourceDefinition, defineKind, schema as s } from '@homeostat/api'
import { CustomResourceDefinition, Pod, ResourceQuota, Secret, Service } from '@homeostat/api/kinds'
import { isForbidden } from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { quotaController } from './quota-controller.ts'

const namespace = 'default'
const Thing = defineKind({ group: 'test.homeostat.dev', version: 'v1', kind: 'Thing', spec: s.object({}) })
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start((kinds) => [quotaController(kinds)])
})
afterEach(() => bench[Symbol.asyncDispose]())

async function limit(hard: Record<string, string>, more: object = {}): Promise<void> {
  await bench.client.create(ResourceQuota, { metadata: { namespace, name: 'q' }, spec: { hard, ...more } })
  await bench.settle()
}
async function used(): Promise<unknown> {
  await bench.settle()
  return (await bench.client.getOrThrow(ResourceQuota, { namespace, name: 'q' })).status
}
const secret = (name: string) => bench.client.create(Secret, { metadata: { namespace, name } })
const pod = (name: string, cpu: string) =>
  bench.client.create(Pod, {
    metadata: { namespace, name },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
  })

describe('the quota controller', () => {
  it('counts existing objects when a quota is created, and the remaining ones when objects are deleted', async () => {
    await secret('a')
    await secret('b')
    await limit({ secrets: '3', 'count/secrets': '5', 'count/none.example.com': '1' })
    const hard = { secrets: '3', 'count/secrets': '5', 'count/none.example.com': '1' }
    expect(await used()).toEqual({ hard, used: { secrets: '2', 'count/secrets': '2' } })
    await secret('c')
    await expect(secret('d')).rejects.toThrow(
      'exceeded quota: q, requested: secrets=1, used: secrets=3, limited: secrets=3',
    )
    await bench.client.delete(Secret, { namespace, name: 'a' })
    expect(await used()).toEqual({ hard, used: { secrets: '2', 'count/secrets': '2' } })
    await secret('d')
    expect(await used()).toEqual({ hard, used: { secrets: '3', 'count/secrets': '3' } })
  })

  it('follows a quota whose spec changes', async () => {
    await secret('a')
    await limit({ secrets: '1' })
    const quota = await bench.client.getOrThrow(ResourceQuota, { namespace, name: 'q' })
    await bench.client.update(ResourceQuota, { ...quota, spec: { hard: { 'count/secrets': '9' } } })
    expect(await used()).toEqual({ hard: { 'count/secrets': '9' }, used: { 'count/secrets': '1' } })
  })

  it('counts Pods until they have ended', async () => {
    await limit({ pods: '2', 'requests.cpu': '1' })
    const hard = { pods: '2', 'requests.cpu': '1' }
    await pod('a', '500m')
    await pod('b', '500m')
    expect(await used()).toEqual({ hard, used: { pods: '2', 'requests.cpu': '1' } })
    await bench.setPod({ namespace, name: 'a' }, { phase: 'Succeeded' })
    expect(await used()).toEqual({ hard, used: { pods: '1', 'requests.cpu': '500m' } })
    await pod('c', '200m')
    expect(await used()).toEqual({ hard, used: { pods: '2', 'requests.cpu': '700m' } })
  })

  it('counts objects of kinds that come after the quota', async () => {
    await limit({ 'count/things.test.homeostat.dev': '1' })
    await bench.client.create(CustomResourceDefinition, customResourceDefinition(Thing))
    await bench.advance('10m')
    const hard = { 'count/things.test.homeostat.dev': '1' }
    expect(await used()).toEqual({ hard, used: { 'count/things.test.homeostat.dev': '0' } })
    await bench.client.create(Thing, { metadata: { namespace, name: 'a' }, spec: {} })
    const second = bench.client.create(Thing, { metadata: { namespace, name: 'b' }, spec: {} })
    await expect(second).rejects.toThrow('exceeded quota: q')
  })

  it('counts a Service again whose type changes', async () => {
    await limit({ 'services.nodeports': '2' })
    const service = await bench.client.create(Service, {
      metadata: { namespace, name: 'web' },
      spec: { type: 'NodePort', ports: [{ port: 80 }], selector: { app: 'web' } },
    })
    expect(await used()).toMatchObject({ used: { 'services.nodeports': '1' } })
    await bench.client.update(Service, { ...service, spec: { ...service.spec, type: 'ClusterIP' } })
    expect(await used()).toMatchObject({ used: { 'services.nodeports': '0' } })
  })

  it('is never exceeded and forgets nothing while 32 clients create and delete', async () => {
    const most = 10
    await limit({ secrets: String(most) })
    let [made, refused, highest] = [0, 0, 0]
    const writer = async (number: number): Promise<void> => {
      for (let round = 0; round < 20; round++) {
        const name = `s-${number}-${round}`
        try {
          await secret(name)
          made++
        } catch (error) {
          if (!isForbidden(error)) throw error
          refused++
          continue
        }
        const there = await bench.client.live.list(Secret, { namespace })
        highest = Math.max(highest, there.length)
        await bench.client.delete(Secret, { namespace, name })
      }
    }
    await Promise.all(Array.from({ length: 32 }, (_, number) => writer(number)))
    expect(highest).toBeGreaterThan(0)
    expect(highest).toBeLessThanOrEqual(most)
    expect(made + refused).toBe(640)
    expect(refused).toBeGreaterThan(0)
    expect(await used()).toMatchObject({ used: { secrets: '0' } })
    await Promise.all(Array.from({ length: most }, (_, number) => secret(`last-${number}`)))
    await expect(secret('one-more')).rejects.toThrow('exceeded quota')
  })
})
