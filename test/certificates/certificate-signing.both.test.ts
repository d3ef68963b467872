import { X509Certificate } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { createCertificateRequest } from '@homeostat/api/certificates'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exchange, type RawAnswer } from '../proxies/raw-exchange.ts'
import requests from './requests.json' with { type: 'json' }
import { startSigningCluster, type SigningCluster } from './signing-cluster.ts'

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const CLIENT = 'kubernetes.io/kube-apiserver-client'
const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet'
const SERVING = 'kubernetes.io/kubelet-serving'
const CLIENT_USAGES = ['digital signature', 'client auth']
const SERVER_USAGES = ['digital signature', 'server auth']

let server: SigningCluster
beforeAll(async () => {
  server = await startSigningCluster()
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function call(
  method: string,
  path: string,
  object?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: any }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const { status, body }: RawAnswer = await exchange(server, {
    method,
    path,
    headers: { 'content-type': contentType, ...headers },
    body: object && JSON.stringify(object),
  })
  return { status, body: JSON.parse(body.toString()) }
}

interface Asked {
  readonly request: keyof typeof requests
  readonly signerName?: string
  readonly usages?: readonly string[]
  readonly expirationSeconds?: number
  /** As whom the request is made. */
  readonly as?: Record<string, string>
}

let count = 0
async function ask({ request, as, ...spec }: Asked, pem: string = requests[request]): Promise<string> {
  const name = `request-${++count}`
  const { status, body } = await call(
    'POST',
    REQUESTS,
    {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: {
        signerName: CLIENT,
        usages: CLIENT_USAGES,
        ...spec,
        request: Buffer.from(pem).toString('base64'),
      },
    },
    as,
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return name
}

async function decide(name: string, type: 'Approved' | 'Denied'): Promise<void> {
  const conditions = [{ type, status: 'True', reason: 'ByTest', message: 'by the test' }]
  const { status } = await call('PATCH', `${REQUESTS}/${name}/approval`, { status: { conditions } })
  expect(status).toBe(200)
}

/** The request once it is issued, or has failed. */
async function settled(name: string): Promise<any> {
  let found: any
  await expect
    .poll(async () => {
      found = (await call('GET', `${REQUESTS}/${name}`)).body
      const { certificate, conditions = [] } = found.status
      return certificate !== undefined || conditions.some(({ type }: any) => type === 'Failed')
    })
    .toBe(true)
  return found
}

function shown({ status }: any): object {
  const conditions = (status.conditions ?? []).map(({ type, status: state, reason, message }: any) => ({
    type,
    status: state,
    reason,
    message,
  }))
  return { conditions, certificate: status.certificate && certificateShown(status.certificate) }
}

const MINUTE = 60_000

function certificateShown(encoded: string): object {
  const text = Buffer.from(encoded, 'base64').toString()
  const certificate = new X509Certificate(text)
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const { publicKey } = certificate
  return {
    isPem: /^-----BEGIN CERTIFICATE-----\n[^-]*-----END CERTIFICATE-----\n$/.test(text),
    subject: certificate.subject,
    names: certificate.subjectAltName,
    purposes: certificate.keyUsage,
    authority: certificate.ca,
    key: `${publicKey.asymmetricKeyType} ${publicKey.asymmetricKeyDetails?.namedCurve ?? ''}`,
    minutes: Math.round((to - from) / MINUTE),
    begins: Math.round((Date.now() - from) / MINUTE),
    usages: keyUsageOf(certificate.raw),
  }
}

/** The bits of the extension `keyUsage`, which Node does not tell. */
function keyUsageOf(der: Buffer): string {
  const at = der.indexOf(Buffer.from('0603551d0f', 'hex'))
  return at < 0 ? 'none' : der.subarray(at + 5, at + 14).toString('hex')
}

const SIGNED: Readonly<Record<string, Asked>> = {
  'a client': { request: 'jane' },
  'a client by RSA': {
    request: 'jane by RSA',
    usages: ['digital signature', 'key encipherment', 'client auth'],
  },
  'a client by P-384': { request: 'jane by P-384' },
  'a client by P-521': { request: 'jane by P-521' },
  'a client by Ed25519': { request: 'jane by Ed25519' },
  'a client with names of all types': { request: 'names of all types' },
  'a client without a subject': { request: 'no subject', usages: ['client auth'] },
  'a client with letters beyond ASCII': { request: 'unicode' },
  'a client for ten minutes': { request: 'jane', expirationSeconds: 600 },
  'a client for an hour': { request: 'jane', expirationSeconds: 3_600 },
  'a client for eight hours less a second': { request: 'jane', expirationSeconds: 28_799 },
  'a client for eight hours': { request: 'jane', expirationSeconds: 28_800 },
  'a client for a day': { request: 'jane', expirationSeconds: 86_400 },
  'a client for ten years': { request: 'jane', expirationSeconds: 315_360_000 },
  'a client that is a server': { request: 'jane', usages: [...CLIENT_USAGES, 'server auth'] },
  'a client without its usage': { request: 'jane', usages: ['digital signature'] },
  'a client that signs certificates': { request: 'jane', usages: ['client auth', 'cert sign'] },
  'a kubelet': { request: 'node', signerName: KUBELET },
  'a kubelet by RSA': {
    request: 'node by RSA',
    signerName: KUBELET,
    usages: ['key encipherment', 'digital signature', 'client auth'],
  },
  'a kubelet with a DNS name': { request: 'node with a DNS name', signerName: KUBELET },
  'a kubelet with an address': { request: 'node with an address', signerName: KUBELET },
  'a kubelet with an email': { request: 'node with only an email', signerName: KUBELET },
  'a kubelet with a URI': { request: 'node with only a URI', signerName: KUBELET },
  'a kubelet of another organization': { request: 'node of another organization', signerName: KUBELET },
  'a kubelet of two organizations': { request: 'node of two organizations', signerName: KUBELET },
  'a kubelet by another name': { request: 'node by another name, without names', signerName: KUBELET },
  'a kubelet without a signature': { request: 'node', signerName: KUBELET, usages: ['client auth'] },
  'a kubelet that is a server': {
    request: 'node',
    signerName: KUBELET,
    usages: [...CLIENT_USAGES, 'server auth'],
  },
  'a server of a kubelet': { request: 'node with both', signerName: SERVING, usages: SERVER_USAGES },
  'a server of a kubelet by a name': {
    request: 'node with a DNS name',
    signerName: SERVING,
    usages: [...SERVER_USAGES, 'key encipherment'],
  },
  'a server of a kubelet by an address': {
    request: 'node with an address',
    signerName: SERVING,
    usages: SERVER_USAGES,
  },
  'a server of a kubelet without names': { request: 'node', signerName: SERVING, usages: SERVER_USAGES },
  'a server of a kubelet with an email': {
    request: 'node with an email',
    signerName: SERVING,
    usages: SERVER_USAGES,
  },
  'a server of a kubelet with a URI': {
    request: 'node with a URI',
    signerName: SERVING,
    usages: SERVER_USAGES,
  },
  'a server of another organization': {
    request: 'node of another organization',
    signerName: SERVING,
    usages: SERVER_USAGES,
  },
  'a server of a kubelet by another name': {
    request: 'node by another name',
    signerName: SERVING,
    usages: SERVER_USAGES,
  },
  'a server of a kubelet that is a client': {
    request: 'node with both',
    signerName: SERVING,
    usages: CLIENT_USAGES,
  },
}

it.each(Object.entries(SIGNED))('signs or refuses, once approved: %s', async (_title, asked) => {
  const name = await ask(asked)
  await decide(name, 'Approved')
  expect(shown(await settled(name))).toMatchSnapshot()
})

/** Requests that nothing comes of: they are looked at after a later one was issued. */
const UNSIGNED: Readonly<Record<string, Asked & { readonly decision?: 'Approved' | 'Denied' }>> = {
  'a request that is pending': { request: 'jane' },
  'a request that was denied': { request: 'jane', decision: 'Denied' },
  'a request for a signer of another program': {
    request: 'jane',
    signerName: 'example.com/signer',
    decision: 'Approved',
  },
  'a request for a signer of Kubernetes that there is not': {
    request: 'jane',
    signerName: 'kubernetes.io/unknown',
    decision: 'Approved',
  },
  'a request of a kubelet that may not': {
    request: 'node',
    signerName: KUBELET,
    as: { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:requesters' },
  },
}

it.each(Object.entries(UNSIGNED))('does not sign: %s', async (_title, { decision, ...asked }) => {
  await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'requesters' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:requesters' }],
  })
  const name = await ask(asked)
  if (decision) await decide(name, decision)
  const later = await ask({ request: 'jane' })
  await decide(later, 'Approved')
  await settled(later)
  expect(shown((await call('GET', `${REQUESTS}/${name}`)).body)).toMatchSnapshot()
})

/** Kubelets that roles allow to ask for their certificates. */
const KUBELETS: Readonly<Record<string, [role: string, asker: Record<string, string>]>> = {
  'for itself': [
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes-of-test' },
  ],
  'at its first start': [
    'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    { 'impersonate-user': 'system:bootstrap:abc', 'impersonate-group': 'system:bootstrappers-of-test' },
  ],
}

it.each(Object.entries(KUBELETS))('approves the request of a kubelet %s', async (title, [role, asker]) => {
  for (const name of [role, 'system:node-bootstrapper']) {
    await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: `${title}-${name}`.replaceAll(/[^a-z]/g, '-') },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: asker['impersonate-group'] }],
    })
  }
  await expect
    .poll(async () => (await call('GET', '/apis/certificates.k8s.io/v1', undefined, asker)).status)
    .toBe(200)
  let name = ''
  // The real server learns of the roles a moment later.
  await expect
    .poll(async () => {
      const spec = { signerName: KUBELET, usages: CLIENT_USAGES, request: btoa(requests['node']) }
      name = `kubelet-${++count}`
      return (await call('POST', REQUESTS, { metadata: { name }, spec }, asker)).status
    })
    .toBe(201)
  expect(shown(await settled(name))).toMatchSnapshot()
})

it('logs in with a certificate that was issued', async () => {
  const subject = { commonName: 'jane', organizations: ['developers', 'testers'] }
  const { request, key } = await createCertificateRequest(subject)
  const name = await ask({ request: 'jane' }, request)
  await decide(name, 'Approved')
  const { status } = await settled(name)
  const cert = Buffer.from(status.certificate, 'base64').toString()
  const { username, groups } = await whoAmI(key, cert)
  expect({ username, groups }).toMatchSnapshot()
})

function whoAmI(key: string, cert: string): Promise<{ username: string; groups: string[] }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ username: string; groups: string[] }>()
  const { hostname, port } = new URL(server.url)
  const asked = httpsRequest(
    {
      hostname,
      port,
      ca: server.certificateAuthority,
      key,
      cert,
      agent: false,
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { 'content-type': 'application/json' },
    },
    (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()).status.userInfo))
    },
  )
  asked.on('error', reject)
  asked.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}')
  return promise
}
