import { SimulatedClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { operatorPage } from '@homeostat/dashboard'
import { controller, createClient, directTransport, Manager, silentLogger, type Client } from 'homeostat'
import { ClusterRole, ClusterRoleBinding, ConfigMap, ServiceAccount } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'

const NAMESPACE = 'default'
const BINDING = { name: 'viewers' }
const ACCOUNT = { namespace: NAMESPACE, name: 'viewer' }

let cleanUp: AsyncDisposableStack
let clock: SimulatedClock
let client: Client
let origin: string
/** Called before the API server answers a review of a token. */
let onTokenReview: () => Promise<unknown>

beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  clock = new SimulatedClock()
  onTokenReview = async () => {}
  const server = cleanUp.use(await ApiServer.start({ clock }))
  client = createClient({
    transport: directTransport(server.handler, { clock }),
    clock,
    fieldManager: 'test',
  })
  await client.create(ClusterRole, {
    metadata: { name: 'viewer' },
    rules: [
      { nonResourceURLs: ['/page'], verbs: ['get'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    ],
  })
  await client.create(ServiceAccount, { metadata: ACCOUNT })
  await client.create(ClusterRoleBinding, {
    metadata: BINDING,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' },
    subjects: [{ kind: 'ServiceAccount', ...ACCOUNT }],
  })
  const stop = new AbortController()
  const handler: typeof server.handler = async (request) => {
    if (request.path.endsWith('/tokenreviews')) await onTokenReview()
    return server.handler(request)
  }
  const manager = new Manager({
    config: { handler },
    clock,
    logger: silentLogger,
    page: operatorPage({ port: 0 }),
  }).add(
    controller('idle')
      .for(ConfigMap)
      .reconcile(async () => {}),
  )
  const running = manager.start({ signal: stop.signal })
  cleanUp.defer(async () => {
    stop.abort()
    await running
  })
  await manager.synced
  origin = manager.pageUrl ?? ''
})
afterEach(() => cleanUp.disposeAsync())

async function newToken(expirationSeconds = 86_400): Promise<string> {
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds },
  }
  const { status } = await client.subresource('token').create(ServiceAccount, ACCOUNT, body)
  return (status as { token: string }).token
}

/** A browser's session: the cookie that it shows. */
async function signIn(token: string): Promise<{ readonly cookie: string }> {
  const headers = { origin, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  })
  expect(answer.status).toBe(204)
  return { cookie: answer.headers.get('set-cookie')!.split(';')[0]! }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** An open stream, of which the recording has come. `end` resolves when the server has ended it. */
async function openStream(headers: Record<string, string>): Promise<{ readonly end: Promise<void> }> {
  const answer = await fetch(`${origin}/stream`, { headers })
  expect(answer.status).toBe(200)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('event: recording')) text += (await reader.read()).value ?? ''
  const read = async (): Promise<void> => {
    // A connection that is cut rejects.
    while (!(await reader.read().catch(() => ({ done: true }))).done);
  }
  return { end: read() }
}

it.each([
  ['the role is taken away', async () => void (await client.delete(ClusterRoleBinding, BINDING))],
  ['the account is deleted', async () => void (await client.delete(ServiceAccount, ACCOUNT))],
])('ends streams within ten seconds after %s, though nothing happens', async (_, loseRights) => {
  const token = await newToken()
  const streams = [await openStream(bearer(token)), await openStream(await signIn(token))]
  await clock.advance(120_000)
  await loseRights()
  await clock.advance(10_000)
  await Promise.all(streams.map(({ end }) => end))
  expect((await fetch(`${origin}/stream`, { headers: bearer(token) })).status).toBeGreaterThanOrEqual(401)
})

it('ends a stream within ten seconds after the API server takes its token no longer', async () => {
  const token = await newToken(600)
  const { end } = await openStream(await signIn(token))
  // API servers take a token for a minute longer than it says.
  await clock.advance(600_000 + 61_000 + 10_000)
  await expect(end).resolves.toBeUndefined()
})

it('keeps a stream open, and its session, for as long as the rights hold', async () => {
  const session = await signIn(await newToken(2 * 86_400))
  const { end } = await openStream(session)
  let isOpen = true
  void end.then(() => (isOpen = false))
  await clock.advance(9 * 3_600_000)
  expect(isOpen).toBe(true)
  const again = await openStream(session)
  await client.delete(ClusterRoleBinding, BINDING)
  await clock.advance(10_000)
  await Promise.all([end, again.end])
})

it('keeps a stream for a minute while the API server does not answer', async () => {
  const { end } = await openStream(bearer(await newToken()))
  let isOpen = true
  void end.then(() => (isOpen = false))
  await clock.advance(10_000)
  onTokenReview = () => Promise.reject(new Error('the server is not there'))
  await clock.advance(30_000)
  expect(isOpen).toBe(true)
  await clock.advance(60_000)
  await end
})

it('refuses a request during which the user signs out', async () => {
  const session = await signIn(await newToken())
  await clock.advance(61_000)
  onTokenReview = async () => {
    onTokenReview = async () => {}
    await fetch(`${origin}/sign-out`, { method: 'POST', headers: { origin, ...session } })
  }
  expect((await fetch(`${origin}/stream`, { headers: session })).status).toBe(401)
})
