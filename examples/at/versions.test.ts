import { OperatorTest } from '@homeostat/cluster/testing'
import { expectRoundTrip } from 'homeostat'
import { describe, expect, it } from 'vitest'
import { At } from './at.ts'
import operator from './operator.ts'
import { atVersions, AtV1 } from './versions.ts'

const key = { namespace: 'default', name: 'sample' }

describe('the versions of At', () => {
  it('hold the same', () => {
    expect(() => expectRoundTrip(atVersions)).not.toThrow()
  })

  it('show one object to the users of both, and to the controller', async () => {
    await using test = await OperatorTest.start(operator)
    const spec = { at: '2026-01-01T12:05:00Z', command: 'echo YAY' }
    await test.client.create(AtV1, { metadata: key, spec })
    await test.settle()
    const { spec: stored, status } = await test.client.getOrThrow(At, key)
    expect({ stored, status }).toEqual({
      stored: { schedule: '2026-01-01T12:05:00Z', command: 'echo YAY' },
      status: { phase: 'PENDING' },
    })
    expect((await test.client.getOrThrow(AtV1, key)).status).toEqual({ phase: 'Pending' })
    await test.advance('5m')
    expect((await test.client.getOrThrow(AtV1, key)).status).toEqual({ phase: 'Running' })
  })

  it('are changed by either, and watched by both', async () => {
    await using test = await OperatorTest.start(operator)
    await test.client.create(At, { metadata: key, spec: { schedule: '2026-01-02T12:00:00Z', command: 'a' } })
    await test.client.patch(AtV1, key, { type: 'merge', body: { spec: { at: '2026-01-01T13:00:00Z' } } })
    await test.settle()
    expect((await test.client.getOrThrow(At, key)).spec.schedule).toBe('2026-01-01T13:00:00Z')
    expect(await test.client.list(AtV1, { namespace: 'default' })).toMatchObject([
      { apiVersion: 'cnat.programming-kubernetes.info/v1', spec: { at: '2026-01-01T13:00:00Z' } },
    ])
    await test.advance('1h')
    expect((await test.client.getOrThrow(AtV1, key)).status).toEqual({ phase: 'Running' })
  })
})
