import { At, at } from '@homeostat/example-at'
import { timestamp } from 'homeostat'
import { Event, Pod } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { runOperator } from './operator.ts'

describe('At', () => {
  it('runs its Pod when the time has come, is done with it, and writes nothing besides', async () => {
    await using server = await startTestServer({ kinds: [At] })
    await using operator = await runOperator(server, at)
    const key = { namespace: server.namespace, name: 'hello' }
    const podKey = { ...key, name: 'hello-pod' }
    const phase = async () => (await server.client.get(At, key))?.status?.phase

    const inSeconds = (seconds: number) => timestamp(server.clock.now() + seconds * 1_000)
    await server.client.create(At, {
      metadata: key,
      spec: { schedule: inSeconds(3_600), command: 'echo YAY' },
    })
    await server.until('PENDING', async () => (await phase()) === 'PENDING')
    expect(await server.client.get(Pod, podKey)).toBeUndefined()
    const sooner = { spec: { schedule: inSeconds(3) } }
    await server.client.patch(At, key, { type: 'merge', body: sooner })
    await server.until('RUNNING', async () => (await phase()) === 'RUNNING')
    const pod = await server.until('the Pod', () => server.client.get(Pod, podKey))
    expect(pod.metadata.ownerReferences).toMatchObject([{ kind: 'At', name: 'hello', controller: true }])
    await server.client.status.patch(Pod, podKey, { type: 'merge', body: { status: { phase: 'Succeeded' } } })
    await server.until('DONE', async () => (await phase()) === 'DONE')

    const before = operator.reports.length
    await server.client.patch(At, key, { type: 'merge', body: { metadata: { labels: { touched: 'yes' } } } })
    await server.until('another reconcile', async () => operator.reports.length > before)
    expect(operator.writes).toEqual([
      'PATCH ats/hello/status',
      'PATCH ats/hello/status',
      'POST pods',
      'PATCH ats/hello/status',
    ])
    if (!server.controllers) return
    await server.client.delete(At, key)
    await server.until('its Pod to go', async () => (await server.client.get(Pod, podKey)) === undefined)
  })

  it('with a schedule that is not a time says so in an event', async () => {
    await using server = await startTestServer({ kinds: [At] })
    await using operator = await runOperator(server, at)
    await server.client.create(At, {
      metadata: { namespace: server.namespace, name: 'hello' },
      spec: { schedule: 'tomorrow', command: 'true' },
    })
    const event = await server.until(
      'the event',
      async () => (await server.client.list(Event, { namespace: server.namespace }))[0],
    )
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'InvalidSchedule',
      regarding: { kind: 'At', name: 'hello' },
      reportingController: 'at',
    })
    await server.until('the first reconcile', async () => operator.reports.length > 0)
    expect(operator.reports[0]?.result).toBe('error')
    expect(operator.writes).toEqual([])
  })
})
