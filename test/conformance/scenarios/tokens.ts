import { ANONYMOUS } from '../anonymous.ts'
import { configMaps, pods, secrets } from '../objects.ts'
import { scenario, topic, type RequestOptions } from '../scenario.ts'
import { create, get, merge, remove, send } from '../steps.ts'

const accounts = '/api/v1/~/serviceaccounts'
const nodes = '/api/v1/nodes'
const who = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews'
const discovery = '/.well-known/openid-configuration'
const keys = '/openid/v1/jwks'
const API = 'https://kubernetes.default.svc'
const LEGACY = 'kubernetes/serviceaccount'

const account = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name },
  ...more,
})
const request = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  metadata,
  spec,
})
const robot = create(accounts, account('robot'))
const tokenOf = (name: string, spec: object = {}, options: RequestOptions = {}) =>
  create(`${accounts}/${name}/token`, request(spec), { as: 'token', ...options })
const byToken = { headers: { authorization: 'Bearer {token.status.token}' } }
const whoAmI = create(who, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }, byToken)
const review = (spec: object, options?: RequestOptions) =>
  create(reviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec }, options)
const reviewed = review({ token: '{token.status.token}' })
const isRefused = get(configMaps, { ...byToken, until: 401 })
const bound = (kind: string, name: string, more: object = {}) => ({
  boundObjectRef: { kind, apiVersion: 'v1', name, ...more },
})
const secret = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...more,
})
const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }], ...spec },
})
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}' } }
const quietly = { show: ({ kind }: { kind: string }) => kind }
const none = 'ffffffff-0000-4000-8000-000000000000'

/** The claims of a token, with its times as seconds after its issue. The names of its headers stand in for their values. */
function claims({ spec, status }: any): unknown {
  const [head, body] = (status.token as string)
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const { iat, exp, nbf, 'kubernetes.io': own, ...rest } = body
  const { warnafter, ...named } = own
  const stale = warnafter === undefined ? {} : { warnafter: warnafter - iat }
  return {
    ...rest,
    headers: Object.keys(head).sort(),
    exp: exp - iat,
    nbf: nbf - iat,
    'kubernetes.io': { ...named, ...stale },
    expirationSeconds: spec.expirationSeconds,
    told: Math.round(Date.parse(status.expirationTimestamp) / 1000) - iat,
  }
}

/** Tokens of ServiceAccounts: what they say, for whom they are, how long they are valid, and how they are refused. */
export const tokens = topic('tokens', [
  scenario('B access', 'name their account and their audience', robot, tokenOf('robot'), whoAmI, reviewed),
  scenario('B access', 'have claims', robot, tokenOf('robot', {}, { show: claims })),
  scenario(
    'B access',
    'have the claims that were asked for',
    robot,
    tokenOf('robot', { audiences: ['a', 'b'], expirationSeconds: 7200 }, { show: claims }),
    tokenOf('robot', { audiences: ['b', 'b', API] }, { show: claims }),
    tokenOf('robot', { expirationSeconds: 600 }, { show: claims }),
    tokenOf('robot', { expirationSeconds: 3607 }, { show: claims }),
  ),
  scenario(
    'B access',
    'have a length of at least ten minutes',
    robot,
    tokenOf('robot', { expirationSeconds: 599 }),
    tokenOf('robot', { expirationSeconds: 0 }),
    tokenOf('robot', { expirationSeconds: -1 }),
    tokenOf('robot', { expirationSeconds: 4294967296 }, { show: claims }),
    tokenOf('robot', { expirationSeconds: 4294967297 }),
    tokenOf('robot', { expirationSeconds: '600' }),
    tokenOf('robot', { expirationSeconds: null }, { show: claims }),
  ),
  scenario(
    'B access',
    'for strange audiences',
    robot,
    tokenOf('robot', { audiences: [] }, { show: claims }),
    tokenOf('robot', { audiences: [''] }, { show: claims }),
    tokenOf('robot', { audiences: [' '] }, { show: claims }),
    tokenOf('robot', { audiences: 'a' }),
    tokenOf('robot', { audiences: [1] }),
  ),
  scenario(
    'B access',
    'for others are not for this server',
    robot,
    tokenOf('robot', { audiences: ['others'] }),
    get(configMaps, byToken),
    reviewed,
    review({ token: '{token.status.token}', audiences: ['more', 'others'] }),
    review({ token: '{token.status.token}', audiences: [API] }),
    review({ token: '{token.status.token}', audiences: ['unknown'] }),
  ),
  scenario(
    'B access',
    'for this server and for others',
    robot,
    tokenOf('robot', { audiences: ['others', API] }),
    get(configMaps, byToken),
    reviewed,
    review({ token: '{token.status.token}', audiences: ['others', API, 'x'] }),
    review({ token: '{token.status.token}', audiences: [API, 'others'] }),
  ),
  scenario(
    'B access',
    'for this server are not for others',
    robot,
    tokenOf('robot'),
    review({ token: '{token.status.token}', audiences: ['others'] }),
    review({ token: '{token.status.token}', audiences: [] }),
  ),
  scenario(
    'B access',
    'are reviewed only where there is one',
    review({}),
    review({ token: '' }),
    review({ token: 'a b' }),
    review({ token: 'a.b.c' }),
    review({ token: 'x', audiences: ['a'] }),
    create(reviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }),
    get(reviews),
    create('/apis/authentication.k8s.io/v1/~/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'x' },
    }),
  ),
  scenario(
    'B access',
    'that no server has signed',
    // The header and claims name this server; the signature is not one.
    review({
      token: `${part({ alg: 'RS256', kid: 'none' })}.${part({ iss: API, sub: 'system:serviceaccount:a:b' })}.AAAA`,
    }),
    review({ token: `${part({ alg: 'RS256' })}.${part({ iss: 'https://elsewhere' })}.AAAA` }),
    review({ token: `${part({ alg: 'RS256' })}.${part({ iss: API })}.!` }),
    review({ token: `${part({ alg: 'none' })}.${part({ iss: API })}.` }),
    review({ token: `x.${part({ iss: API })}.AAAA` }),
    review({ token: `${part({ alg: 'RS256', kid: 'none' })}.${part({ iss: LEGACY })}.AAAA` }),
    review({ token: `${part({ alg: 'RS256' })}.x.AAAA` }),
  ),
  scenario(
    'B access',
    'in other forms of the header',
    robot,
    tokenOf('robot'),
    get(configMaps, { headers: { authorization: 'bearer {token.status.token}' } }),
    get(configMaps, { headers: { authorization: 'Bearer  {token.status.token}' } }),
    get(configMaps, { headers: { authorization: 'Bearer {token.status.token} more' } }),
    get(configMaps, { headers: { authorization: 'Basic {token.status.token}' } }),
    get(configMaps, { headers: { authorization: '{token.status.token}' } }),
    get(configMaps, { headers: { authorization: 'Bearer' } }),
  ),
  scenario(
    'B access',
    'bound to a Secret',
    robot,
    create(secrets, secret('key')),
    tokenOf('robot', bound('Secret', 'key'), { show: claims }),
    whoAmI,
    remove(`${secrets}/key`),
    isRefused,
    reviewed,
  ),
  scenario(
    'B access',
    'bound to a Secret that is made again',
    robot,
    create(secrets, secret('key')),
    tokenOf('robot', bound('Secret', 'key'), quietly),
    remove(`${secrets}/key`),
    isRefused,
    create(secrets, secret('key')),
    isRefused,
    reviewed,
  ),
  scenario(
    'B access',
    'bound to a Pod',
    robot,
    create(pods, pod('p'), quietly),
    tokenOf('robot', bound('Pod', 'p'), { show: claims }),
    whoAmI,
    remove(`${pods}/p`, { gracePeriodSeconds: 0 }, quietly),
    isRefused,
    reviewed,
  ),
  scenario(
    'B access',
    'bound to a Pod that is made again',
    robot,
    create(pods, pod('p'), quietly),
    tokenOf('robot', bound('Pod', 'p'), quietly),
    remove(`${pods}/p`, { gracePeriodSeconds: 0 }, quietly),
    isRefused,
    create(pods, pod('p'), quietly),
    isRefused,
    reviewed,
  ),
  scenario(
    'B access',
    'bound to a Pod on a node',
    robot,
    create(nodes, node, quietly),
    create(pods, pod('p', { nodeName: '{ns}' }), quietly),
    tokenOf('robot', bound('Pod', 'p'), { show: claims }),
    whoAmI,
    // The node is named, and need not stay.
    remove(`${nodes}/{ns}`, undefined, quietly),
    whoAmI,
    remove(`${pods}/p`, { gracePeriodSeconds: 0 }, quietly),
  ),
  scenario(
    'B access',
    'bound to a Pod on a node that does not exist',
    robot,
    create(pods, pod('p', { nodeName: 'none-{ns}' }), quietly),
    tokenOf('robot', bound('Pod', 'p'), { show: claims }),
    whoAmI,
    remove(`${pods}/p`, { gracePeriodSeconds: 0 }, quietly),
  ),
  scenario(
    'B access',
    'bound to a node',
    robot,
    create(nodes, node, quietly),
    tokenOf('robot', bound('Node', '{ns}'), { show: claims }),
    whoAmI,
    remove(`${nodes}/{ns}`, undefined, quietly),
    isRefused,
    reviewed,
  ),
  scenario(
    'B access',
    'bound to a node that is made again',
    robot,
    create(nodes, node, quietly),
    tokenOf('robot', bound('Node', '{ns}'), quietly),
    remove(`${nodes}/{ns}`, undefined, quietly),
    isRefused,
    create(nodes, node, quietly),
    isRefused,
    reviewed,
    remove(`${nodes}/{ns}`, undefined, quietly),
  ),
  scenario(
    'B access',
    'of a Pod of another account',
    robot,
    create(accounts, account('other')),
    create(pods, pod('p', { serviceAccountName: 'other' }), quietly),
    tokenOf('robot', bound('Pod', 'p')),
    create(pods, { ...pod('q'), spec: { containers: [{ name: 'c', image: 'i' }] } }, quietly),
    tokenOf('robot', bound('Pod', 'q')),
  ),
  scenario(
    'B access',
    'bound to what does not exist or is another',
    robot,
    create(secrets, secret('key'), { as: 'key' }),
    tokenOf('robot', bound('Secret', 'none')),
    tokenOf('robot', bound('Pod', 'none')),
    tokenOf('robot', bound('Node', 'none')),
    tokenOf('robot', bound('Secret', 'key', { uid: none })),
    tokenOf('robot', bound('Secret', 'key', { uid: '{key.metadata.uid}' }), { show: claims }),
    tokenOf('robot', bound('ConfigMap', 'key')),
    tokenOf('robot', bound('Secret', 'key', { apiVersion: 'apps/v1' })),
    tokenOf('robot', bound('Secret', 'key', { apiVersion: 'v2' }), { show: claims }),
    tokenOf('robot', { boundObjectRef: {} }),
    tokenOf('robot', { boundObjectRef: { kind: 'Pod', name: 'none' } }),
    tokenOf('robot', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1' } }),
    tokenOf('robot', { boundObjectRef: null }, { show: claims }),
  ),
  scenario(
    'B access',
    'of the projected length live for a year where they are for this server',
    robot,
    create(pods, pod('p'), quietly),
    tokenOf('robot', { ...bound('Pod', 'p'), expirationSeconds: 3607 }, { show: claims }),
    tokenOf('robot', { ...bound('Pod', 'p'), expirationSeconds: 3607, audiences: [API] }, { show: claims }),
    tokenOf('robot', { ...bound('Pod', 'p'), expirationSeconds: 3607, audiences: ['x'] }, { show: claims }),
    tokenOf(
      'robot',
      { ...bound('Pod', 'p'), expirationSeconds: 3607, audiences: [API, 'x'] },
      { show: claims },
    ),
    tokenOf('robot', { ...bound('Pod', 'p'), expirationSeconds: 3606 }, { show: claims }),
    create(secrets, secret('key')),
    tokenOf('robot', { ...bound('Secret', 'key'), expirationSeconds: 3607 }, { show: claims }),
  ),
  scenario(
    'B access',
    'end with their account',
    robot,
    tokenOf('robot'),
    remove(`${accounts}/robot`),
    isRefused,
    reviewed,
    robot,
    isRefused,
    reviewed,
    tokenOf('robot'),
    whoAmI,
  ),
  scenario(
    'B access',
    'of an account that is being deleted',
    create(accounts, { ...account('robot'), metadata: { name: 'robot', finalizers: ['example.com/hold'] } }),
    tokenOf('robot'),
    remove(`${accounts}/robot`),
    // For a minute the deletion has no effect.
    whoAmI,
    tokenOf('robot'),
    whoAmI,
    merge(`${accounts}/robot`, { metadata: { finalizers: null } }),
  ),
  scenario(
    'B access',
    'are asked for by the account’s name',
    robot,
    get(`${accounts}/robot`, { as: 'robot' }),
    create(`${accounts}/robot/token`, request({}, { name: 'robot' })),
    create(`${accounts}/robot/token`, request({}, { name: 'other' })),
    create(`${accounts}/robot/token`, request({}, { namespace: 'other' })),
    create(`${accounts}/robot/token`, request({}, { uid: '{robot.metadata.uid}' })),
    create(`${accounts}/robot/token`, request({}, { uid: none })),
    create(`${accounts}/robot/token`, request({}, { labels: { a: 'b' }, annotations: { c: 'd' } })),
    create(`${accounts}/robot/token`, request({}, { generateName: 'x' })),
    create(`${accounts}/none/token`, request()),
  ),
  scenario(
    'B access',
    'are asked for in other forms',
    robot,
    create(`${accounts}/robot/token`, {}),
    create(`${accounts}/robot/token`, { kind: 'TokenRequest', apiVersion: 'v1', spec: {} }),
    create(`${accounts}/robot/token`, {
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      spec: {},
    }),
    create(`${accounts}/robot/token`, { ...request(), status: { token: 'mine' } }),
    create(`${accounts}/robot/token?fieldValidation=Strict`, { ...request({ more: 1 }) }),
    create(`${accounts}/robot/token?dryRun=All`, request()),
    create(`${accounts}/robot/token?dryRun=Some`, request()),
    send('POST', `${accounts}/robot/token`, undefined),
    send('PUT', `${accounts}/robot/token`, request()),
    send('DELETE', `${accounts}/robot/token`),
    send(
      'PATCH',
      `${accounts}/robot/token`,
      {},
      { headers: { 'content-type': 'application/merge-patch+json' } },
    ),
    create('/api/v1/~/configmaps/robot/token', request()),
  ),
  scenario(
    'B access',
    'are not for users without the right',
    robot,
    tokenOf('robot', {}, { headers: { 'impersonate-user': 'jane' } }),
    tokenOf('robot', {}, { headers: { authorization: ANONYMOUS } }),
  ),
  scenario(
    'B access',
    'are published with their keys',
    get(discovery, { ignore: ['jwks_uri', 'id_token_signing_alg_values_supported'] }),
    get(discovery, { headers: { accept: 'text/html' } }),
    get(discovery, { headers: { accept: 'application/yaml' } }),
    get(discovery, { headers: { authorization: ANONYMOUS } }),
    get(`${discovery}/more`),
    create(discovery, {}),
    send('PUT', discovery, {}),
    send('DELETE', discovery),
  ),
  scenario(
    'B access',
    'have keys for others',
    get(keys, { headers: { accept: 'application/jwk-set+json' }, show: (body) => keyNames(body) }),
    get(keys, { headers: { accept: '*/*' }, show: (body) => keyNames(body) }),
    get(keys),
    get(keys, { headers: { accept: 'application/jwk-set+json', authorization: ANONYMOUS } }),
    create(keys, {}, { headers: { accept: '*/*' } }),
    get('/openid/v1', { headers: { accept: '*/*' } }),
    get('/openid', { headers: { accept: '*/*' } }),
  ),
  scenario(
    'B access',
    'in Secrets name their account',
    create(secrets, secret('a', { type: 'kubernetes.io/service-account-token' })),
    create(secrets, {
      ...secret('a', { type: 'kubernetes.io/service-account-token' }),
      metadata: { name: 'a', annotations: { 'kubernetes.io/service-account.name': '' } },
    }),
    create(secrets, {
      ...secret('a', { type: 'kubernetes.io/service-account-token' }),
      metadata: { name: 'a', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
    }),
    merge(`${secrets}/a`, { metadata: { annotations: { 'kubernetes.io/service-account.name': null } } }),
    merge(`${secrets}/a`, { type: 'Opaque' }),
  ),
])

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function keyNames(body: any): unknown {
  const { keys: all } = typeof body === 'string' ? JSON.parse(body) : body
  return all.map(({ use, kid, kty, alg }: any) => ({
    use,
    kid: typeof kid,
    kty: typeof kty,
    alg: typeof alg,
  }))
}
