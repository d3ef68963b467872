import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lines, startOperated, type OperatedServer } from '../operations/operated-server.ts'
import { WebhookServer, type Answer } from '../webhooks/webhook-server.ts'
import { writeWebhookKubeconfig } from './webhook-kubeconfig.ts'

const API = 'authentication.k8s.io/v1'
const OWN = 'https://kubernetes.default.svc'

function answer(status: object): Answer {
  return { body: { apiVersion: API, kind: 'TokenReview', status } }
}

const jane = { username: 'jane', uid: 'u-1', groups: ['a', 'b'], extra: { 'example.com/x': ['1', '2'] } }

/** The answers of the webhook. The token of a request chooses one. */
const answers: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
  'a-user': () => answer({ authenticated: true, user: jane }),
  'a-bare-user': () => answer({ authenticated: true, user: { username: 'joe' } }),
  'a-user-without-a-name': () => answer({ authenticated: true, user: {} }),
  'the-anonymous-user': () => answer({ authenticated: true, user: { username: 'system:anonymous' } }),
  'for-this-server': () => answer({ authenticated: true, user: jane, audiences: [OWN, 'x'] }),
  'for-another-server': () => answer({ authenticated: true, user: jane, audiences: ['x'] }),
  refused: () => answer({ authenticated: false }),
  'refused-for-a-reason': () => answer({ authenticated: false, error: 'too old' }),
  'a-user-with-an-error': () => answer({ authenticated: true, user: jane, error: 'odd' }),
  'without-status': () => ({ body: { apiVersion: API, kind: 'TokenReview' } }),
  'without-kind': () => ({ body: { status: { authenticated: true, user: jane } } }),
  'of-another-version': () => ({
    body: {
      apiVersion: 'authentication.k8s.io/v1beta1',
      kind: 'TokenReview',
      status: { authenticated: true },
    },
  }),
  forbidden: () => ({ status: 403, body: 'not you' }),
  'not-found': () => ({ status: 404, body: 'not here' }),
  empty: () => ({ body: '' }),
  broken: () => ({ body: '{"kind":' }),
}

let folder: string
let webhooks: WebhookServer
let server: OperatedServer
let held: { readonly arrived: () => void; readonly released: Promise<void> } | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-token-webhook-'))
  webhooks = await WebhookServer.start({
    tokens: async ({ spec }) => {
      held?.arrived()
      await held?.released
      return (answers[spec.token.split('.')[0]] ?? answers['refused']!)()
    },
  })
  const kubeconfig = writeWebhookKubeconfig(folder, webhooks, 'tokens')
  server = await startOperated(
    [
      `--authentication-token-webhook-config-file=${kubeconfig}`,
      '--authentication-token-webhook-version=v1',
      '--authentication-token-webhook-cache-ttl=10m',
    ],
    { tokenWebhook: { kubeconfig, cacheLifetime: 600_000 } },
  )
})
afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
beforeEach(() => void webhooks.reviews.splice(0))

async function review(token: string, audiences?: readonly string[]): Promise<any> {
  const body = { apiVersion: API, kind: 'TokenReview', spec: { token, audiences } }
  const { text } = await server.ask('POST', `/apis/${API}/tokenreviews`, { body })
  return JSON.parse(text.replaceAll(`:${webhooks.port}`, ':PORT')).status
}

function logIn(token: string, target = '/api/v1/nodes') {
  return server.ask('GET', target, { headers: { authorization: `Bearer ${token}` } })
}

function recorded(title: string): string {
  return new URL(`recorded/tokens/${title.replaceAll(' ', '-')}.json`, import.meta.url).pathname
}

describe('a token whose answer is', () => {
  test.for(Object.keys(answers))('%s', async (name) => {
    const own = await review(name)
    const others = await review(`${name}.1`, ['x', 'y'])
    const both = await review(`${name}.2`, ['y', OWN, 'x'])
    const { status, text } = await logIn(`${name}.3`)
    await expect(
      lines({ own, others, both, request: { status, message: JSON.parse(text).message } }),
    ).toMatchFileSnapshot(recorded(name))
  })
})

test('the webhook is told the token and the audiences', async () => {
  await review('told')
  await review('told', ['x', 'y'])
  await logIn('told.2')
  await expect(lines(webhooks.reviews)).toMatchFileSnapshot(recorded('told'))
})

test('tokens that the server knows are not sent', async () => {
  expect((await server.ask('GET', '/api/v1/nodes')).status).toBe(200)
  expect((await server.ask('GET', '/version', { headers: { authorization: 'Basic eA==' } })).status).toBe(200)
  expect(webhooks.reviews).toEqual([])
})

test('answers are kept, those that failed are not', async () => {
  for (const [token, times] of [
    ['a-user.kept', 1],
    ['refused.kept', 1],
    ['refused-for-a-reason.kept', 2],
    ['not-found.kept', 2],
  ] as const) {
    webhooks.reviews.splice(0)
    const [first, second] = [await logIn(token), await logIn(token)]
    expect(second.status).toBe(first.status)
    expect(webhooks.reviews, token).toHaveLength(times)
  }
})

test('requests at the same time ask once', async () => {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  held = { arrived: arrived.resolve, released: released.promise }
  try {
    const requests = [1, 2, 3].map(() => logIn('a-user.shared', '/api'))
    await arrived.promise
    // Another request is not held up.
    expect((await server.ask('GET', '/api/v1/nodes')).status).toBe(200)
    released.resolve()
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200)
  } finally {
    released.resolve()
    held = undefined
  }
  expect(webhooks.reviews.length).toBe(1)
})
