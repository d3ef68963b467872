import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import type { ExecConfig } from './exec-config.ts'
import { ExecSource } from './exec-source.ts'

const config: ExecConfig = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'login',
  args: [],
  env: {},
  interactiveMode: 'Never',
  source: 'user "me" of config',
}

function credential(status: unknown, apiVersion: string = config.apiVersion): string {
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', status })
}

/** A source whose program prints `token-1`, `token-2` …, or a given text. */
function setUp(print?: (run: number, now: number) => string) {
  const clock = new SimulatedClock({ start: '2026-01-01T12:00:00Z' })
  const signals: AbortSignal[] = []
  const held: { promise: Promise<void> | undefined } = { promise: undefined }
  const source = new ExecSource(config, clock, async (_, { signal }) => {
    signals.push(signal)
    const run = signals.length
    const wait = held.promise
    if (wait) await wait
    return print ? print(run, clock.now()) : credential({ token: `token-${run}` })
  })
  return { clock, source, signals, held }
}

const expiring = (run: number, now: number): string =>
  credential({ token: `token-${run}`, expirationTimestamp: new Date(now + 3_600_000).toISOString() })

describe('credentials from a program', () => {
  it('are kept for ever where the program does not say when they end', async () => {
    const { clock, source, signals } = setUp()
    const first = await source.get(undefined)
    await clock.advance('1000h')
    expect(first).toEqual({ header: 'Bearer token-1', cert: undefined, key: undefined })
    expect(await source.get(undefined)).toBe(first)
    expect(signals).toHaveLength(1)
  })

  it('are renewed shortly before they end', async () => {
    const { clock, source } = setUp(expiring)
    await source.get(undefined)
    await clock.advance('59m')
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-1' })
    await clock.advance('31s')
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-2' })
  })

  it('that have expired when they arrive are used once', async () => {
    const { source } = setUp((run) =>
      credential({ token: `token-${run}`, expirationTimestamp: '2020-01-01T00:00:00Z' }),
    )
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-1' })
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-2' })
  })

  it('are renewed when the server refuses them, once for all refused requests', async () => {
    const { clock, source } = setUp()
    const first = await source.get(undefined)
    await clock.advance('1m')
    expect(source.refused(first)).toBe(true)
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-2' })
    expect(source.refused(first)).toBe(true)
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-2' })
  })

  it('are not renewed when the server refuses new ones: others would not help', async () => {
    const { source } = setUp()
    expect(source.refused(await source.get(undefined))).toBe(false)
  })

  it('come from one run for all requests meanwhile', async () => {
    const { source, signals, held } = setUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    held.promise = promise
    const asked = [undefined, undefined, new AbortController().signal].map(async (signal) =>
      source.get(signal),
    )
    resolve()
    for (const answer of await Promise.all(asked)) expect(answer.header).toBe('Bearer token-1')
    expect(signals).toHaveLength(1)
  })

  it('arrive for the requests that were not aborted; when all were aborted, the program is ended', async () => {
    const { source, signals, held } = setUp()
    held.promise = Promise.withResolvers<void>().promise
    const [one, two] = [new AbortController(), new AbortController()]
    const outcome = Promise.allSettled([one, two].map(async ({ signal }) => source.get(signal)))
    one.abort('enough')
    expect(signals[0]!.aborted).toBe(false)
    two.abort('enough too')
    expect(signals[0]!.aborted).toBe(true)
    expect(await outcome).toEqual([
      { status: 'rejected', reason: 'enough' },
      { status: 'rejected', reason: 'enough too' },
    ])
    held.promise = undefined
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer token-2' })
  })

  it('are asked for again after a failure', async () => {
    const { source } = setUp((run) => (run === 1 ? 'rubbish' : credential({ token: 'good' })))
    await expect(source.get(undefined)).rejects.toMatchObject({ code: 'TRANSPORT_CREDENTIALS' })
    expect(await source.get(undefined)).toMatchObject({ header: 'Bearer good' })
  })

  it.each<[string, string, RegExp]>([
    ['nothing', '\n', /printed nothing/],
    ['rubbish', 'hunter2', /printed something that is not JSON/],
    ['something else', '{"hunter2":1}', /printed no ExecCredential of client.authentication.k8s.io\/v1/],
    [
      'another version',
      credential({ token: 'hunter2' }, 'client.authentication.k8s.io/v1beta1'),
      /printed no ExecCredential of .*v1\. Update the program, or set the apiVersion/,
    ],
    ['no status', credential(undefined), /without a status/],
    ['an empty status', credential({}), /neither a token nor a client certificate/],
    ['a token of another type', credential({ token: ['hunter2'] }), /status.token that is not a string/],
    ['a key alone', credential({ clientKeyData: 'hunter2' }), /without its key, or the key alone/],
    [
      'no time',
      credential({ token: 'hunter2', expirationTimestamp: 'soon' }),
      /expirationTimestamp that is not a time/,
    ],
  ])(
    'that are %s are an error with the user, the program and the remedy, and no secret',
    async (_, output, what) => {
      const { source } = setUp(() => output)
      const error = await Promise.resolve(source.get(undefined)).catch((caught: unknown) => caught as Error)
      expect(error).toMatchObject({ name: 'TransportError', code: 'TRANSPORT_CREDENTIALS' })
      const { message } = error as Error
      expect(message).toMatch(/^the program "login", which provides the credentials of user "me" of config, /)
      expect(message).toMatch(what)
      expect(message).toMatch(/\. (Run|Update) .*\.$/)
      expect(JSON.stringify([message, (error as Error).cause])).not.toContain('hunter2')
    },
  )
})
