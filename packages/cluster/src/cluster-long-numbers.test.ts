import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { CronJob, Job, Pod, StatefulSet } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

/** A number that needs 64 bits, which JavaScript would round. */
const LONGEST = '9223372036854775807'
const NEAR = ['9007199254740993', '9223372036854775806', LONGEST]
const namespace = 'default'

let clock: SimulatedClock
let cluster: Cluster
beforeEach(async () => {
  clock = new SimulatedClock()
  cluster = await Cluster.start({ clock, port: false })
  await clock.settle()
})
afterEach(() => cluster.close())

/** Sends the text unchanged: a client of ours would round the number. */
async function send(method: ApiRequest['method'], path: string, text: string): Promise<number> {
  const { status } = await cluster.server.handler({
    method,
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(text),
  })
  return status
}

const pod = (command: string, more = ''): string =>
  `{"restartPolicy":"Never","containers":[{"name":"c","image":"busybox","command":["sh","-c","${command}"]}]${more}}`

describe.each(NEAR)('with %s', (seconds) => {
  it('seconds as its deadline, a Job completes', async () => {
    const text = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"activeDeadlineSeconds":${seconds},"template":{"spec":${pod('true')}}}}`
    expect(await send('POST', `/apis/batch/v1/namespaces/${namespace}/jobs`, text)).toBe(201)
    await clock.advance('30s')
    const job = await cluster.client.get(Job, { namespace, name: 'j' })
    expect(job?.status.conditions?.map(({ type }) => type)).toContain('Complete')
  })

  it('seconds as its starting deadline, a CronJob creates Jobs', async () => {
    const text = `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"c"},"spec":{"schedule":"* * * * *","startingDeadlineSeconds":${seconds},"jobTemplate":{"spec":{"template":{"spec":${pod('true')}}}}}}`
    expect(await send('POST', `/apis/batch/v1/namespaces/${namespace}/cronjobs`, text)).toBe(201)
    await clock.advance('3m')
    expect((await cluster.client.list(Job, { namespace })).length).toBeGreaterThan(0)
    expect(
      (await cluster.client.get(CronJob, { namespace, name: 'c' }))?.status.lastScheduleTime,
    ).toBeDefined()
  })

  it('seconds as its grace period and its tolerations, a Pod runs, ends on request, and is removed', async () => {
    const more = `,"terminationGracePeriodSeconds":${seconds},"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":${seconds}}]`
    const text = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":${pod('trap exit TERM; sleep 1000 & wait', more)}}`
    expect(await send('POST', `/api/v1/namespaces/${namespace}/pods`, text)).toBe(201)
    await clock.advance('10s')
    const key = { namespace, name: 'p' }
    expect((await cluster.client.get(Pod, key))?.status.phase).toBe('Running')
    await cluster.client.delete(Pod, key)
    await clock.advance('1m')
    expect(await cluster.client.get(Pod, key)).toBeUndefined()
  })

  it('seconds of grace in the options of its deletion, a Pod is removed', async () => {
    const text = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":${pod('trap exit TERM; sleep 1000 & wait')}}`
    expect(await send('POST', `/api/v1/namespaces/${namespace}/pods`, text)).toBe(201)
    await clock.advance('10s')
    const path = `/api/v1/namespaces/${namespace}/pods/p`
    expect(await send('DELETE', path, `{"gracePeriodSeconds":${seconds}}`)).toBe(200)
    await clock.advance('1m')
    expect(await cluster.client.get(Pod, { namespace, name: 'p' })).toBeUndefined()
  })

  it('seconds in its template, a StatefulSet gets its Pods, and replaces one', async () => {
    const template = `{"metadata":{"labels":{"a":"b"}},"spec":{"terminationGracePeriodSeconds":${seconds},"containers":[{"name":"c","image":"busybox","command":["sh","-c","trap exit TERM; sleep 1000 & wait"]}]}}`
    const text = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"s"},"spec":{"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":${template}}}`
    expect(await send('POST', `/apis/apps/v1/namespaces/${namespace}/statefulsets`, text)).toBe(201)
    await clock.advance('30s')
    const key = { namespace, name: 's' }
    expect((await cluster.client.get(StatefulSet, key))?.status.readyReplicas).toBe(1)
    const uid = (await cluster.client.get(Pod, { namespace, name: 's-0' }))?.metadata.uid
    await cluster.client.delete(Pod, { namespace, name: 's-0' })
    await clock.advance('1m')
    const next = await cluster.client.get(Pod, { namespace, name: 's-0' })
    expect(next?.metadata.uid).not.toBe(uid)
    expect(next?.status.phase).toBe('Running')
  })
})

it('a number beyond 2^31 is refused as the id of a user', async () => {
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) {
    const text = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":${pod('true', `,"securityContext":{"${field}":${LONGEST}}`)}}`
    expect(await send('POST', `/api/v1/namespaces/${namespace}/pods`, text)).toBe(422)
  }
})
