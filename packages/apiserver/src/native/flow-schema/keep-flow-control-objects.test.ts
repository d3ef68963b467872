import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiServer } from '../../server.ts'

const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1'
const UPDATES = 'apf.kubernetes.io/autoupdate-spec'
let clock: SimulatedClock
let server: ApiServer
beforeEach(async () => {
  clock = new SimulatedClock()
  server = await ApiServer.start({ clock })
})
afterEach(() => server.close())

async function call(method: ApiRequest['method'], path: string, body?: object): Promise<any> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await server.handler({
    method,
    path: `${FLOW}/${path}`,
    query: new URLSearchParams(),
    headers: { 'content-type': type },
    body: body && new TextEncoder().encode(JSON.stringify(body)),
  })
  return JSON.parse(new TextDecoder().decode(response.body as Uint8Array))
}

describe('a default object of priority and fairness', () => {
  it.each(['flowschemas/service-accounts', 'prioritylevelconfigurations/workload-low', 'flowschemas/exempt'])(
    '%s comes back a minute after it was deleted',
    async (path) => {
      const before = await call('GET', path)
      await call('DELETE', path)
      await clock.advance('59s')
      expect(await call('GET', path)).toMatchObject({ code: 404 })
      await clock.advance('2s')
      const after = await call('GET', path)
      expect(after.spec).toEqual(before.spec)
      expect(after.metadata.uid).not.toBe(before.metadata.uid)
    },
  )

  it('is restored after a change', async () => {
    const path = 'flowschemas/global-default'
    await call('PATCH', path, { spec: { matchingPrecedence: 7 } })
    await clock.advance('61s')
    const { spec, metadata } = await call('GET', path)
    expect(spec.matchingPrecedence).toBe(9900)
    expect(metadata.generation).toBe(3)
    expect(metadata.managedFields.map(({ manager }: any) => manager)).toContain(
      'api-priority-and-fairness-config-producer-v1',
    )
  })

  it('stays changed where its annotation says so, unless it is mandatory', async () => {
    const annotations = { [UPDATES]: 'false' }
    for (const [name, matchingPrecedence] of [
      ['global-default', 7],
      ['catch-all', 8000],
    ] as const)
      await call('PATCH', `flowschemas/${name}`, { metadata: { annotations }, spec: { matchingPrecedence } })
    await clock.advance('61s')
    expect(await call('GET', 'flowschemas/global-default')).toMatchObject({ spec: { matchingPrecedence: 7 } })
    expect(await call('GET', 'flowschemas/catch-all')).toMatchObject({
      spec: { matchingPrecedence: 10_000 },
      metadata: { annotations: { [UPDATES]: 'true' } },
    })
  })

  it('gets its annotation back, which says false where a client has changed the spec', async () => {
    const path = 'prioritylevelconfigurations/system'
    await call('PATCH', path, {
      metadata: { annotations: { [UPDATES]: null } },
      spec: { limited: { nominalConcurrencyShares: 31 } },
    })
    await clock.advance('61s')
    expect(await call('GET', path)).toMatchObject({
      metadata: { annotations: { [UPDATES]: 'false' } },
      spec: { limited: { nominalConcurrencyShares: 31 } },
    })
  })

  it('leaves the shares of the level exempt to its users', async () => {
    const path = 'prioritylevelconfigurations/exempt'
    await call('PATCH', path, { spec: { exempt: { nominalConcurrencyShares: 5 } } })
    await clock.advance('61s')
    expect(await call('GET', path)).toMatchObject({ spec: { exempt: { nominalConcurrencyShares: 5 } } })
  })

  it('is deleted where this release has no such object', async () => {
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }
    await call('POST', 'prioritylevelconfigurations', { metadata: { name: 'mine' }, spec })
    const metadata = { name: 'old', annotations: { [UPDATES]: 'true' } }
    await call('POST', 'prioritylevelconfigurations', { metadata, spec })
    await clock.advance('61s')
    expect(await call('GET', 'prioritylevelconfigurations/old')).toMatchObject({ code: 404 })
    expect(await call('GET', 'prioritylevelconfigurations/mine')).toMatchObject({
      metadata: { name: 'mine' },
    })
  })

  it('is in effect while it is missing, if it is mandatory', async () => {
    for (const path of ['flowschemas', 'prioritylevelconfigurations']) await call('DELETE', path)
    expect(await call('GET', 'flowschemas')).toMatchObject({ items: [] })
    await clock.advance('61s')
    expect((await call('GET', 'flowschemas')).items).toHaveLength(11)
  })
})

describe('the condition of a FlowSchema', () => {
  const condition = async (name: string) => {
    const { status } = await call('GET', `flowschemas/${name}`)
    return status.conditions.map(({ status: value, reason }: any) => `${value} ${reason}`)
  }

  it('says that its level is missing, from the answer to the write on', async () => {
    await call('DELETE', 'prioritylevelconfigurations/system')
    await clock.settle()
    expect(await condition('system-nodes')).toEqual(['True NotFound'])
    expect(await condition('service-accounts')).toEqual(['False Found'])
    await clock.advance('61s')
    expect(await condition('system-nodes')).toEqual(['False Found'])
  })
})
