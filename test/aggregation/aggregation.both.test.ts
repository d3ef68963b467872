import type { CertificateAuthority } from '@homeostat/api/certificates'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { converse, exchange, type RawAnswer, type RawRequest } from '../proxies/raw-exchange.ts'
import type { ReachableServer } from '../proxies/reachable-server.ts'
import { conditionOf, createApiService, createService, startAggregatedServer } from './aggregated-server.ts'
import {
  extensionAuthority,
  startExtensionServer,
  type Behaviour,
  type ExtensionServer,
} from './extension-server.ts'

let server: ReachableServer
let authority: CertificateAuthority
const extensions = new Map<string, ExtensionServer>()

/** Extension servers by the Services that lead to them, and the reason that each APIService must show. */
const SERVED: Readonly<Record<string, readonly [behaviour: Behaviour, reason: string]>> = {
  full: ['full', 'Passed'],
  legacy: ['legacy', 'Passed'],
  insecure: ['full', 'FailedDiscoveryCheck'],
  untrusted: ['full', 'FailedDiscoveryCheck'],
  'other-authority': ['full', 'FailedDiscoveryCheck'],
  'other-name': ['full', 'FailedDiscoveryCheck'],
  'not-allowed': [403, 'FailedDiscoveryCheck'],
  redirects: [302, 'FailedDiscoveryCheck'],
  breaks: ['breaks', 'FailedDiscoveryCheck'],
  plain: ['plain', 'FailedDiscoveryCheck'],
  silent: ['silent', 'FailedDiscoveryCheck'],
}
const UNSERVED: Readonly<Record<string, string>> = {
  dead: 'FailedDiscoveryCheck',
  missing: 'ServiceNotFound',
  'no-port': 'ServicePortError',
  'no-slices': 'EndpointsNotFound',
  'no-addresses': 'MissingEndpoints',
  'not-ready': 'MissingEndpoints',
}

beforeAll(async () => {
  authority = await extensionAuthority()
  server = await startAggregatedServer()
  for (const [name, [behaviour]] of Object.entries(SERVED)) {
    const certified = name === 'other-name' ? 'another' : name
    const extension = await startExtensionServer(authority, certified, behaviour)
    extensions.set(name, extension)
    await createService(server, name, extension.port)
  }
  await createService(server, 'dead', 1)
  await createService(server, 'no-port', 1)
  await createService(server, 'no-slices', 1, { slice: false })
  await createService(server, 'no-addresses', 1, { addresses: false })
  await createService(server, 'not-ready', 1, { ready: false })
  const caBundle = encoded(authority.certificate)
  await createApiService(server, 'full.example.com', { caBundle, versionPriority: 20 })
  await createApiService(server, 'full.example.com', { caBundle, groupPriorityMinimum: 1_600 }, 'v1beta1')
  const others: Readonly<Record<string, object>> = {
    insecure: { insecureSkipTLSVerify: true },
    untrusted: {},
    'other-authority': { caBundle: encoded((await extensionAuthority()).certificate) },
    'no-port': { caBundle, service: { namespace: 'default', name: 'no-port', port: 8443 } },
  }
  for (const name of [...Object.keys(SERVED), ...Object.keys(UNSERVED)]) {
    if (name !== 'full') await createApiService(server, `${name}.example.com`, others[name] ?? { caBundle })
  }
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  for (const extension of extensions.values()) await extension[Symbol.asyncDispose]()
})

const encoded = (text: string): string => Buffer.from(text).toString('base64')

const reasons = [
  ...Object.entries(SERVED).map(([name, [, reason]]) => [name, reason]),
  ...Object.entries(UNSERVED),
]

it.each(reasons)('says of the APIService %s whether it is available: %s', async (name, reason) => {
  const found = async () => (await conditionOf(server, `v1.${name}.example.com`))?.['reason']
  await expect.poll(found).toBe(reason)
  const { lastTransitionTime: _, ...condition } = (await conditionOf(server, `v1.${name}.example.com`)) ?? {}
  expect(JSON.parse(stable(JSON.stringify(condition)))).toMatchSnapshot()
})

const GROUP = '/apis/full.example.com'
const V1 = `${GROUP}/v1`
const THINGS = `${V1}/things`
const AGGREGATED = {
  accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
}
const JANE = { 'impersonate-user': 'jane' }
const JSON_BODY = { 'content-type': 'application/json' }

const REQUESTS: Readonly<Record<string, RawRequest>> = {
  'the group': { path: GROUP },
  'the group, with a slash': { path: `${GROUP}/` },
  'the group in YAML': { path: GROUP, headers: { accept: 'application/yaml' } },
  'the resources of a version': { path: V1 },
  'the resources of the other version': { path: `${GROUP}/v1beta1` },
  'a version that no APIService names': { path: `${GROUP}/v2` },
  'a resource of a version that no APIService names': { path: `${GROUP}/v2/things` },
  'a path that the extension does not serve': { path: `${V1}/others` },
  'an object': { path: `${THINGS}/a` },
  'an object in a namespace': { path: `${V1}/namespaces/default/things/a` },
  'a query, which is sorted': { path: `${THINGS}/a?z=1&b=2+3&a=%2F~!*'()&b=1&empty&%C3%A9=x` },
  'an encoded path': { path: `${THINGS}/a%20b%C3%A9+$&@:,=;x%25` },
  'a trailing slash': { path: `${THINGS}/a/` },
  'a HEAD': { path: `${THINGS}/a`, method: 'HEAD' },
  'an OPTIONS': { path: `${THINGS}/a`, method: 'OPTIONS' },
  'a POST': { path: THINGS, method: 'POST', body: '{"a":1}', headers: JSON_BODY },
  'a POST of broken JSON': { path: THINGS, method: 'POST', body: '{', headers: JSON_BODY },
  'a POST of protobuf': {
    path: THINGS,
    method: 'POST',
    body: 'k8s',
    headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
  },
  'a POST without a type': { path: THINGS, method: 'POST', body: 'x' },
  'a POST longer than any object': { path: THINGS, method: 'POST', body: Buffer.alloc(5_000_000, 'a') },
  'a PUT': { path: `${THINGS}/a`, method: 'PUT', body: '{}', headers: JSON_BODY },
  'a PATCH': {
    path: `${THINGS}/a`,
    method: 'PATCH',
    body: '{}',
    headers: { 'content-type': 'application/merge-patch+json' },
  },
  'a DELETE': { path: `${THINGS}/a`, method: 'DELETE' },
  'a DELETE of all': { path: THINGS, method: 'DELETE' },
  'a subresource': { path: `${THINGS}/a/status` },
  'headers of one connection, and of an identity': {
    path: `${THINGS}/a`,
    headers: {
      connection: 'x-private',
      'x-private': '1',
      'x-public': '2',
      te: 'trailers',
      cookie: 'a=b',
      'accept-encoding': 'identity',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'client',
      'x-remote-user': 'mallory',
      'x-remote-group': 'system:masters',
      'x-remote-uid': '1',
      'x-remote-extra-a': 'b',
      'audit-id': '00000000-0000-0000-0000-000000000001',
    },
  },
  'a table': {
    path: THINGS,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
  },
  'protobuf that the extension does not have': {
    path: `${THINGS}/a`,
    headers: { accept: 'application/vnd.kubernetes.protobuf' },
  },
  'an object that is missing': { path: `${THINGS}/missing` },
  'an error with Retry-After': { path: `${THINGS}/busy` },
  'a redirection': { path: `${THINGS}/redirect` },
  'a connection that breaks': { path: `${THINGS}/break` },
  'an answer without a body': { path: `${THINGS}/nothing` },
  'headers of the answer': { path: `${THINGS}/headers` },
  'a compressed answer': { path: `${THINGS}/zipped` },
  'a compressed answer to a client that takes it': {
    path: `${THINGS}/zipped`,
    headers: { 'accept-encoding': 'gzip' },
  },
  'a user without rights': { path: `${THINGS}/a`, headers: JANE },
  'a user without rights, the resources of a version': { path: V1, headers: JANE },
  'a user with groups, a uid and attributes': {
    path: `${THINGS}/a`,
    headers: {
      ...JANE,
      'impersonate-group': 'system:masters',
      'impersonate-uid': 'uid-1',
      'impersonate-extra-scopes': 'view',
      'impersonate-extra-example.com%2fpart': 'é',
    },
  },
  'a server without new forms': { path: '/apis/legacy.example.com/v1/things/a' },
  'the group of a server without new forms': { path: '/apis/legacy.example.com' },
  'the group of one that is not available': { path: '/apis/missing.example.com' },
  'the resources of one that is not available': { path: '/apis/missing.example.com/v1' },
  'an object of one that is not available': { path: '/apis/missing.example.com/v1/things/a' },
  'a POST to one that is not available': {
    path: '/apis/dead.example.com/v1/things',
    method: 'POST',
    body: '{}',
    headers: JSON_BODY,
  },
  'a watch of one that is not available': { path: '/apis/dead.example.com/v1/things?watch=true' },
  'one that is not available, in YAML': {
    path: '/apis/missing.example.com/v1',
    headers: { accept: 'application/yaml' },
  },
  'a user without rights, of one that is not available': {
    path: '/apis/missing.example.com/v1/things/a',
    headers: JANE,
  },
  'a watch': { path: `${THINGS}?watch=true` },
  'an OpenAPI v3 document': { path: `/openapi/v3/apis/full.example.com/v1` },
  'an OpenAPI v3 document by its hash': { path: `/openapi/v3/apis/full.example.com/v1?hash=ABC` },
  'an OpenAPI v3 document that the extension does not have': {
    path: `/openapi/v3/apis/full.example.com/v1beta1`,
  },
  'an OpenAPI v3 document of one that is not available': { path: `/openapi/v3/apis/dead.example.com/v1` },
  'an OpenAPI v3 document of a server that has only v2': { path: `/openapi/v3/apis/legacy.example.com/v1` },
}

it.each(Object.entries(REQUESTS))('answers: %s', async (title, request) => {
  await expect.poll(isAvailable('full')).toBe(true)
  await expect.poll(isAvailable('legacy')).toBe(true)
  if (title.includes('OpenAPI')) await openApiIsMerged()
  expect(comparable(await exchange(server, request))).toMatchSnapshot()
})

function isAvailable(name: string): () => Promise<boolean> {
  return async () => (await exchange(server, { path: `/apis/${name}.example.com/v1` })).status === 200
}

async function json(path: string, headers = {}): Promise<any> {
  const { body } = await exchange(server, { path, headers })
  return JSON.parse(body.toString())
}

async function openApiIsMerged(): Promise<void> {
  const has = async (name: string) => `apis/${name}.example.com/v1` in (await json('/openapi/v3')).paths
  await expect.poll(() => has('full')).toBe(true)
  await expect.poll(() => has('legacy')).toBe(true)
}

const ofExtensions = (name: string): boolean => name.includes('example.com')

it('lists the groups of extensions, the priority deciding on the order', async () => {
  await expect.poll(isAvailable('full')).toBe(true)
  const { groups } = await json('/apis')
  const names = groups.map(({ name }: { name: string }) => name)
  expect(groups.filter(({ name }: { name: string }) => ofExtensions(name))).toMatchSnapshot()
  expect(names.indexOf('full.example.com')).toBeLessThan(names.indexOf('dead.example.com'))
  expect(names.indexOf('apps')).toBeLessThan(names.indexOf('full.example.com'))
})

it('has the resources of extensions in the aggregated form of discovery', async () => {
  const found = async () => {
    const { items } = await json('/apis', AGGREGATED)
    return items.filter(({ metadata }: any) => ofExtensions(metadata.name))
  }
  const versionsOf = async (group: string) =>
    (await found()).find(({ metadata }: any) => metadata.name === group)?.versions ?? []
  for (const group of ['full.example.com', 'legacy.example.com']) {
    // A server that has not asked the extension yet leaves the group out, or lists it without resources.
    const isListed = async () => {
      const versions = await versionsOf(group)
      return versions.length > 0 && versions.every(({ resources }: any) => resources?.length > 0)
    }
    await expect.poll(isListed).toBe(true)
  }
  await expect.poll(async () => (await versionsOf('silent.example.com'))[0]?.freshness).toBe('Stale')
  const items = await found()
  expect(items).toMatchSnapshot()
})

it('lists the paths of extensions at the root', async () => {
  expect((await json('/')).paths.filter(ofExtensions)).toMatchSnapshot()
})

it('lists the OpenAPI v3 documents of extensions', async () => {
  await openApiIsMerged()
  const { paths } = await json('/openapi/v3')
  const own = Object.entries<{ serverRelativeURL: string }>(paths).filter(([path]) => ofExtensions(path))
  const shown = own.map(([path, { serverRelativeURL }]) => [
    path,
    serverRelativeURL.replace(/hash=[0-9A-F]{20,}/, 'hash=…'),
  ])
  expect(Object.fromEntries(shown)).toMatchSnapshot()
})

it('merges the OpenAPI v2 documents of extensions', async () => {
  const found = async () => Object.keys((await json('/openapi/v2')).paths).filter(ofExtensions)
  await expect.poll(async () => (await found()).length).toBe(2)
  const { paths, definitions, parameters } = await json('/openapi/v2')
  const own = Object.entries(definitions).filter(
    ([name]) => name.startsWith('com.example') || name.includes('ObjectMeta_v'),
  )
  expect({
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => ofExtensions(path))),
    definitions: Object.fromEntries(own),
    parameters: Object.fromEntries(
      Object.entries(parameters).filter(([, parameter]: any) => parameter.description === 'pretty'),
    ),
  }).toMatchSnapshot()
})

it('answers OpenAPI v2 in protobuf with extensions merged', async () => {
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
  const has = async () =>
    (await exchange(server, { path: '/openapi/v2', headers: { accept } })).body.includes(
      '/apis/full.example.com/v1/things/{name}',
    )
  await expect.poll(has).toBe(true)
})

it.each(['', '/refuse'])('changes the protocol through an extension%s', async (below) => {
  await expect.poll(isAvailable('full')).toBe(true)
  expect(await conversation(`${THINGS}/a${below}?b=2&a=1`)).toMatchSnapshot()
})

it('changes no protocol with an extension that is not available', async () => {
  expect(await conversation('/apis/missing.example.com/v1/things/a')).toMatchSnapshot()
})

it('ends the answer to a client where the answer of the extension breaks off', async () => {
  await expect.poll(isAvailable('full')).toBe(true)
  await expect(exchange(server, { path: `${THINGS}/break-off` })).rejects.toThrow(
    /aborted|hang up|ECONNRESET/,
  )
})

it('answers others while an extension is silent', async () => {
  const { port } = extensions.get('silent')!
  expect(port).toBeGreaterThan(0)
  const { status } = await exchange(server, { path: '/apis', headers: AGGREGATED })
  expect(status).toBe(200)
})

it('shows the availability in a table', async () => {
  await expect.poll(isAvailable('full')).toBe(true)
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const { rows } = await json('/apis/apiregistration.k8s.io/v1/apiservices', { accept })
  const cells = rows.map((row: any) => row.cells.slice(0, 3))
  expect(
    cells.filter(([name]: string[]) => ofExtensions(name!) && !/insecure|silent/.test(name!)),
  ).toMatchSnapshot()
})

it('owns the status of an APIService as kube-apiserver', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.missing.example.com'
  const statusOwner = async () => {
    const { metadata } = await json(path)
    return metadata.managedFields.find((entry: any) => entry.subresource === 'status')
  }
  await expect.poll(statusOwner).toBeDefined()
  expect({ ...(await statusOwner()), time: 'TIME' }).toMatchSnapshot()
})

it('tells extensions by which certificates and headers it names users', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
  await expect.poll(async () => (await exchange(server, { path })).status).toBe(200)
  const { data } = await json(path)
  const ca = data['requestheader-client-ca-file']
  expect(ca).toContain('BEGIN CERTIFICATE')
  expect({ ...data, 'requestheader-client-ca-file': 'PEM', 'client-ca-file': undefined }).toMatchSnapshot()
})

it('forgets an extension whose APIService is deleted', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.no-slices.example.com'
  expect((await exchange(server, { path, method: 'DELETE' })).status).toBe(200)
  const gone = async () => (await exchange(server, { path: '/apis/no-slices.example.com/v1' })).status
  await expect.poll(gone).toBe(404)
  expect(
    comparable(await exchange(server, { path: '/apis/no-slices.example.com/v1/things' })),
  ).toMatchSnapshot()
  await expect
    .poll(async () => (await json('/apis')).groups.some(({ name }: any) => name === 'no-slices.example.com'))
    .toBe(false)
  await expect
    .poll(async () =>
      (await json('/apis', AGGREGATED)).items.some(
        ({ metadata }: any) => metadata.name === 'no-slices.example.com',
      ),
    )
    .toBe(false)
})

it('serves an extension again once its endpoints are there', async () => {
  const { port } = extensions.get('full')!
  const patch = async (path: string, body: object) =>
    exchange(server, {
      path,
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/not-ready'
  const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1.not-ready.example.com'
  await patch(apiService, { spec: { caBundle: null, insecureSkipTLSVerify: true } })
  await patch(slice, { ports: [{ name: 'https', port }] })
  const endpoints = [{ addresses: ['10.244.9.9'], conditions: { ready: true } }]
  await patch(slice, { endpoints })
  // The extension does not know the group, and says so.
  await expect
    .poll(async () => (await conditionOf(server, 'v1.not-ready.example.com'))?.['message'])
    .toMatch(/bad status from .*: 404$/)
})

interface Conversation {
  readonly status: number
  readonly type: unknown
  readonly seen: unknown
  readonly body: string
}

/** Converses as Jane. */
async function conversation(path: string): Promise<Conversation> {
  const { status, headers, body } = await converse(server, {
    path,
    headers: { upgrade: 'echo', ...JANE_ADMIN },
  })
  const { 'x-seen': seen, 'content-type': type } = headers
  return {
    status,
    type: status === 101 ? undefined : type,
    seen: status === 101 ? JSON.parse(Buffer.from(String(seen), 'base64').toString()) : undefined,
    body: body.toString(),
  }
}
const JANE_ADMIN = { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' }

/** Values that differ in each run, and those by which each server describes its own connection. */
const VARIABLE =
  /^(audit-id|date|x-kubernetes-pf-.*|connection|keep-alive|transfer-encoding|content-length|last-modified|accept-ranges)$/

function comparable({ status, headers, body }: RawAnswer): object {
  const kept = Object.entries(headers).filter(([name]) => !VARIABLE.test(name))
  const text = headers['content-encoding'] === 'gzip' ? 'compressed' : stable(body.toString())
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, stableTag(value)])),
    body: /^\{.*\}\n?$/s.test(text) && !text.includes('}\n{') ? JSON.parse(text) : text,
  }
}

/** The tag of a document that a server made from another one is its own. */
function stableTag(value: string | string[] | undefined): unknown {
  return typeof value === 'string' ? value.replace(/^"[0-9A-F]{64,}"$/, '"…"') : value
}

function stable(text: string): string {
  let result = text.replaceAll(new URL(server.url).host, 'SERVER')
  for (const [name, { port }] of extensions)
    result = result.replaceAll(new RegExp(`10\\.244\\.9\\.9:${port}\\b`, 'g'), `ADDRESS-OF-${name}`)
  return (
    result
      // The message of the real server depends on the way by which it reaches this machine.
      .replaceAll(
        /proxy error from \S+ while dialing (\S+), code 503: 503 Service Unavailable/g,
        'dial tcp $1: connect: connection refused',
      )
      // Go's client words a time-out in several ways, and guesses why an authority is not the right one.
      .replaceAll(
        /(?:context deadline exceeded|net\/http: request canceled(?: while waiting for connection)?)(?: \(Client\.Timeout exceeded while awaiting headers\))?/g,
        'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      )
      .replaceAll(
        / \(possibly because of .*?while trying to verify candidate authority certificate \\"\w+\\"\)/g,
        '',
      )
      .replaceAll(/"traceparent: [^"]*",?/g, '')
      .replaceAll('"connection: close",', '')
      .replaceAll('"connection: keep-alive",', '')
      .replaceAll(/"audit-id: (?!0000)[^"]*"/g, '"audit-id: …"')
      .replaceAll(/x-remote-user: (admin|homeostat-admin)/g, 'x-remote-user: ADMIN')
      .replaceAll('"x-remote-uid: admin",', '')
  )
}
