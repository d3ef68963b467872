import { SimulatedClock, type AnyKind, type Status } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../requests/api-error.ts'
import type { Client } from '../client/interface/client.ts'
import { createLogger } from '../telemetry/create-logger.ts'
import { ApiEventRecorder } from './api-event-recorder.ts'

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web', uid: 'uid-of-web', resourceVersion: '7' },
}

/** A recorder whose writes the test records; `fail` decides which of them fail. */
function setUp(fail: (verb: string) => unknown = () => undefined) {
  const clock = new SimulatedClock()
  const writes: { verb: string; body: any }[] = []
  const lines: Record<string, any>[] = []
  const write = (verb: string, body: unknown): Promise<void> => {
    writes.push({ verb, body })
    const error = fail(verb)
    return error === undefined ? Promise.resolve() : Promise.reject(error)
  }
  const recorder = new ApiEventRecorder({
    clock,
    logger: createLogger({
      format: 'json',
      clock,
      level: 'debug',
      write: (line) => lines.push(JSON.parse(line)),
    }),
    instance: 'test-1',
    client: () =>
      ({
        create: (_: AnyKind, object: unknown) => write('create', object),
        patch: (_: AnyKind, key: object, patch: { body: object }) => write('patch', { key, ...patch.body }),
      }) as unknown as Client,
  })
  return { clock, recorder, events: recorder.for('shop'), writes, lines }
}

describe('an event', () => {
  test('is written with who, what, why and when', async () => {
    const { events, recorder, writes } = setUp()
    events.warning(web, 'NoImage', 'the image shop:9 is not there', { action: 'Deploy' })
    await recorder.flush()
    expect(writes).toEqual([
      {
        verb: 'create',
        body: {
          metadata: { namespace: 'shop', name: expect.stringMatching(/^web\.[0-9a-f]{16}$/) },
          eventTime: '2026-01-01T12:00:00.000000Z',
          reportingController: 'shop',
          reportingInstance: 'test-1',
          action: 'Deploy',
          reason: 'NoImage',
          regarding: { apiVersion: 'apps/v1', kind: 'Deployment', ...web.metadata },
          note: 'the image shop:9 is not there',
          type: 'Warning',
        },
      },
    ])
  })

  test('about a cluster-scoped object is in the namespace default', async () => {
    const { events, recorder, writes } = setUp()
    events.normal(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'u' } },
      'Made',
      'done',
    )
    await recorder.flush()
    expect(writes[0]?.body).toMatchObject({
      metadata: { namespace: 'default' },
      type: 'Normal',
      action: 'Reconcile',
    })
  })

  test('has a note of at most 1024 characters', async () => {
    const { events, recorder, writes } = setUp()
    events.normal(web, 'Long', 'x'.repeat(5000))
    await recorder.flush()
    expect(writes[0]?.body.note).toHaveLength(1024)
  })
})

describe('the same event again', () => {
  test('raises the count of its series, at most twice a minute', async () => {
    const { clock, events, recorder, writes } = setUp()
    for (let second = 0; second < 60; second++) {
      events.normal(web, 'Waiting', 'for the database')
      await clock.advance('1s')
    }
    await recorder.flush()
    expect(writes.map(({ verb, body }) => [verb, body.series?.count])).toEqual([
      ['create', undefined],
      ['patch', 2],
      ['patch', 32],
    ])
    expect(writes[1]?.body).toMatchObject({
      key: writes[0]?.body.metadata,
      series: { lastObservedTime: '2026-01-01T12:00:01.000000Z' },
    })
  })

  test('is a new one after six quiet minutes', async () => {
    const { clock, events, recorder, writes } = setUp()
    events.normal(web, 'Waiting', 'for the database')
    await clock.advance('6m')
    events.normal(web, 'Waiting', 'for the database')
    await recorder.flush()
    expect(writes.map(({ verb }) => verb)).toEqual(['create', 'create'])
  })

  test('is created again when the first could not be written, or is gone from the server', async () => {
    const gone: Status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: 404,
      reason: 'NotFound',
      details: { name: 'x' },
    }
    const notFound = new ApiError(gone, { verb: 'patch', kind: { group: 'events.k8s.io' } as AnyKind })
    const { events, lines, recorder, writes } = setUp((verb) => (verb === 'patch' ? notFound : undefined))
    for (let time = 0; time < 3; time++) {
      events.normal(web, 'Waiting', 'for the database')
      await recorder.flush()
    }
    expect(writes.map(({ verb }) => verb)).toEqual(['create', 'patch', 'create'])
    expect(lines).toEqual([])
  })

  test.each([
    ['another reason', (e: Recording) => e.normal(web, 'Other', 'x')],
    ['another note', (e: Recording) => e.normal(web, 'Same', 'y')],
    ['a warning', (e: Recording) => e.warning(web, 'Same', 'x')],
    [
      'another object',
      (e: Recording) => e.normal({ ...web, metadata: { ...web.metadata, uid: 'v' } }, 'Same', 'x'),
    ],
  ])('is none with %s', async (_, record) => {
    const { events, recorder, writes } = setUp()
    events.normal(web, 'Same', 'x')
    record(events)
    await recorder.flush()
    expect(writes.map(({ verb }) => verb)).toEqual(['create', 'create'])
  })
})

type Recording = ReturnType<typeof setUp>['events']

test('an event that cannot be written is logged, once as a warning, and fails nothing', async () => {
  const { events, lines, recorder } = setUp(() => new Error('no permission'))
  events.normal(web, 'One', 'x')
  events.normal(web, 'Two', 'x')
  await recorder.flush()
  expect(lines.map((line) => line['level'])).toEqual(['warn', 'debug'])
})

test('an object with very many different events has further ones dropped', async () => {
  const { clock, events, recorder, writes } = setUp()
  for (let index = 0; index < 40; index++) events.normal(web, 'Count', `${index}`)
  events.normal({ ...web, metadata: { ...web.metadata, uid: 'other' } }, 'Count', '0')
  await recorder.flush()
  expect(writes).toHaveLength(26)
  await clock.advance('5m')
  events.normal(web, 'Count', 'later')
  await recorder.flush()
  expect(writes).toHaveLength(27)
})

test('an object with many events keeps its limit beside very many others', async () => {
  const { events, recorder, writes } = setUp()
  const other = (uid: string) => ({ ...web, metadata: { ...web.metadata, uid } })
  for (let index = 0; index < 5_000; index++) {
    events.normal(other(`${index}`), 'Count', '0')
    if (index % 100 === 0) events.normal(web, 'Count', `${index}`)
  }
  await recorder.flush()
  expect(writes).toHaveLength(5_000 + 25)
})
