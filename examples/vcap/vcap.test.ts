import { OperatorTest } from '@homeostat/cluster/testing'
import { findCondition, type Controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { vcap, vcapByName } from './controller.ts'
import { VcapServicesConverter } from './vcap-services-converter.ts'
import { SERVICE } from './vcap-services.ts'

const namespace = 'default'
const key = { namespace, name: 'app' }
const outputKey = { namespace, name: 'app-vcap-services' }

describe('VcapServicesConverter', () => {
  it('turns the Secrets that it names into one document', async () => {
    await using test = await start(vcap)
    await createSecret(test, 'orders', { username: 'orders', password: 'pä$$' })
    await createSecret(test, 'users', { uri: 'postgres://users' })
    await createSecret(test, 'queue', { uri: 'amqp://queue' }, 'rabbitmq')
    await createConverter(test, ['users', 'orders', 'queue'])
    await test.settle()
    const postgresql = (name: string, credentials: object) => ({
      name,
      label: 'postgresql',
      tags: ['postgresql'],
      credentials,
    })
    expect(await document(test)).toEqual({
      postgresql: [
        postgresql('users', { uri: 'postgres://users' }),
        postgresql('orders', { username: 'orders', password: 'pä$$' }),
      ],
      rabbitmq: [
        { name: 'queue', label: 'rabbitmq', tags: ['rabbitmq'], credentials: { uri: 'amqp://queue' } },
      ],
    })
    const output = await test.client.getOrThrow(Secret, outputKey)
    expect(output.metadata.ownerReferences).toMatchObject([{ kind: 'VcapServicesConverter', name: 'app' }])
    expect(await ready(test)).toMatchObject({ status: 'True', reason: 'Converted' })
  })

  it.each([
    ['by a mapping from Secrets to the converters that name them', vcap, ['app', 'other']],
    ['by the Secret’s own name', vcapByName, undefined],
  ])('follows its Secrets %s, and no others', async (_, controller, secrets) => {
    await using test = await start(controller)
    for (const name of secrets ?? ['app']) await createSecret(test, name, { uri: 'first' })
    await createConverter(test, secrets)
    await test.settle()
    const before = test.reports.length

    await change(test, 'app', { uri: 'second' })
    expect(await document(test)).toMatchObject({
      postgresql: expect.arrayContaining([credentials('second')]),
    })
    expect(test.reports.slice(before).map(({ request }) => request)).toEqual([key])

    await test.client.create(Secret, { metadata: { namespace, name: 'unrelated' }, data: {} })
    await test.client.delete(Secret, { namespace, name: 'unrelated' })
    await test.settle()
    expect(test.reports.length).toBe(before + 1)
  })

  it('starts no reconcile by its own writes', async () => {
    await using test = await start(vcap)
    await createSecret(test, 'app', { uri: 'first' })
    await createConverter(test)
    await test.settle()
    expect(test.writes()).toEqual([
      'patch secrets default/app-vcap-services',
      'patch vcapservicesconverters/status default/app',
    ])
    expect(test.reports).toHaveLength(1)
  })

  it('waits for a Secret that is missing, without trying again', async () => {
    await using test = await start(vcap)
    await createConverter(test, ['late'])
    await test.settle()
    const message = `there is no Secret late with the label ${SERVICE}`
    expect(await ready(test)).toMatchObject({ status: 'False', reason: 'SecretMissing', message })
    await test.advance('24h')
    expect(test.reports.filter(({ causes }) => causes.every(({ type }) => type !== 'resync'))).toHaveLength(1)
    expect(test.reports.every(({ result }) => result === 'success')).toBe(true)

    await createSecret(test, 'late', { uri: 'here' })
    await test.settle()
    expect(await document(test)).toMatchObject({ postgresql: [credentials('here')] })
    expect(await ready(test)).toMatchObject({ status: 'True' })
  })

  it('keeps the last document while a Secret is missing', async () => {
    await using test = await start(vcap)
    await createSecret(test, 'app', { uri: 'first' })
    await createConverter(test)
    await test.settle()
    await test.client.delete(Secret, key)
    await test.settle()
    expect(await ready(test)).toMatchObject({ status: 'False', reason: 'SecretMissing' })
    expect(await document(test)).toMatchObject({ postgresql: [credentials('first')] })
  })

  it('removes the document when its spec names other Secrets, of which one is missing', async () => {
    await using test = await start(vcap)
    await createSecret(test, 'app', { uri: 'first' })
    await createConverter(test)
    await test.settle()
    await test.client.patch(VcapServicesConverter, key, {
      type: 'merge',
      body: { spec: { secrets: ['late'] } },
    })
    await test.settle()
    expect(await ready(test)).toMatchObject({ status: 'False', reason: 'SecretMissing' })
    expect(await test.client.get(Secret, outputKey)).toBeUndefined()
  })

  it('brings its document back when it was deleted, and when another changed it', async () => {
    await using test = await start(vcap)
    await createSecret(test, 'app', { uri: 'first' })
    await createConverter(test)
    await test.settle()
    await test.client.delete(Secret, outputKey)
    await test.settle()
    expect(await document(test)).toMatchObject({ postgresql: [credentials('first')] })

    const body = { data: { VCAP_SERVICES: Buffer.from('{}').toString('base64') } }
    await test.client.patch(Secret, outputKey, { type: 'merge', body })
    await test.settle()
    expect(await document(test)).toMatchObject({ postgresql: [credentials('first')] })
  })
})

function start(controller: Controller) {
  return OperatorTest.start({ controllers: [controller] })
}

const credentials = (uri: string): unknown => expect.objectContaining({ credentials: { uri } })

function createConverter(test: OperatorTest, secrets?: string[]) {
  return test.client.create(VcapServicesConverter, { metadata: key, spec: { secrets } })
}

function createSecret(
  test: OperatorTest,
  name: string,
  stringData: Record<string, string>,
  service = 'postgresql',
) {
  return test.client.create(Secret, {
    metadata: { namespace, name, labels: { [SERVICE]: service } },
    stringData,
  })
}

async function change(test: OperatorTest, name: string, stringData: Record<string, string>): Promise<void> {
  await test.client.patch(Secret, { namespace, name }, { type: 'merge', body: { stringData } })
  await test.settle()
}

async function document(test: OperatorTest): Promise<unknown> {
  const { data } = await test.client.getOrThrow(Secret, outputKey)
  return JSON.parse(Buffer.from(data?.['VCAP_SERVICES'] ?? '', 'base64').toString('utf8'))
}

async function ready(test: OperatorTest) {
  const { status } = await test.client.getOrThrow(VcapServicesConverter, key)
  return findCondition(status?.conditions, 'Ready')
}
