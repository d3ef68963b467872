import { ConfigMap, Lease, Secret } from '@homeostat/api/kinds'
import { cacheKind, controller, type Transport } from 'homeostat'
import { expect, test } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const key = { namespace: 'default', name: 'a' }
const secret = { metadata: { ...key, name: 'token' } }
const onConfigMaps = controller('copier').for(ConfigMap)

/** Fails the first time that a Secret is looked at. */
function failsOnce(): () => undefined {
  let failed = false
  return () => {
    if (failed) return
    failed = true
    throw new TypeError('no such owner')
  }
}

test('a mapping that throws fails the test, with its error, the object and the controller', async () => {
  const mapping = onConfigMaps.watches(Secret, failsOnce()).reconcile(() => {})
  await using operator = await OperatorTest.start({ controllers: [mapping] })
  await operator.client.create(Secret, secret)
  await expect(operator.settle()).rejects.toMatchObject({
    code: 'CALLBACK_FAILED',
    message: expect.stringContaining(
      'the controller copier: the mapping of the Secret default/token threw TypeError: no such owner',
    ),
    cause: expect.objectContaining({ message: 'no such owner' }),
  })
  // The failure was reported, and the retry succeeds.
  await operator.advance('1m')
})

test('a mapping that rejects fails the start, where the object is there already', async () => {
  const mapping = onConfigMaps
    .watches(Secret, async () => {
      throw new TypeError('no such owner')
    })
    .reconcile(() => {})
  const idle = onConfigMaps.reconcile(() => {})
  let controllers = [idle]
  await using operator = await OperatorTest.start({ controllers: () => controllers })
  await operator.client.create(Secret, secret)
  controllers = [mapping]
  await expect(operator.restart()).rejects.toThrow('the mapping of the Secret default/token threw')
})

test('a mapping that returns something other than a request fails the test, and the message names the object', async () => {
  const mapping = onConfigMaps.watches(Secret, (object) => object.metadata as any).reconcile(() => {})
  await using operator = await OperatorTest.start({ controllers: [mapping] })
  await operator.client.create(Secret, { metadata: { ...secret.metadata, labels: { a: 'b' } } })
  await expect(operator.settle()).rejects.toThrow(
    /mapping of the Secret default\/token threw HomeostatError: .* as a request/,
  )
})

test('predicates, index functions and transforms that throw fail the test as well', async () => {
  const throwing = (what: string) => (): never => {
    throw new Error(`${what} of mine`)
  }
  const watching = onConfigMaps
    .watches(Secret, () => undefined, { predicate: throwing('predicate') })
    .indexes(Secret, { owner: throwing('index') })
    .reconcile(() => {})
  await using operator = await OperatorTest.start({
    controllers: [watching],
    manager: { cache: { kinds: [cacheKind(Secret, { transform: throwing('transform') })] } },
  })
  await operator.client.create(Secret, secret)
  const error: Error = await operator.settle().then(
    () => expect.unreachable(),
    (error: Error) => error,
  )
  expect(error.message).toContain(
    'the controller copier: the predicate for the Secret default/token threw Error: predicate of mine',
  )
  expect(error.message).toContain('the index owner of the Secret default/token threw Error: index of mine')
  expect(error.message).toContain('the transform of the Secret default/token threw Error: transform of mine')
})

test('a mapping that fails because the test lets its request fail, or kills the process, fails no test', async () => {
  let fails = true
  let asked = 0
  const flaky = (inner: Transport): Transport => ({
    ...inner,
    send: (request) =>
      fails && request.path.endsWith('/leases/live')
        ? Promise.reject(new Error('connection reset'))
        : inner.send(request),
  })
  const mapping = onConfigMaps
    .watches(Secret, async (_secret, { client }) => {
      asked++
      await client.get(Lease, { namespace: 'default', name: 'live' })
    })
    .reads(Lease)
    .reconcile(() => {})
  await using operator = await OperatorTest.start({
    controllers: [mapping],
    manager: { cache: { kinds: [cacheKind(Lease, { readLive: true })] } },
    transport: flaky,
  })
  await operator.client.create(Secret, secret)
  await operator.settle()
  expect(asked).toBe(1)
  fails = false
  await operator.advance('2s')
  expect(asked).toBe(2)
})
