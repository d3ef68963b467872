import { describe, expect, it } from 'vitest'
import { callWebhook } from '../../../test/review-call.ts'
import { createLogger, MetricsRegistry } from '../../telemetry/index.ts'
import { webhookHandler } from '../review/webhook-handler.ts'
import { authenticated, authentication, unauthenticated } from './index.ts'

const lines: string[] = []
const metrics = new MetricsRegistry()
const handler = webhookHandler(
  [
    authentication(async ({ token, audiences }, { log }) => {
      log.info('asked')
      if (token === 'broken') return (undefined as unknown as { x: never }).x
      if (token === 'nothing') return undefined as never
      if (token === 'thrown') throw new Error('the directory is closed')
      if (!token.startsWith('of-')) return unauthenticated('the token is unknown')
      const user = { username: token.slice(3), uid: 'u-1', groups: ['people'], extra: { team: ['a', 'b'] } }
      return authenticated(user, audiences)
    }),
  ],
  { metrics, logger: createLogger({ format: 'json', write: (line) => void lines.push(line) }) },
)
const review = (spec: object, more: object = {}) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  metadata: { uid: '9' },
  spec,
  ...more,
})
const ask = async (body: unknown) => (await callWebhook(handler, '/authenticate', body)).body

describe('an authentication webhook', () => {
  it('answers with the user of a token, and does not repeat the token', async () => {
    expect(await ask(review({ token: 'of-ada', audiences: ['x'] }))).toEqual({
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { uid: '9' },
      spec: {},
      status: {
        authenticated: true,
        user: { username: 'ada', uid: 'u-1', groups: ['people'], extra: { team: ['a', 'b'] } },
        audiences: ['x'],
      },
    })
    expect(lines.join('')).not.toContain('of-ada')
    expect(lines[0]).toContain('"requestID":"9"')
  })

  it('answers in the version that it was asked in', async () => {
    const old = review({ token: 'of-ada' }, { apiVersion: 'authentication.k8s.io/v1beta1' })
    expect((await ask(old)).apiVersion).toBe('authentication.k8s.io/v1beta1')
  })

  it.each([
    ['an unknown token', 'x', 'the token is unknown'],
    ['an error', 'thrown', 'the directory is closed'],
    ['a mistake of the code', 'broken', 'internal error occurred during authentication'],
    ['no answer', 'nothing', 'internal error occurred during authentication'],
  ])('does not authenticate by %s', async (_, token, error) => {
    expect((await ask(review({ token }))).status).toEqual({ user: {}, error })
  })

  it.each<[what: string, body: unknown, error: unknown]>([
    ['no token', review({}), 'token is empty'],
    ['an empty body', '', 'request body is empty'],
    ['no JSON', 'x', expect.stringMatching(/^couldn't get version\/kind; json parse error: /)],
    ['1 MB', ' '.repeat(1024 * 1024), 'request entity is too large; limit is 1048576 bytes'],
  ])('refuses %s as controller-runtime does', async (_, body, error) => {
    expect(await ask(body)).toEqual({ metadata: {}, spec: {}, status: { user: {}, error } })
  })

  it('refuses a path that cannot be served', () => {
    expect(() => authentication(() => unauthenticated(), { path: 'x' })).toThrow(/begin with a slash/)
  })
})
