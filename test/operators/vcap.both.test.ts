import { vcap, vcapByName, VcapServicesConverter } from '@homeostat/example-vcap'
import { findCondition } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { runOperator } from './operator.ts'

describe('VcapServicesConverter', () => {
  it.each([
    ['a mapping from Secrets to the converters that name them', vcap, 'orders'],
    ['the Secret’s own name', vcapByName, 'app'],
  ])('waits for its Secret and follows it by %s', async (_, controller, name) => {
    await using server = await startTestServer({ kinds: [VcapServicesConverter] })
    await using operator = await runOperator(server, controller)
    const key = { namespace: server.namespace, name: 'app' }
    const source = { ...key, name }
    const labels = { 'deployment.hsc.philips.com.cn/service': 'postgresql' }
    await server.client.create(VcapServicesConverter, { metadata: key, spec: { secrets: [name] } })
    const ready = async () =>
      findCondition((await server.client.get(VcapServicesConverter, key))?.status?.conditions, 'Ready')
    expect(await server.until('the condition', ready)).toMatchObject({
      status: 'False',
      reason: 'SecretMissing',
    })

    await server.client.create(Secret, { metadata: { ...source, labels }, stringData: { uri: 'first' } })
    await server.until('the document', async () => (await uri(server)) === 'first')
    await server.until('Ready', async () => (await ready())?.status === 'True')
    await server.client.patch(Secret, source, { type: 'merge', body: { stringData: { uri: 'second' } } })
    await server.until('the new document', async () => (await uri(server)) === 'second')
    await server.until('the end of the third reconcile', async () => operator.reports.length >= 3)
    expect(operator.reports.filter(({ result }) => result !== 'success')).toEqual([])
    // One for the converter, one for the Secret that came, one for its change: none for what it wrote itself.
    expect(operator.reports).toHaveLength(3)
  })

  it('starts no reconcile for Secrets that are of no service', async () => {
    await using server = await startTestServer({ kinds: [VcapServicesConverter] })
    await using operator = await runOperator(server, vcap)
    const key = { namespace: server.namespace, name: 'app' }
    await server.client.create(VcapServicesConverter, { metadata: key, spec: {} })
    await server.until('the first reconcile', async () => operator.reports.length === 1)
    await server.client.create(Secret, { metadata: { ...key, name: 'unrelated' } })
    await server.client.create(Secret, { metadata: key })
    await server.client.delete(Secret, { ...key, name: 'unrelated' })
    const labels = { 'deployment.hsc.philips.com.cn/service': 'postgresql' }
    await server.client.patch(Secret, key, { type: 'merge', body: { metadata: { labels } } })
    await server.until('the second', async () => operator.reports.length > 1)
    expect(operator.reports).toHaveLength(2)
  })
})

/** The entry of the only service in the document. */
async function uri(server: TestServer): Promise<string | undefined> {
  const secret = await server.client.get(Secret, { namespace: server.namespace, name: 'app-vcap-services' })
  const document = Buffer.from(secret?.data?.['VCAP_SERVICES'] ?? '', 'base64').toString('utf8')
  return document ? JSON.parse(document).postgresql[0].credentials.uri : undefined
}
