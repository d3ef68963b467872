import { request } from 'node:http'
import { ApiServer } from '@homeostat/apiserver'
import { operatorPage } from '@homeostat/dashboard'
import {
  createClient,
  customResourceDefinition,
  directTransport,
  Manager,
  silentLogger,
  SystemClock,
  type Client,
  type ManagerOptions,
} from 'homeostat'
import {
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  Namespace,
  RoleBinding,
  ServiceAccount,
} from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import { Note, notes, PASSWORD } from './shown-operator.ts'
import { readStream } from './read-stream.ts'

const SLOW = 60_000
const TEAM = 'team-a'

let cleanUp: AsyncDisposableStack
let server: ApiServer
let client: Client
let origin: string
const clock = new SystemClock()

/** An operator in production, on a server that decides by roles. Returns what ends it. */
async function startOperator(
  page = operatorPage({ port: 0 }),
  options: Partial<ManagerOptions> = {},
): Promise<() => Promise<void>> {
  const stop = new AbortController()
  const manager = new Manager({
    config: { handler: server.handler },
    ...options,
    clock,
    logger: silentLogger,
    leaderElection: { name: 'notes-operator', namespace: 'default' },
    page,
  }).add(notes)
  const running = manager.start({ signal: stop.signal })
  const end = async (): Promise<void> => {
    stop.abort()
    await running
  }
  cleanUp.defer(end)
  await manager.synced
  origin = manager.pageUrl ?? ''
  return end
}

beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  server = cleanUp.use(await ApiServer.start({ clock }))
  client = createClient({
    transport: directTransport(server.handler, { clock }),
    clock,
    fieldManager: 'test',
  })
  await client.create(CustomResourceDefinition, customResourceDefinition(Note))
  await client.create(Namespace, { metadata: { name: TEAM } })
  await client.create(ClusterRole, {
    metadata: { name: 'page' },
    rules: [{ nonResourceURLs: ['/page'], verbs: ['get'] }],
  })
  await client.create(ClusterRole, {
    metadata: { name: 'reader' },
    rules: [
      { apiGroups: ['page.example.com'], resources: ['notes'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
    ],
  })
  await client.create(ClusterRole, {
    metadata: { name: 'editor' },
    rules: [
      { apiGroups: ['page.example.com'], resources: ['notes'], verbs: ['*'] },
      { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['*'] },
    ],
  })
})
afterEach(() => cleanUp.disposeAsync())

/** The token of a new account, which may see the page and has a role in a namespace, or everywhere. */
async function tokenOf(name: string, role?: string, namespace?: string): Promise<string> {
  const key = { namespace: 'default', name }
  await client.create(ServiceAccount, { metadata: key })
  const subjects = [{ kind: 'ServiceAccount' as const, ...key }]
  const roleRef = (role: string) => ({
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole' as const,
    name: role,
  })
  await client.create(ClusterRoleBinding, {
    metadata: { name: `${name}-page` },
    roleRef: roleRef('page'),
    subjects,
  })
  if (role !== undefined && namespace !== undefined)
    await client.create(RoleBinding, { metadata: { name, namespace }, roleRef: roleRef(role), subjects })
  else if (role !== undefined)
    await client.create(ClusterRoleBinding, { metadata: { name }, roleRef: roleRef(role), subjects })
  return tokenFor(name)
}

async function tokenFor(name: string): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const key = { namespace: 'default', name }
  const { status } = await client.subresource('token').create(ServiceAccount, key, body)
  return (status as { token: string }).token
}

function call(
  path: string,
  options: { token?: string; headers?: Record<string, string>; body?: object } = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  const { token, headers, body } = options
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}${path}`,
      {
        method: body ? 'POST' : 'GET',
        headers: { origin, ...(token && { authorization: `Bearer ${token}` }), ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

const streamUntil = (token: string, ...wanted: string[]): Promise<string> =>
  readStream(origin, { authorization: `Bearer ${token}` }, ...wanted)

const note = (namespace: string, name: string) => ({ metadata: { namespace, name }, spec: { text: name } })

describe('the page of a manager in production', () => {
  it('is for users whom the API server knows and allows to see it', async () => {
    await startOperator()
    const allowed = await tokenOf('allowed')
    await client.create(ServiceAccount, { metadata: { namespace: 'default', name: 'stranger' } })
    const stranger = await tokenFor('stranger')
    expect((await call('/')).status).toBe(200)
    expect((await call('/stream')).status).toBe(401)
    expect((await call('/stream', { token: 'wrong' })).status).toBe(401)
    expect(await call('/stream', { token: stranger })).toMatchObject({
      status: 403,
      body: expect.stringContaining('system:serviceaccount:default:stranger may not get /page'),
    })
    expect((await call('/actions/delete', { token: stranger, body: {} })).status).toBe(403)
    await streamUntil(allowed, '"notes-operator"')
  })

  it('refuses other names and other sites, also to sign in', async () => {
    await startOperator()
    const token = await tokenOf('allowed')
    const foreign: Record<string, string>[] = [
      { host: 'evil.example.com' },
      { origin: 'http://evil.example.com' },
    ]
    for (const headers of foreign) {
      expect((await call('/stream', { token, headers })).status).toBe(403)
      expect((await call('/sign-in', { headers, body: { token } })).status).toBe(403)
    }
  })

  it('shows each user what they may list, and nothing of a Secret', async () => {
    await startOperator()
    const [all, team, none] = [
      await tokenOf('all', 'editor'),
      await tokenOf('team', 'reader', TEAM),
      await tokenOf('none'),
    ]
    await client.create(Note, note('default', 'private-note'))
    await client.create(Note, note(TEAM, 'team-note'))
    const everything = await streamUntil(all, 'private-note', 'team-note', '"kind":"Secret"', '(hidden)')
    expect(everything).not.toContain(btoa(PASSWORD))
    const first = await streamUntil(
      team,
      'team-note',
      '"type":"ended"',
      '"kind":"ConfigMap"',
      'copies the note',
    )
    await client.create(Note, note(TEAM, 'team-note-2'))
    const second = await streamUntil(team, 'team-note-2')
    for (const text of [first, second]) {
      expect(text).not.toContain('private-note')
      expect(text).not.toContain('"kind":"Secret"')
      expect(text).not.toContain('textOfNote')
    }
    expect(await streamUntil(none, '"notes-operator"')).not.toContain('-note')
  })

  it('is read-only, and gives values of a Secret to a user who may read it', async () => {
    await startOperator()
    const [editor, reader] = [await tokenOf('editor', 'editor'), await tokenOf('reader', 'reader')]
    const { metadata } = await client.create(Note, note('default', 'one'))
    const about = { apiVersion: 'page.example.com/v1', kind: 'Note', namespace: 'default', name: 'one' }
    expect(
      await call('/actions/delete', { token: editor, body: { ...about, uid: metadata.uid, dryRun: false } }),
    ).toMatchObject({ status: 403, body: expect.stringContaining('read-only') })
    const secret = { namespace: 'default', name: 'one' }
    await expect
      .poll(async () => (await call('/actions/reveal', { token: editor, body: secret })).body, {
        timeout: SLOW,
      })
      .toContain(PASSWORD)
    const refused = await call('/actions/reveal', { token: reader, body: secret })
    expect(refused).toMatchObject({ status: 409, body: expect.stringContaining('forbidden') })
    expect(refused.body).not.toContain(PASSWORD)
  })

  it('writes with the rights of the user, where writes are switched on', async () => {
    await startOperator(operatorPage({ port: 0, writes: true }))
    const [editor, reader] = [await tokenOf('editor', 'editor'), await tokenOf('reader', 'reader')]
    const { metadata } = await client.create(Note, note('default', 'one'))
    const about = { apiVersion: 'page.example.com/v1', kind: 'Note', namespace: 'default', name: 'one' }
    const body = { ...about, uid: metadata.uid, dryRun: false }
    expect(await call('/actions/delete', { token: reader, body })).toMatchObject({
      status: 409,
      body: expect.stringContaining('system:serviceaccount:default:reader'),
    })
    const dry = { ...body, dryRun: true }
    expect((await call('/actions/delete', { token: reader, body: dry })).status).toBe(409)
    expect((await call('/actions/delete', { token: editor, body: dry })).status).toBe(200)
    expect(await client.get(Note, { namespace: 'default', name: 'one' })).toBeDefined()
    expect((await call('/actions/delete', { token: editor, body })).status).toBe(200)
    expect(await client.get(Note, { namespace: 'default', name: 'one' })).toBeUndefined()
  })

  it('watches no kind twice, and only the namespaces of the manager', async () => {
    const watched: string[] = []
    const handler: typeof server.handler = (request) => {
      if (request.query.has('watch')) watched.push(request.path)
      return server.handler(request)
    }
    await startOperator(operatorPage({ port: 0 }), {
      config: { handler },
      cache: { namespaces: [TEAM] },
    })
    const all = await tokenOf('all', 'editor')
    await client.create(Note, note('default', 'private-note'))
    await client.create(Note, note(TEAM, 'team-note'))
    const seen = await streamUntil(all, 'team-note', '"kind":"ConfigMap"', '"kind":"Secret"')
    expect(seen).not.toContain('private-note')
    const kinds = ['notes', 'configmaps', 'secrets', 'events']
    await expect
      .poll(() => kinds.filter((kind) => watched.some((path) => path.endsWith(`/${kind}`))), {
        timeout: SLOW,
      })
      .toEqual(kinds)
    expect(watched.filter((path) => !path.includes(`/namespaces/${TEAM}/`))).toEqual([])
    expect(watched.toSorted()).toEqual([...new Set(watched)].toSorted())
  })

  it('needs rules for the reviews and for what it watches', () => {
    const rules = new Manager({ transport: directTransport(server.handler, { clock }), page: operatorPage() })
      .add(notes)
      .rules()
    expect(rules).toContainEqual({
      apiGroups: ['authorization.k8s.io'],
      resources: ['subjectaccessreviews'],
      verbs: ['create'],
    })
    expect(rules).toContainEqual({ apiGroups: [''], resources: ['events'], verbs: ['get', 'list', 'watch'] })
  })

  it.skipIf(!hasBrowser)(
    `asks a browser for a token, and forgets it when the user signs out${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
    { timeout: 240_000 },
    async () => {
      await startOperator()
      const token = await tokenOf('reader', 'reader')
      await client.create(ServiceAccount, { metadata: { namespace: 'default', name: 'stranger' } })
      const stranger = await tokenFor('stranger')
      await client.create(Note, note('default', 'one'))
      const browser = cleanUp.use(await openBrowser())
      const page = await browser.context.newPage()
      page.setDefaultTimeout(SLOW)
      await page.goto(origin)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          expect(await axeFindings(page)).toEqual([])
        }
      }
      await page.getByLabel('Token').fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').getByText('does not know this token').waitFor()
      await page.evaluate("localStorage.setItem('homeostat-language', 'ja')")
      await page.reload()
      await page.getByLabel('トークン').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('API サーバーはこのトークンを知りません。').waitFor()
      await page.getByLabel('トークン').fill(stranger)
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('default:stranger は /page を get できません。').waitFor()
      await page.evaluate('localStorage.clear()')
      await page.reload()
      await page.getByLabel('Token').fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.getByLabel('Token').fill(token)
      await page.keyboard.press('Enter')
      await page.getByRole('treeitem', { name: /Note default\/one/ }).click()
      await page.getByRole('heading', { name: 'default/one' }).waitFor()
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
      expect(await page.content()).not.toContain(token)
      const other = await browser.context.newPage()
      await other.goto(origin)
      await other.getByRole('treeitem', { name: /Note default\/one/ }).waitFor({ timeout: SLOW })
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await other.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: SLOW })
      await other.close()
      await page.reload()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.getByLabel('Token').fill(await tokenOf('none'))
      await page.keyboard.press('Enter')
      await page.getByText('You see only objects that you may list.').waitFor()
      expect(await page.getByRole('treeitem').count()).toBe(0)
    },
  )

  it.skipIf(!hasBrowser)(
    'asks again for a token after the operator was started again, and shows values of a Secret on request',
    { timeout: 240_000 },
    async () => {
      const end = await startOperator()
      await client.create(ClusterRole, {
        metadata: { name: 'lister' },
        rules: [
          { apiGroups: ['page.example.com'], resources: ['notes'], verbs: ['list'] },
          { apiGroups: [''], resources: ['secrets'], verbs: ['list'] },
        ],
      })
      const [lister, editor] = [await tokenOf('lister', 'lister'), await tokenOf('editor', 'editor')]
      await client.create(Note, note('default', 'one'))
      const browser = cleanUp.use(await openBrowser())
      const page = await browser.context.newPage()
      page.setDefaultTimeout(SLOW)
      const details = page.getByRole('region', { name: 'Details' })
      const signIn = async (token: string): Promise<void> => {
        await page.getByLabel('Token').fill(token)
        await page.keyboard.press('Enter')
        await page.getByRole('treeitem', { name: /Secret one/ }).click()
        await details.getByRole('button', { name: 'Show values' }).click()
      }
      await page.goto(origin)
      await signIn(lister)
      await page.getByRole('alert').getByText('forbidden').waitFor()
      expect(await page.content()).not.toContain(PASSWORD)

      const port = Number(new URL(origin).port)
      await end()
      await page.getByText('Connection lost, trying again').waitFor()
      await startOperator(operatorPage({ port }))
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await signIn(editor)
      await details.getByText(PASSWORD, { exact: true }).waitFor()
      await details.getByRole('button', { name: 'Hide values' }).click()
      await details.getByText(PASSWORD).waitFor({ state: 'detached' })
      expect(await page.content()).not.toContain(PASSWORD)
    },
  )
})
