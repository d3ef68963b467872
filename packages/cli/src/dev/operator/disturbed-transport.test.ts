import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { directTransport } from 'homeostat'
import { expect, test } from 'vitest'
import { DisturbedTransport } from './disturbed-transport.ts'

const clock = new SimulatedClock()
const made = () =>
  new DisturbedTransport(
    directTransport(async () => ({ status: 200, headers: {}, body: new Uint8Array() }), { clock }),
    clock,
  )
const request = (query = ''): ApiRequest => ({
  method: 'GET',
  path: '/api/v1/pods',
  query: new URLSearchParams(query),
  headers: {},
})

test('a failing API refuses every second request, and no watch', async () => {
  const transport = made()
  transport.state = 'failing'
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await transport.send(request())).status)
  expect(statuses).toEqual([200, 503, 200, 503])
  for (let count = 0; count < 4; count++)
    expect((await transport.send(request('watch=true'))).status).toBe(200)
})

test('a slow API answers two seconds late, until it is normal again', async () => {
  const transport = made()
  transport.state = 'slow'
  const begun = clock.monotonic()
  const answer = transport.send(request())
  await clock.advance('2s')
  expect((await answer).status).toBe(200)
  expect(clock.monotonic() - begun).toBe(2000)
  transport.state = 'normal'
  expect((await transport.send(request())).status).toBe(200)
  expect(clock.monotonic() - begun).toBe(2000)
})
