import type { AnyKind } from '@homeostat/api'
import { ConfigMap, Deployment, Job, Pod } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { expect, test } from 'vitest'
import { OperatorTest } from '../operator-test.ts'
import type { PodBehaviour } from './simulated-pods.ts'
import { startSurroundings } from './surroundings.ts'

const namespace = 'default'
const labels = { app: 'web' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }

/** A server with the controllers of a cluster for these kinds. */
async function surrounded(pods: PodBehaviour, ...kinds: AnyKind[]) {
  const operator = await OperatorTest.start({ controllers: [] })
  const stop = new AbortController()
  const { environment } = operator
  startSurroundings(environment, { kinds, pods: () => pods, signal: stop.signal })
  const close = async (): Promise<void> => {
    stop.abort()
    await operator.settle()
    await operator.close()
  }
  return { operator, [Symbol.asyncDispose]: close }
}

async function availableReplicas({ client }: OperatorTest): Promise<number> {
  const { status } = await client.getOrThrow(Deployment, { namespace, name: 'web' })
  return status.availableReplicas ?? 0
}

async function createDeployment({ client }: OperatorTest): Promise<void> {
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  await client.create(Deployment, { metadata: { namespace, name: 'web' }, spec })
}

test.for([
  { behaviour: 'ready', atOnce: 2, later: 2 },
  { behaviour: 'late', atOnce: 0, later: 2 },
  { behaviour: 'never', atOnce: 0, later: 0 },
  { behaviour: 'failing', atOnce: 0, later: 0 },
] as const)('Pods of a Deployment that are $behaviour', async ({ behaviour, atOnce, later }) => {
  await using world = await surrounded(behaviour, Deployment)
  await createDeployment(world.operator)
  await world.operator.settle()
  expect(await availableReplicas(world.operator)).toBe(atOnce)
  await world.operator.advance('3m')
  expect(await availableReplicas(world.operator)).toBe(later)
})

test.for([
  { behaviour: 'ready', condition: 'Complete' },
  { behaviour: 'failing', condition: 'Failed' },
] as const)('a Job whose Pods are $behaviour is $condition', async ({ behaviour, condition }) => {
  await using world = await surrounded(behaviour, Job)
  const { client } = world.operator
  const spec = { ...template.spec, restartPolicy: 'Never' as const }
  const job = { metadata: { namespace, name: 'job' }, spec: { backoffLimit: 0, template: { spec } } }
  await client.create(Job, job)
  await world.operator.advance('5m')
  const { status } = await client.getOrThrow(Job, { namespace, name: 'job' })
  expect(status.conditions?.filter((one) => one.status === 'True').map(({ type }) => type)).toContain(
    condition,
  )
})

test('the dependents of a deleted owner are collected, Pods included', async () => {
  await using world = await surrounded('ready', Deployment, ConfigMap, Pod)
  const { client } = world.operator
  await createDeployment(world.operator)
  const owner = await client.getOrThrow(Deployment, { namespace, name: 'web' })
  await client.create(ConfigMap, {
    metadata: { namespace, name: 'child', ownerReferences: [controllerReference(owner)] },
  })
  await world.operator.settle()
  expect(await client.list(Pod, { namespace })).toHaveLength(2)
  await client.delete(Deployment, { namespace, name: 'web' })
  await world.operator.advance('1m')
  expect(await client.list(Pod, { namespace })).toEqual([])
  expect(await client.get(ConfigMap, { namespace, name: 'child' })).toBeUndefined()
})
