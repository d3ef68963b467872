import { OperatorTest } from '@homeostat/cluster/testing'
import { createLogger, SystemClock } from 'homeostat'
import { ConfigMap, Event } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

test('each reconcile says of what it was, and why it ran', async () => {
  const lines: string[] = []
  const logger = createLogger({
    format: 'json',
    write: (line) => void lines.push(line),
    clock: new SystemClock(),
  })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting], logger })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region logs
  await test.client.delete(ConfigMap, key)
  await test.settle()
  const reconciled = lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'successfully reconciled')
  expect(reconciled).toContainEqual(
    expect.objectContaining({
      controller: 'greeting',
      namespace: 'default',
      name: 'hello',
      reconcileID: expect.any(String),
      causes: 'ConfigMap default/hello was deleted',
    }),
  )
  // #endregion
})

test('the user is told by an event, and the same one again is counted', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region events
  await test.client.delete(ConfigMap, key)
  await test.advance('1m')
  const events = await test.client.list(Event, { namespace: 'default' })
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    type: 'Normal',
    reason: 'Greeted',
    note: 'world was greeted',
    regarding: { kind: 'Greeting', name: 'hello' },
    series: { count: expect.any(Number) },
  })
  // #endregion
})
