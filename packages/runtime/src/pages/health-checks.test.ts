import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { createLogger } from '../telemetry/create-logger.ts'
import { HealthChecks } from './health-checks.ts'

function setUp() {
  const lines: string[] = []
  const logger = createLogger({
    format: 'text',
    clock: new SimulatedClock(),
    write: (line) => lines.push(line),
  })
  const checks = new HealthChecks('readyz')
  let down = false
  checks.add('ping', () => {})
  checks.add('database', async () => {
    if (down) throw new Error('no answer from 10.0.0.7')
  })
  return {
    checks,
    lines,
    breakDown: () => void (down = true),
    ask: (query = '', below = '') => checks.answer({ below, query: new URLSearchParams(query) }, logger),
  }
}

describe('a page of checks', () => {
  test('is ok, in two letters, when all pass', async () => {
    expect(await setUp().ask()).toEqual({ status: 200, body: 'ok' })
  })

  test('lists the checks where it is asked to be verbose', async () => {
    const body = '[+]ping ok\n[+]database ok\nreadyz check passed\n'
    expect(await setUp().ask('verbose')).toEqual({ status: 200, body })
  })

  test('fails with each failed check; only the log has the reason', async () => {
    const { ask, breakDown, lines } = setUp()
    breakDown()
    const body = '[+]ping ok\n[-]database failed: the log says why\nreadyz check failed\n'
    expect(await ask()).toEqual({ status: 500, body })
    expect(lines.join('')).toContain('no answer from 10.0.0.7')
  })

  test('leaves out excluded checks, and warns about an unknown name', async () => {
    const { ask, breakDown } = setUp()
    breakDown()
    expect(await ask('exclude=database')).toEqual({ status: 200, body: 'ok' })
    expect(await ask('verbose&exclude=database&exclude=nonsense')).toEqual({
      status: 200,
      body: '[+]ping ok\n[+]database excluded: ok\nwarn: there is no check nonsense to exclude\nreadyz check passed\n',
    })
  })

  test('answers for one check alone', async () => {
    const { ask, breakDown } = setUp()
    breakDown()
    expect((await ask('', 'ping')).status).toBe(200)
    expect((await ask('', 'database')).status).toBe(500)
    expect(await ask('', 'nonsense')).toMatchObject({ status: 404 })
  })
})

test('a name that is taken, or cannot be part of a path, is refused', () => {
  const { checks } = setUp()
  expect(() => checks.add('ping', () => {})).toThrow(/"ping" of a check for readyz is taken/)
  expect(() => checks.add('a/b', () => {})).toThrow(/cannot be part of a path/)
})
