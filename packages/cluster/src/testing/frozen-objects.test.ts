import { ConfigMap, Pod, Secret } from '@homeostat/api/kinds'
import { controller, type Reader } from 'homeostat'
import { describe, expect, test } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const key = { namespace: 'default', name: 'a' }

/** The error of a reconcile that does this to a ConfigMap that it read. */
async function errorOf(change: (object: any, client: Reader<any>) => unknown): Promise<any> {
  const changing = controller('changing')
    .for(ConfigMap)
    .reads(Pod)
    .reconcile(async (request, { client }) => {
      const object = await client.get(ConfigMap, request)
      if (object) await change(object, client)
    })
  await using operator = await OperatorTest.start({ controllers: [changing] })
  await operator.client.create(ConfigMap, { metadata: key, data: { text: 'old' } })
  await operator.settle()
  const [report] = operator.reports.filter(({ error }) => error !== undefined)
  return report?.error
}

describe('a reconcile that changes what it read', () => {
  test.each([
    ['sets a field', (object: any) => (object.data.text = 'new'), 'set the field "text"'],
    ['adds a field', (object: any) => (object.data.more = 'new'), 'add the field "more"'],
    ['removes a field', (object: any) => delete object.data.text, 'remove the field "text"'],
    [
      'sorts a list',
      (object: any) => object.metadata.managedFields.reverse() && (object.metadata.managedFields[0] = {}),
      'set the field "0"',
    ],
  ])('%s: the error names it, the object and the remedy', async (_, change, what) => {
    const error = await errorOf(change)
    expect(error).toMatchObject({ code: 'OBJECT_FROZEN', cause: expect.any(TypeError) })
    expect(error.message).toContain(
      `the reconcile tried to ${what} of an object that it had read (ConfigMap default/a)`,
    )
    expect(error.message).toContain('structuredClone(object)')
    expect(error.message).toContain('createOrUpdate')
  })

  test('names every object and list that it read', async () => {
    const error = await errorOf(async (object, client) => {
      await client.list(Pod, { namespace: 'default' })
      object.data.text = 'new'
    })
    expect(error.message).toContain('(ConfigMap default/a, a list of Pod objects)')
  })

  test('other errors of the same class stay as they are', async () => {
    const error = await errorOf((object) => object.data.missing.text)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toContain('undefined')
  })
})

test('a mapping that changes its object gets the same error', async () => {
  const changing = controller('changing')
    .for(ConfigMap)
    .watches(Secret, (secret: any) => {
      secret.metadata.name = 'other'
      return undefined
    })
    .reconcile(() => {})
  await using operator = await OperatorTest.start({ controllers: [changing] })
  await operator.client.create(Secret, { metadata: key })
  await expect(operator.settle()).rejects.toThrow(
    /the mapping of the Secret default\/a threw HomeostatError: the mapping tried to set the field "name" of an object that it had read \(Secret default\/a\)/,
  )
})
