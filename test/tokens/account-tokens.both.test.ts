import type { ApiRequest } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startAccountCluster, type AccountCluster } from './account-cluster.ts'

const CORE = '/api/v1/namespaces/default'
const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'
const TYPE = 'kubernetes.io/service-account-token'
const NAME = 'kubernetes.io/service-account.name'
const UID = 'kubernetes.io/service-account.uid'
const MINUTE = { timeout: 60_000, interval: 100 }

let cluster: AccountCluster
beforeAll(async () => {
  cluster = await startAccountCluster()
  // A controller makes the account of Pods that name none.
  await vi.waitUntil(async () => (await ask('GET', `${CORE}/serviceaccounts/default`)).code === 200, MINUTE)
  for (const name of ['robot', 'closed', 'strict']) await account(name, EXTRAS[name])
})
afterAll(() => cluster?.[Symbol.asyncDispose]())

const EXTRAS: Readonly<Record<string, object>> = {
  closed: { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }] },
  strict: {
    metadata: { name: 'strict', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    secrets: [{ name: 'known' }],
    imagePullSecrets: [{ name: 'pull' }],
  },
}

interface Answer {
  readonly code: number
  readonly body: any
  readonly warning: string | undefined
}

async function ask(
  method: ApiRequest['method'],
  target: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Answer> {
  const [path = '', query = ''] = target.split('?')
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await cluster.send({
    method,
    path,
    query: new URLSearchParams(query),
    headers: { accept: 'application/json', 'content-type': type, ...more },
    body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
  })
  const chunks: Uint8Array[] = []
  if (response.body instanceof Uint8Array) chunks.push(response.body)
  else for await (const chunk of response.body) chunks.push(chunk)
  return {
    code: response.status,
    body: JSON.parse(Buffer.concat(chunks).toString()),
    warning: response.headers['warning'],
  }
}

async function account(name: string, more: object = {}): Promise<any> {
  const { code, body } = await ask('POST', `${CORE}/serviceaccounts`, { metadata: { name }, ...more })
  expect(code, body.message).toBe(201)
  return body
}

describe('the token in a Pod', () => {
  const container = { name: 'c', image: 'i' }
  const mounted = { name: 'own', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }
  const mirror = { 'kubernetes.io/config.mirror': 'x' }
  const secretVariable = { name: 'V', valueFrom: { secretKeyRef: { name: 'other', key: 'k' } } }
  const pods: Readonly<Record<string, { spec?: object; annotations?: object; containers?: object[] }>> = {
    'is mounted by default': {},
    'is mounted for the named account': { spec: { serviceAccountName: 'robot' } },
    'is not mounted where the account says so': { spec: { serviceAccountName: 'closed' } },
    'is mounted where the Pod says so': {
      spec: { serviceAccountName: 'closed', automountServiceAccountToken: true },
    },
    'is not mounted where the Pod says so': { spec: { automountServiceAccountToken: false } },
    'is mounted in every container': {
      spec: { initContainers: [{ name: 'i', image: 'i' }] },
      containers: [container, { name: 'd', image: 'i' }],
    },
    'is not mounted over a mount': {
      spec: { volumes: [{ name: 'own', emptyDir: {} }] },
      containers: [
        { ...container, volumeMounts: [mounted] },
        { name: 'd', image: 'i' },
      ],
    },
    'is not mounted where every container has its own mount': {
      spec: { volumes: [{ name: 'own', emptyDir: {} }] },
      containers: [{ ...container, volumeMounts: [mounted] }],
    },
    'is mounted from a volume of the usual name': {
      spec: { volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] },
    },
    'brings the pull secrets of the account': { spec: { serviceAccountName: 'closed' } },
    'leaves other pull secrets': {
      spec: { serviceAccountName: 'closed', imagePullSecrets: [{ name: 'mine' }] },
    },
    'needs an account that exists': { spec: { serviceAccountName: 'none' } },
    'is not in mirrors': { annotations: mirror, spec: { nodeName: 'n' } },
    'of an account is not in mirrors': {
      annotations: mirror,
      spec: { nodeName: 'n', serviceAccountName: 'robot' },
    },
    'is not projected into mirrors': {
      annotations: mirror,
      spec: {
        nodeName: 'n',
        volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
      },
    },
    'and Secrets are not in mirrors': {
      annotations: mirror,
      spec: { nodeName: 'n', volumes: [{ name: 'v', secret: { secretName: 's' } }] },
    },
    'and variables from Secrets are not in mirrors': {
      annotations: mirror,
      spec: { nodeName: 'n' },
      containers: [{ ...container, env: [secretVariable] }],
    },
    'of a strict account': {
      spec: { serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: 'known' } }] },
    },
    'of a strict account with another volume': {
      spec: { serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: 'other' } }] },
    },
    'of a strict account with another variable': {
      spec: { serviceAccountName: 'strict' },
      containers: [{ ...container, env: [secretVariable] }],
    },
    'of a strict account with another variable in an init container': {
      spec: {
        serviceAccountName: 'strict',
        initContainers: [{ name: 'i', image: 'i', env: [secretVariable] }],
      },
    },
    'of a strict account with other variables': {
      spec: { serviceAccountName: 'strict' },
      containers: [{ ...container, envFrom: [{ secretRef: { name: 'other' } }] }],
    },
    'of a strict account with another pull secret': {
      spec: { serviceAccountName: 'strict', imagePullSecrets: [{ name: 'pull' }, { name: 'other' }] },
    },
  }

  test.for(Object.entries(pods))('%s', async ([title, { spec, annotations, containers = [container] }]) => {
    const { code, body } = await ask('POST', `${CORE}/pods?dryRun=All`, {
      metadata: { name: 'p', annotations },
      spec: { containers, ...spec },
    })
    const { message, spec: made } = body
    const shown = made && {
      serviceAccountName: made.serviceAccountName,
      serviceAccount: made.serviceAccount,
      automountServiceAccountToken: made.automountServiceAccountToken,
      imagePullSecrets: made.imagePullSecrets,
      volumes: made.volumes,
      mounts: [...(made.initContainers ?? []), ...made.containers].map((one: any) => one.volumeMounts),
    }
    const text = JSON.stringify({ code, message, ...shown }, undefined, 2).replaceAll(
      /kube-api-access-\w{5}\b/g,
      'kube-api-access-NAME',
    )
    const file = `recorded/${title.replaceAll(' ', '-')}.json`
    await expect(`${text}\n`).toMatchFileSnapshot(new URL(file, import.meta.url).pathname)
  })
})

describe('the token in a Secret', () => {
  let count = 0
  interface Held {
    readonly name: string
    readonly account: any
    readonly token: string
  }

  /** A Secret of an account of its own, once a controller has filled it. */
  async function held(more: object = {}): Promise<Held> {
    const name = `held-${++count}`
    const owner = await account(name)
    const metadata = { name, annotations: { [NAME]: name } }
    await ask('POST', `${CORE}/secrets`, { type: TYPE, metadata, ...more })
    const token = await vi.waitFor(async () => {
      const { body } = await ask('GET', `${CORE}/secrets/${name}`)
      expect(body.data?.token).toBeTypeOf('string')
      return Buffer.from(body.data.token, 'base64').toString()
    }, MINUTE)
    return { name, account: owner, token }
  }

  const login = (token: string): Promise<Answer> =>
    ask('GET', '/version', undefined, { authorization: `Bearer ${token}` })
  const review = async (token: string, audiences?: string[]): Promise<any> =>
    (await ask('POST', REVIEWS, { spec: { token, audiences } })).body.status
  /** Why a token is not accepted, as soon as it is not. */
  const refusal = (token: string): Promise<string> =>
    vi.waitFor(async () => {
      const { error } = await review(token)
      expect(error).toBeTypeOf('string')
      return error
    }, MINUTE)

  test('is filled in, with the namespace and the certificate of the API', async () => {
    const { name, account: owner, token } = await held()
    const { body } = await ask('GET', `${CORE}/secrets/${name}`)
    expect(Object.keys(body.data).sort()).toEqual(['ca.crt', 'namespace', 'token'])
    expect(Buffer.from(body.data.namespace, 'base64').toString()).toBe('default')
    expect(Buffer.from(body.data['ca.crt'], 'base64').toString()).toContain('BEGIN CERTIFICATE')
    expect(body.metadata.annotations).toEqual({ [NAME]: name, [UID]: owner.metadata.uid })
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(claims).toEqual({
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': name,
      'kubernetes.io/serviceaccount/service-account.name': name,
      'kubernetes.io/serviceaccount/service-account.uid': owner.metadata.uid,
      sub: `system:serviceaccount:default:${name}`,
    })
  })

  test('authenticates its account, for this server alone', async () => {
    const { name, account: owner, token } = await held()
    expect(await login(token)).toMatchObject({ code: 200, warning: undefined })
    expect(await review(token)).toEqual({
      authenticated: true,
      audiences: ['https://kubernetes.default.svc'],
      user: {
        username: `system:serviceaccount:default:${name}`,
        uid: owner.metadata.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    })
    expect((await review(token, ['other'])).error).toBe(
      '[invalid bearer token, token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["other"]]',
    )
  })

  test('is read for a review as in a header: up to a space', async () => {
    const { name, token } = await held()
    const username = `system:serviceaccount:default:${name}`
    for (const text of [`${token} and more`, `${token}\n`, `${token}\u0085\u3000`]) {
      expect(await review(text), JSON.stringify(text)).toMatchObject({
        authenticated: true,
        user: { username },
      })
    }
    const errorOf = async (end: string): Promise<unknown> => (await review(`${token}${end}`)).error
    for (const end of ['\ufeff', '\u200bmore', '.', '=']) {
      expect(await errorOf(end), JSON.stringify(end)).toBe('invalid bearer token')
    }
    // Space within the token is left out, and what follows it belongs to the signature.
    for (const end of ['\tmore', '\nmore', '\u0085more', '\u00a0more', 'm']) {
      expect(await errorOf(end), JSON.stringify(end)).toBe(
        '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]',
      )
    }
  })

  test('names the day of its last use', async () => {
    const { name, token } = await held()
    const before = new Date().toISOString().slice(0, 10)
    await login(token)
    const { metadata } = (await ask('GET', `${CORE}/secrets/${name}`)).body
    expect([before, new Date().toISOString().slice(0, 10)]).toContain(
      metadata.labels['kubernetes.io/legacy-token-last-used'],
    )
    const writers = metadata.managedFields.map(({ manager, operation }: any) => `${manager} ${operation}`)
    expect(writers).toContain('kube-apiserver Update')
  })

  test('is refused once its Secret is marked as invalid', async () => {
    const { name, token } = await held()
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2024-01-01' }
    await ask('PATCH', `${CORE}/secrets/${name}`, { metadata: { labels } })
    expect(await refusal(token)).toBe(
      `[invalid bearer token, the token in secret default/${name} for service account default/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the 'kubernetes.io/legacy-token-invalid-since' label from the secret to temporarily allow use of this token]`,
    )
  })

  test('warns where its account lists the Secret', async () => {
    const { name, token } = await held()
    await ask('PATCH', `${CORE}/serviceaccounts/${name}`, { secrets: [{ name }] })
    await vi.waitFor(
      async () =>
        expect((await login(token)).warning).toBe(
          '299 - "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens."',
        ),
      MINUTE,
    )
    await ask('DELETE', `${CORE}/secrets/${name}`)
    await vi.waitFor(async () => {
      const { body } = await ask('GET', `${CORE}/serviceaccounts/${name}`)
      expect(body.metadata.name).toBe(name)
      expect(body.secrets).toBeUndefined()
    }, MINUTE)
  })

  test('ends with its Secret', async () => {
    const { name, token } = await held()
    await ask('DELETE', `${CORE}/secrets/${name}`)
    expect(await refusal(token)).toBe('[invalid bearer token, Token has been invalidated]')
  })

  test('is replaced where it is taken out of the Secret', async () => {
    const { name, token } = await held()
    await ask('PATCH', `${CORE}/secrets/${name}`, { data: { token: Buffer.from('x').toString('base64') } })
    expect(await refusal(token)).toBe("[invalid bearer token, Token does not match server's copy]")
    await ask('PATCH', `${CORE}/secrets/${name}`, { data: { token: null } })
    await vi.waitFor(async () => {
      const { data } = (await ask('GET', `${CORE}/secrets/${name}`)).body
      expect((await login(Buffer.from(data.token, 'base64').toString())).code).toBe(200)
    }, MINUTE)
  })

  test('and its Secret end with the account', async () => {
    const { name, token } = await held()
    await ask('DELETE', `${CORE}/serviceaccounts/${name}`)
    await vi.waitFor(async () => expect((await ask('GET', `${CORE}/secrets/${name}`)).code).toBe(404), MINUTE)
    expect(await refusal(token)).toBe('[invalid bearer token, Token has been invalidated]')
  })

  test('of an account that does not exist is deleted', async () => {
    const metadata = { name: 'orphan', annotations: { [NAME]: 'unknown' } }
    expect((await ask('POST', `${CORE}/secrets`, { type: TYPE, metadata })).code).toBe(201)
    await vi.waitFor(async () => expect((await ask('GET', `${CORE}/secrets/orphan`)).code).toBe(404), MINUTE)
  })

  test('of another account of that name is deleted', async () => {
    await account('again')
    const annotations = { [NAME]: 'again', [UID]: 'ffffffff-0000-4000-8000-000000000000' }
    const metadata = { name: 'mismatch', annotations }
    expect((await ask('POST', `${CORE}/secrets`, { type: TYPE, metadata })).code).toBe(201)
    await vi.waitFor(
      async () => expect((await ask('GET', `${CORE}/secrets/mismatch`)).code).toBe(404),
      MINUTE,
    )
  })

  test('is left alone in Secrets of other types', async () => {
    const metadata = { name: 'opaque', annotations: { [NAME]: 'robot' } }
    await ask('POST', `${CORE}/secrets`, { metadata })
    // The controller has seen it once it has filled a later one.
    await held()
    expect((await ask('GET', `${CORE}/secrets/opaque`)).body.data).toBeUndefined()
  })
})
