import { HomeostatError, SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { createLogger, silentLogger, type LoggerOptions } from './create-logger.ts'

function recorder(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = []
  const log = createLogger({
    format: 'json',
    clock: new SimulatedClock(),
    write: (line) => lines.push(line),
    ...options,
  })
  return { log, lines, last: () => JSON.parse(lines.at(-1)!) }
}

describe('the JSON form', () => {
  it('is one object a line with the time of the clock, the level, the message and the fields', () => {
    const { log, lines } = recorder()
    log.info({ controller: 'at', attempt: 2 }, 'reconciled')
    expect(lines).toEqual([
      '{"time":"2026-01-01T12:00:00.000Z","level":"info","message":"reconciled","controller":"at","attempt":2}\n',
    ])
  })

  it('takes a message alone, as pino does, at every level', () => {
    const { log, lines } = recorder({ level: 'debug' })
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      log[level]('at work')
      log.child({ controller: 'at' })[level]('as a child')
    }
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ['debug', 'info', 'warn', 'error'].flatMap((level) => [
        { time: '2026-01-01T12:00:00.000Z', level, message: 'at work' },
        { time: '2026-01-01T12:00:00.000Z', level, message: 'as a child', controller: 'at' },
      ]),
    )
  })

  it('has the time of the machine where no clock is given', () => {
    const { log, last } = recorder({ clock: undefined })
    log.info('now')
    expect(new Date(last().time).getUTCFullYear()).toBeGreaterThan(2024)
  })

  it('keeps a field that has the name of a fixed part beside it', () => {
    const { log, last } = recorder()
    log.info({ message: 'of the field' }, 'of the line')
    expect(last()).toMatchObject({ message: 'of the line', 'fields.message': 'of the field' })
  })

  it('carries the fields of a child on all its lines', () => {
    const { log, last } = recorder()
    log.child({ controller: 'at' }).child({ object: 'default/x' }).warn({ n: 1 }, 'slow')
    expect(last()).toMatchObject({ level: 'warn', controller: 'at', object: 'default/x', n: 1 })
  })
})

describe('levels', () => {
  it('below the lowest one are not written', () => {
    const { log, lines } = recorder({ level: 'warn' })
    log.debug('a')
    log.info('b')
    log.warn('c')
    log.error('d')
    expect(lines).toHaveLength(2)
  })

  it('leave debug out by default', () => {
    const { log, lines } = recorder()
    log.debug('a')
    expect(lines).toEqual([])
  })

  it('write nothing at all with the silent logger', () => {
    expect(() => silentLogger.child({ a: 1 }).error('a failure')).not.toThrow()
  })
})

describe('secrets', () => {
  it.each(['authorization', 'Authorization', 'token', 'accessToken', 'password', 'client-key-data'])(
    'under the key %s are left out, at any depth',
    (key) => {
      const { log, lines } = recorder()
      log.info({ [key]: 'hunter2', headers: { [key]: 'hunter2' } }, 'request')
      expect(lines[0]).not.toContain('hunter2')
      expect(lines[0]).toContain('[redacted]')
    },
  )

  it('in Secret objects are left out, the copy in the last-applied annotation too', () => {
    const { log, lines, last } = recorder()
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'db',
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"root":"aHVudGVyMg=="}}',
        },
      },
      data: { root: 'aHVudGVyMg==' },
      stringData: { plain: 'hunter2' },
    }
    log.info({ secret }, 'read')
    expect(lines[0]).not.toMatch(/aHVudGVyMg|hunter2/)
    expect(last().secret).toMatchObject({ metadata: { name: 'db' }, data: { root: '[redacted]' } })
  })

  it('in a bearer header within a text are left out', () => {
    const { log, lines } = recorder()
    log.info({ error: new Error('sent Authorization: Bearer abcdefgh.ijklmnop') }, 'failed')
    expect(lines[0]).not.toContain('abcdefgh')
  })

  it('are not assumed in the data of other kinds or in the names of Secrets', () => {
    const { log, last } = recorder()
    log.info({ config: { kind: 'ConfigMap', data: { a: 'b' } }, secret: 'db-root' }, 'read')
    expect(last()).toMatchObject({ config: { data: { a: 'b' } }, secret: 'db-root' })
  })
})

describe('errors among the fields', () => {
  const cause = new HomeostatError('TRANSPORT_REFUSED', 'nothing listens')
  const error = new HomeostatError('API_UNAVAILABLE', 'no answer', { cause })

  it('come with code, message and the chain of causes', () => {
    const { log, last } = recorder()
    log.error({ error }, 'reconcile failed')
    expect(last().error).toEqual({
      name: 'HomeostatError',
      code: 'API_UNAVAILABLE',
      message: 'no answer',
      cause: { name: 'HomeostatError', code: 'TRANSPORT_REFUSED', message: 'nothing listens' },
    })
  })

  it('come with a stack where no code explains them', () => {
    const { log, last } = recorder()
    log.error({ error: new TypeError('x is undefined') }, 'reconcile failed')
    expect(last().error.stack).toContain('create-logger.test.ts')
  })

  it('are written below the line in the text form', () => {
    const { log, lines } = recorder({ format: 'text' })
    log.error({ error, object: 'default/x' }, 'reconcile failed')
    expect(lines[0]).toBe(
      '12:00:00.000 ERROR reconcile failed object=default/x\n' +
        '    error: no answer (API_UNAVAILABLE)\n' +
        '    caused by: nothing listens (TRANSPORT_REFUSED)\n',
    )
  })
})

describe('awkward values', () => {
  it('that refer to themselves are cut', () => {
    const { log, last } = recorder()
    const loop: Record<string, unknown> = { name: 'loop' }
    loop['self'] = loop
    log.info({ loop }, 'x')
    expect(last().loop).toEqual({ name: 'loop', self: '[circular]' })
  })

  it('that throw when read do not keep the message from being written', () => {
    const { log, last } = recorder()
    const field = {
      get broken(): never {
        throw new Error('no')
      },
    }
    log.info({ field }, 'still here')
    expect(last()).toMatchObject({ message: 'still here', logFieldsFailed: 'Error: no' })
  })

  it('that JSON does not know are written as text', () => {
    const { log, last } = recorder()
    log.info({ big: 9_007_199_254_740_993n, bytes: new Uint8Array(3), none: undefined }, 'x')
    expect(last()).toMatchObject({ big: '9007199254740993', bytes: '[3 bytes]' })
    expect(last()).not.toHaveProperty('none')
  })
})

describe('the text form', () => {
  it('quotes values with spaces and has no colours unless asked', () => {
    const { log, lines } = recorder({ format: 'text' })
    log.info({ why: 'spec changed', n: 3, ok: true }, 'reconciled')
    expect(lines[0]).toBe('12:00:00.000 INFO  reconciled why="spec changed" n=3 ok=true\n')
  })

  it('is coloured for a terminal', () => {
    const { log, lines } = recorder({ format: 'text', color: true })
    log.warn('slow')
    expect(lines[0]).toContain('\u001b[33mWARN \u001b[0m slow')
  })
})
