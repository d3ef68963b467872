import { ConfigMap, Secret } from '@homeostat/api/kinds'
import { controller, isConflict } from 'homeostat'
import { describe, expect, test } from 'vitest'
import { OperatorTest } from '../operator-test.ts'

const key = { namespace: 'default', name: 'a' }

/** Makes a Secret with a generated name for each ConfigMap that has none by its cache: wrong where that is behind. */
const careless = controller('careless')
  .for(ConfigMap)
  .owns(Secret)
  .writes(Secret, 'create')
  .reconcile(async ({ namespace, name }, { client }) => {
    if (name !== 'a' || !(await client.get(ConfigMap, { namespace, name }))) return
    const made = await client.list(Secret, { namespace })
    if (made.length > 0) return
    await client.create(Secret, { metadata: { namespace, generateName: 'a-' } })
  })

/** Counts its updates, each of the version that it has read. */
function updating() {
  const outcomes: string[] = []
  const value = controller('updating')
    .for(ConfigMap)
    .writes(ConfigMap, 'update')
    .reconcile(async (request, { client }) => {
      const object = await client.get(ConfigMap, request)
      if (request.name !== 'a' || !object || object.data?.['done']) return
      try {
        await client.update(ConfigMap, { ...object, data: { ...object.data, done: 'yes' } })
        outcomes.push('updated')
      } catch (error) {
        outcomes.push(isConflict(error) ? 'conflict' : 'failed')
        throw error
      }
    })
  return { value, outcomes }
}

async function secrets(operator: OperatorTest): Promise<number> {
  return (await operator.client.list(Secret, { namespace: 'default' })).length
}

describe('a watch that is held', () => {
  test('keeps the operator’s cache behind the server until it is released', async () => {
    const { value, outcomes } = updating()
    await using operator = await OperatorTest.start({ controllers: [value] })
    const hold = operator.faults.holdWatch(ConfigMap)
    await operator.client.create(ConfigMap, { metadata: key })
    await operator.settle()
    expect(outcomes).toEqual([])
    hold.release()
    await operator.settle()
    expect(outcomes).toEqual(['updated'])
  })

  test('does not keep the test from closing', async () => {
    const { value, outcomes } = updating()
    {
      await using operator = await OperatorTest.start({ controllers: [value] })
      operator.faults.holdWatch(ConfigMap)
      await operator.client.create(ConfigMap, { metadata: key })
      await operator.settle()
    }
    expect(outcomes).toEqual([])
  })
})

test('a stale first list finds an operator that trusts its cache too much', async () => {
  await using operator = await OperatorTest.start({ controllers: [careless] })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.stop()
  const stale = await operator.faults.staleList(Secret)
  using _ = operator.faults.holdWatch(Secret)
  await operator.client.create(Secret, {
    metadata: { namespace: 'default', name: 'made-by-the-last-process' },
  })
  await operator.start()
  expect(stale.happened).toBe(true)
  expect(await secrets(operator)).toBe(2)
})

describe('a write', () => {
  test('that fails is tried again by the operator, and no other write fails', async () => {
    const { value, outcomes } = updating()
    await using operator = await OperatorTest.start({ controllers: [value] })
    const fault = operator.faults.failWrite({ kind: ConfigMap, code: 503 })
    await operator.client.create(ConfigMap, { metadata: key })
    expect(await operator.client.get(ConfigMap, key)).toBeDefined()
    await operator.advance('5s')
    expect(fault.happened).toBe(true)
    expect(outcomes).toEqual(['failed', 'updated'])
  })

  test('can be the nth of those that match', async () => {
    const each = controller('each')
      .for(ConfigMap)
      .writes(Secret, 'apply')
      .reconcile(async (request, { client }) => {
        if (await client.get(ConfigMap, request)) await client.apply(Secret, { metadata: request })
      })
    await using operator = await OperatorTest.start({ controllers: [each] })
    const other = operator.faults.failWrite({ kind: Secret, verb: 'delete' })
    const fault = operator.faults.failWrite({ kind: Secret, nth: 2, code: 409 })
    for (const name of ['a', 'b', 'c'])
      await operator.client.create(ConfigMap, { metadata: { ...key, name } })
    await operator.settle()
    expect(
      operator.reports.filter(({ result }) => result === 'conflict').map(({ request }) => request.name),
    ).toEqual(['b'])
    expect([fault.happened, other.happened]).toEqual([true, false])
  })

  test('whose answer is lost has still happened', async () => {
    await using operator = await OperatorTest.start({ controllers: [careless] })
    const hold = operator.faults.holdWatch(Secret)
    operator.faults.failWrite({ kind: Secret, answerLost: true })
    await operator.client.create(ConfigMap, { metadata: key })
    await operator.advance('5s')
    expect(await secrets(operator)).toBe(2)
    hold.release()
  })

  test('can come after another one that the operator has not read', async () => {
    const { value, outcomes } = updating()
    await using operator = await OperatorTest.start({ controllers: [value] })
    const body = { data: { by: 'another' } }
    const fault = operator.faults.beforeWrite({ kind: ConfigMap, name: 'a' }, () =>
      operator.client.patch(ConfigMap, key, { type: 'merge', body }),
    )
    await operator.client.create(ConfigMap, { metadata: key })
    await operator.advance('5s')
    expect(fault.happened).toBe(true)
    expect(outcomes).toEqual(['conflict', 'updated'])
    expect((await operator.client.get(ConfigMap, key))?.data).toEqual({ by: 'another', done: 'yes' })
  })

  test('is counted from 1', async () => {
    await using operator = await OperatorTest.start({ controllers: [] })
    expect(() => operator.faults.failWrite({ nth: 0 })).toThrow('nth is 0')
  })
})

describe('a first list that fails while a reconcile waits for it', () => {
  test('is repeated after some simulated time, and the reconcile goes on', async () => {
    const reads: unknown[] = []
    const reader = controller('reader')
      .for(ConfigMap)
      .reads(Secret)
      .reconcile(async ({ name }, { client }) => {
        if (name === 'a') reads.push(await client.list(Secret, { namespace: 'default' }))
      })
    let failures = 1
    await using test = await OperatorTest.start({
      controllers: [reader],
      transport: (inner) => ({
        ...inner,
        send: (request) =>
          request.path.endsWith('/secrets') && failures-- > 0
            ? Promise.reject(new Error('the connection broke off'))
            : inner.send(request),
      }),
    })
    await test.client.create(ConfigMap, { metadata: key })
    await test.advance('1m')
    expect(failures).toBeLessThan(1)
    expect(reads).toEqual([[]])
  })

  test('is repeated while a mapping waits for it', async () => {
    const requests: string[] = []
    const mapped = controller('mapped')
      .for(Secret)
      .reads(ConfigMap)
      .watches(ConfigMap, async ({ metadata }, { client }) => {
        const all = await client.list(ConfigMap, { namespace: 'default' })
        return metadata.name === 'a' ? { ...key, name: `of-${all.length}` } : undefined
      })
      .reconcile(({ name }) => void requests.push(name))
    let failures = 0
    await using test = await OperatorTest.start({
      controllers: [mapped],
      transport: (inner) => ({
        ...inner,
        send: (request) =>
          request.path.endsWith('/configmaps') && failures-- > 0
            ? Promise.reject(new Error('the connection broke off'))
            : inner.send(request),
      }),
    })
    await test.stop()
    await test.client.create(ConfigMap, { metadata: key })
    failures = 1
    await test.start().catch(() => {})
    await test.advance('1m')
    expect(failures).toBeLessThan(1)
    expect(requests.some((name) => name.startsWith('of-'))).toBe(true)
  })
})
