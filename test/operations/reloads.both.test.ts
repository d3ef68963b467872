import { createHash } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeWebhookKubeconfig } from '../authorization/webhook-kubeconfig.ts'
import { TokenIssuer } from '../tokens/token-issuer.ts'
import { WebhookServer } from '../webhooks/webhook-server.ts'
import { startWithFlags } from './flagged-server.ts'
import { lines, recorded, type OperatedServer } from './operated-server.ts'

/** A real server looks at the configuration of encryption once a minute, at others when they change. */
const WAIT = { timeout: 200_000, interval: 100 }
const API = 'apiserver.config.k8s.io/v1'

let folder: string
let issuer: TokenIssuer
let webhooks: WebhookServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-reloads-'))
  issuer = await TokenIssuer.start()
  const status = { allowed: true }
  webhooks = await WebhookServer.start({
    allowing: () => ({
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status },
    }),
  })
})
afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]()
  await issuer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** A configuration file, which is replaced as a whole. */
class File {
  readonly path: string
  text = ''

  constructor(name: string, content: unknown) {
    this.path = join(folder, name)
    this.write(content)
  }

  write(content: unknown): void {
    this.text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(`${this.path}.next`, this.text)
    renameSync(`${this.path}.next`, this.path)
  }

  get hash(): string {
    return `sha256:${createHash('sha256').update(this.text).digest('hex')}`
  }
}

/** The series of reloads, without the identity of the server and times, and the descriptions of their families. */
async function reloads(server: OperatedServer, file: File): Promise<readonly string[]> {
  const { text } = await server.ask('GET', '/metrics')
  return text
    .split('\n')
    .filter((line) => /^(?:# \w+ )?apiserver_\w+_config_controller_/.test(line))
    .map((line) =>
      line
        .replace(file.hash, 'HASH OF THE FILE')
        .replace(/apiserver_id_hash="sha256:[0-9a-f]{64}"/, 'apiserver_id_hash="ID"')
        .replace(/(timestamp_seconds\{.*\}) .*/, '$1 TIME')
        .replace(/"sha256:[0-9a-f]{64}"/, '"HASH OF ANOTHER"'),
    )
}

/** How many reloads of one result there were. */
async function count(server: OperatedServer, status: 'failure' | 'success'): Promise<number> {
  const { text } = await server.ask('GET', '/metrics')
  return Number(new RegExp(`automatic_reloads_total\\{.*status="${status}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

test('an AuthenticationConfiguration takes effect when its file changes, unless it is invalid', async () => {
  const configuration = (prefix: string, more: object = {}): object => ({
    apiVersion: API,
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: {
          url: `${issuer.url}/plain`,
          audiences: ['one'],
          certificateAuthority: issuer.certificateAuthority,
        },
        claimMappings: { username: { claim: 'sub', prefix } },
      },
    ],
    ...more,
  })
  const file = new File('authentication.yaml', configuration('a:'))
  await using server = await startWithFlags([`--authentication-config=${file.path}`])
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: `${issuer.url}/plain`, aud: 'one', sub: 'jane', iat: now, exp: now + 3600 }
  const headers = { authorization: `Bearer ${issuer.token(claims)}` }
  const review = async (): Promise<unknown> => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const { status, text } = await server.ask('POST', path, { body, headers })
    return status === 201 ? JSON.parse(text).status.userInfo.username : status
  }
  const told: unknown[] = []
  await vi.waitFor(async () => expect(await review()).toBe('a:jane'), WAIT)
  const tell = async (change: string): Promise<void> => {
    told.push({ change, user: await review(), reloads: await reloads(server, file) })
  }
  await tell('none')
  file.write(configuration('b:'))
  await vi.waitFor(async () => expect(await review()).toBe('b:jane'), WAIT)
  await vi.waitFor(async () => expect(await count(server, 'success')).toBe(1), WAIT)
  await tell('another prefix')
  const wrong = [
    ['no YAML', 'jwt: ['],
    ['a field with a typing mistake', configuration('c:', { jtw: [] })],
    [
      'an issuer without TLS',
      { ...configuration('c:'), jwt: [{ issuer: { url: 'http://a', audiences: ['b'] } }] },
    ],
    ['anonymous requests', configuration('c:', { anonymous: { enabled: false } })],
  ] as const
  for (const [index, [change, content]] of wrong.entries()) {
    file.write(content)
    await vi.waitFor(async () => expect(await count(server, 'failure')).toBe(index + 1), WAIT)
    await tell(change)
  }
  file.write({ apiVersion: API, kind: 'AuthenticationConfiguration', jwt: [] })
  await vi.waitFor(async () => expect(await review()).toBe(401), WAIT)
  await vi.waitFor(async () => expect(await count(server, 'success')).toBe(2), WAIT)
  await tell('no issuers')
  await expect(lines(told)).toMatchFileSnapshot(recorded('reloads-of-authentication'))
})

test('an AuthorizationConfiguration takes effect when its file changes, unless it is invalid', async () => {
  const rbac = { type: 'RBAC', name: 'rbac' }
  const webhook = (kubeConfigFile: string) => ({
    type: 'Webhook',
    name: 'webhook',
    webhook: {
      timeout: '5s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      authorizedTTL: '1s',
      unauthorizedTTL: '1s',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    },
  })
  const configuration = (...authorizers: readonly object[]): object => ({
    apiVersion: API,
    kind: 'AuthorizationConfiguration',
    authorizers,
  })
  const allowing = webhook(writeWebhookKubeconfig(folder, webhooks, 'allowing'))
  const file = new File('authorization.yaml', configuration(rbac))
  await using server = await startWithFlags([`--authorization-config=${file.path}`])
  const asJane = async (): Promise<number> => {
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' }
    return (await server.ask('GET', '/api/v1/nodes', { headers })).status
  }
  const told: unknown[] = []
  const tell = async (change: string): Promise<void> => {
    told.push({ change, status: await asJane(), reloads: await reloads(server, file) })
  }
  await tell('none')
  const steps = [
    ['a webhook', configuration(rbac, allowing), 'success'],
    ['no YAML', 'authorizers: [', 'failure'],
    ['without RBAC', configuration(allowing), 'failure'],
    ['a missing kubeconfig', configuration(rbac, webhook(join(folder, 'none'))), 'failure'],
    ['the same names', configuration(rbac, { ...allowing, name: 'rbac' }), 'failure'],
    ['another name', configuration({ ...rbac, name: 'roles' }), 'failure'],
    ['no webhook', configuration(rbac), 'success'],
    ['everything', configuration(rbac, { type: 'AlwaysAllow', name: 'alwaysallow' }), 'success'],
    ['nothing', configuration({ type: 'AlwaysDeny', name: 'alwaysdeny' }, rbac), 'success'],
  ] as const
  const counts = { success: 0, failure: 0 }
  for (const [change, content, result] of steps) {
    file.write(content)
    counts[result]++
    await vi.waitFor(async () => expect(await count(server, result)).toBe(counts[result]), WAIT)
    await tell(change)
  }
  await expect(lines(told)).toMatchFileSnapshot(recorded('reloads-of-authorization'))
})

test('an EncryptionConfiguration takes effect when its file changes, where a flag says so', async () => {
  const key = (name: string, byte: string) => ({
    name,
    secret: Buffer.from(byte.repeat(32)).toString('base64'),
  })
  const configuration = (...keys: readonly object[]): object => ({
    apiVersion: API,
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ aescbc: { keys } }, { identity: {} }] }],
  })
  const file = new File('encryption.yaml', configuration(key('one', 'a')))
  const flags = [
    `--encryption-provider-config=${file.path}`,
    '--encryption-provider-config-automatic-reload=true',
  ]
  await using server = await startWithFlags(flags, [`--data-dir=${join(folder, 'data')}`])
  const secrets = '/api/v1/namespaces/default/secrets'
  const secret = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    data: { a: 'Yg==' },
  })
  const told: unknown[] = []
  const tell = async (change: string): Promise<void> => {
    const { status } = await server.ask('POST', secrets, { body: secret(`s${told.length}`) })
    const all = JSON.parse((await server.ask('GET', secrets)).text).items
    const read = all.filter(({ data }: any) => data?.a === 'Yg==').length
    // A real server tries an invalid file again and again.
    const series = (await reloads(server, file)).map((line) =>
      line.replace(/(status="failure"\}) \d+/, '$1 SOME'),
    )
    told.push({ change, status, read, reloads: series })
  }
  await tell('none')
  file.write(configuration(key('two', 'b'), key('one', 'a')))
  await vi.waitFor(async () => expect(await count(server, 'success')).toBe(1), WAIT)
  await tell('another key first')
  file.write(configuration(key('three', 'c'), { name: 'short', secret: 'YQ==' }))
  await vi.waitFor(async () => expect(await count(server, 'failure')).toBeGreaterThan(0), WAIT)
  await tell('a key that is too short')
  await expect(lines(told)).toMatchFileSnapshot(recorded('reloads-of-encryption'))
})
