/** One request to a webhook. */
export interface Asked {
  readonly title: string
  readonly path: string
  readonly contentType: string
  readonly body: string
}

/** A webhook's answer. */
export interface Answer {
  readonly status: number
  readonly body: string
}

type Spec = Readonly<Record<string, unknown>>

const SPECS: Readonly<Record<string, Spec>> = {
  'a plain ticket': { title: 'plain' },
  'an empty ticket': {},
  'an empty title': { title: '' },
  'a full ticket': { title: 'full', replicas: 2, mode: 'fast', host: 'db', port: 5432, tags: ['a', 'b'] },
  'too many replicas': { title: 't', replicas: 11 },
  'many mistakes': { replicas: 99, mode: 'no<&>', tags: ['a', 'a', 'a', 'b', 'c'], limits: { cpu: '5' } },
  'a slow mode': { title: 't', mode: 'slow' },
  'a slow mode and a mistake': { mode: 'slow' },
  'an unknown mode with quotes': { title: 't', mode: 'a"b\\c\n\td\u0007' },
  'an unknown mode in another script': { title: 't', mode: '遅い' },
  'a title of 20 bytes': { title: 'a'.repeat(20) },
  'a title of 21 bytes': { title: 'a'.repeat(21) },
  'a title of 7 characters and 21 bytes': { title: '遅'.repeat(7) },
  'a tag twice': { title: 't', tags: ['x', 'y', 'x'] },
  'four tags': { title: 't', tags: ['a', 'b', 'c', 'd'] },
  'five tags': { title: 't', tags: ['a', 'b', 'c', 'd', 'e'] },
  'tags that were checked': { title: 't', tags: ['a', 'checked'] },
  'limits without a unit': { title: 't', limits: { cpu: '500' } },
  'limits with a unit': { title: 't', limits: { cpu: '500m', memory: '1Gi' } },
  'limits with none': { title: 't', limits: { none: 'x', cpu: '1m' } },
  'only none as a limit': { title: 't', limits: { none: 'x' } },
  'an assignee': { title: 't', assignee: { name: 'ada', email: 'ada@example.com' } },
  'an assignee without an email': { title: 't', assignee: { name: 'ada' } },
  'an assignee with angle brackets': { title: 't', assignee: { name: '<a&b>' } },
  'a ghost': { title: 't', assignee: { name: 'ghost', email: 'g@example.com' } },
  'a panic': { title: 'panic' },
  'a lock': { title: 'locked' },
  'replicas of zero': { title: 't', replicas: 0 },
  'negative replicas': { title: 't', replicas: -5 },
  'replicas beyond 2^53': { title: 't', replicas: 4611686018427388000 },
}

const METADATA = {
  name: 'a',
  namespace: 'default',
  uid: '0b4e1f0c-3f7e-4f0e-9d0c-0d8f1f1a2b3c',
  resourceVersion: '12',
  generation: 2,
  creationTimestamp: '2026-01-01T00:00:00Z',
  labels: { app: 'tickets', 'example.com/part~of': 'x/y' },
  annotations: { note: 'a "quoted" <note>' },
  finalizers: ['example.com/hold'],
}

function ticket(spec: Spec, version = 'v2', metadata: object = { name: 'a', namespace: 'default' }): object {
  return { apiVersion: `corpus.example.com/${version}`, kind: 'Ticket', metadata, spec }
}

function request(more: object): object {
  return {
    uid: 'b2a5c1de-0000-4000-8000-000000000001',
    kind: { group: 'corpus.example.com', version: 'v2', kind: 'Ticket' },
    resource: { group: 'corpus.example.com', version: 'v2', resource: 'tickets' },
    name: 'a',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'ada', groups: ['people'] },
    dryRun: false,
    ...more,
  }
}

const JSON_TYPE = 'application/json'
const ADMISSION = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }
const CONVERSION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }
const TOKEN = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }

/** All requests, in the same order each time. */
export function corpus(): Asked[] {
  return [...created(), ...changed(), ...policies(), ...badAdmissions(), ...conversions(), ...tokens()]
}

function ask(title: string, path: string, body: unknown, contentType = JSON_TYPE): Asked {
  return {
    title: `${path}: ${title}`,
    path,
    contentType,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

function created(): Asked[] {
  return Object.entries(SPECS).flatMap(([title, spec]) => [
    ask(title, '/validate', { ...ADMISSION, request: request({ object: ticket(spec) }) }),
    ask(title, '/mutate', { ...ADMISSION, request: request({ object: ticket(spec) }) }),
    ask(`${title}, with all metadata`, '/mutate', {
      ...ADMISSION,
      request: request({ object: ticket(spec, 'v2', METADATA), userInfo: { username: 'system:node:n1' } }),
    }),
  ])
}

function changed(): Asked[] {
  const pairs: [title: string, before: Spec, after: Spec][] = [
    ['nothing changes', { title: 'a' }, { title: 'a' }],
    ['the title changes', { title: 'a' }, { title: 'b' }],
    ['the title goes', { title: 'a' }, {}],
    ['the host changes', { title: 'a', host: 'x' }, { title: 'a', host: 'y' }],
    ['the host goes', { title: 'a', host: 'x' }, { title: 'a' }],
    ['the host comes', { title: 'a' }, { title: 'a', host: 'x' }],
    ['all goes wrong', { title: 'a', host: 'x' }, { host: 'y', replicas: 12, mode: 'x' }],
    ['the mode becomes slow', { title: 'a', mode: 'fast' }, { title: 'a', mode: 'slow' }],
    ['the code panics', { title: 'a' }, { title: 'panic' }],
  ]
  const updates = pairs.map(([title, before, after]) =>
    ask(`an update in which ${title}`, '/validate', {
      ...ADMISSION,
      request: request({ operation: 'UPDATE', object: ticket(after), oldObject: ticket(before) }),
    }),
  )
  const protectedTicket = ticket({ title: 'a' }, 'v2', { name: 'a', annotations: { protected: 'true' } })
  const deletes = (['/validate', '/mutate'] as const).flatMap((path) =>
    [
      ['a delete', request({ operation: 'DELETE', object: null, oldObject: ticket({ title: 'a' }) })],
      ['a delete that is refused', request({ operation: 'DELETE', oldObject: protectedTicket })],
      ['a delete without an object', request({ operation: 'DELETE' })],
      ['an update without the old object', request({ operation: 'UPDATE', object: ticket({ title: 'a' }) })],
      ['a connect', request({ operation: 'CONNECT', object: ticket({ title: 'a' }) })],
      ['an unknown operation', request({ operation: 'PATCH', object: ticket({ title: 'a' }) })],
      ['a create without an object', request({ object: null })],
      ['another kind', request({ object: { ...ticket({}), kind: 'Other' } })],
      ['another group', request({ object: { ...ticket({}), apiVersion: 'other.example.com/v2' } })],
    ].map(([title, asked]) => ask(title as string, path, { ...ADMISSION, request: asked })),
  )
  return [...updates, ...deletes]
}

function policies(): Asked[] {
  const users = ['ada', 'system:guest', 'x:guest', 'panic', '']
  return users.flatMap((username) =>
    [false, true].flatMap((dryRun) =>
      ['CREATE', 'UPDATE', 'DELETE'].map((operation) =>
        ask(`${operation} by ${JSON.stringify(username)}${dryRun ? ' as a dry run' : ''}`, '/policy', {
          ...ADMISSION,
          request: request({ operation, dryRun, userInfo: { username }, object: ticket({ title: 'a' }) }),
        }),
      ),
    ),
  )
}

function badAdmissions(): Asked[] {
  const good = JSON.stringify({ ...ADMISSION, request: request({ object: ticket({ title: 'a' }) }) })
  return ['/validate', '/mutate', '/policy'].flatMap((path) => [
    ask('an empty body', path, ''),
    ask('no media type', path, good, ''),
    ask('another media type', path, good, 'application/yaml'),
    ask('a media type with parameters', path, good, 'application/json; charset=utf-8'),
    ask('half of a review', path, good.slice(0, 100)),
    ask('a list', path, '[]'),
    ask('a text', path, '"review"'),
    ask('null', path, 'null'),
    ask('an empty object', path, '{}'),
    ask('a kind that is a number', path, '{"kind":5}'),
    ask('an apiVersion that is a list', path, '{"apiVersion":[]}'),
    ask('no request', path, { ...ADMISSION }),
    ask('a request of null', path, { ...ADMISSION, request: null }),
    ask('a request that is a number', path, { ...ADMISSION, request: 5 }),
    ask('a uid that is a number', path, { ...ADMISSION, request: { uid: 5 } }),
    ask('an older version', path, good.replace('k8s.io/v1', 'k8s.io/v1beta1')),
    ask('an unknown version', path, good.replace('k8s.io/v1', 'k8s.io/v7')),
    ask('an unknown kind', path, good.replace('AdmissionReview', 'Review')),
  ])
}

function conversions(): Asked[] {
  const v1: Spec[] = [
    {},
    { title: 'a' },
    { address: 'db' },
    { address: 'db:5432' },
    { address: ':5432' },
    { address: 'db:x' },
    { address: 'db:1:2' },
    { address: 'db:' },
    { title: 'a', replicas: 2, mode: 'fast', address: 'db:1', tags: ['a'] },
  ]
  const v2: Spec[] = [
    {},
    { title: 'a', host: 'db' },
    { host: 'db', port: 1 },
    { port: 1 },
    { title: 'panic' },
    { title: 'a', replicas: 2, mode: 'fast', host: 'db', port: 1, tags: ['a'] },
  ]
  const v3: Spec[] = [
    {},
    { address: { host: 'db' } },
    { address: { port: 1 } },
    { title: 'a', replicas: 2, mode: 'fast', address: { host: 'db', port: 1 }, tags: ['a'] },
  ]
  const all = { v1, v2, v3 }
  const converted = Object.entries(all).flatMap(([from, specs]) =>
    Object.keys(all).flatMap((to) =>
      specs.map((spec, index) =>
        convert(`${from} to ${to}, ${index + 1}`, to, [ticket(spec, from, METADATA)]),
      ),
    ),
  )
  return [
    ...converted,
    convert('several objects', 'v2', [
      ...v1.slice(0, 5).map((spec) => ticket(spec, 'v1')),
      ...v3.map((spec) => ticket(spec, 'v3')),
    ]),
    convert(
      'several objects, of which one fails',
      'v2',
      v1.map((spec) => ticket(spec, 'v1')),
    ),
    convert('no objects', 'v2', []),
    convert('objects of null', 'v2', null),
    convert('an unknown version', 'v9', [ticket({}, 'v1')]),
    convert('an object of an unknown version', 'v2', [ticket({}, 'v9')]),
    convert('an object without a kind', 'v2', [{ metadata: { name: 'a' } }]),
    convert('an object of another kind', 'v2', [{ ...ticket({}, 'v1'), kind: 'Other' }]),
    ask('an empty body', '/convert', ''),
    ask('no JSON', '/convert', 'x'),
    ask('a list', '/convert', '[]'),
    ask('no request', '/convert', { ...CONVERSION }),
    ask('a request that is a number', '/convert', { ...CONVERSION, request: 5 }),
    ask('objects that are a number', '/convert', { ...CONVERSION, request: { objects: 5 } }),
    ask(
      'no media type',
      '/convert',
      { ...CONVERSION, request: { uid: '1', desiredAPIVersion: 'corpus.example.com/v2', objects: [] } },
      '',
    ),
  ]
}

function convert(title: string, version: string, objects: unknown): Asked {
  const asked = { uid: 'c-1', desiredAPIVersion: `corpus.example.com/${version}`, objects }
  return ask(title, '/convert', { ...CONVERSION, request: asked })
}

function tokens(): Asked[] {
  const path = '/authenticate'
  return [
    ask('a known token', path, { ...TOKEN, spec: { token: 'token-of-ada' } }),
    ask('a token with audiences', path, { ...TOKEN, spec: { token: 'token-of-ada', audiences: ['a', 'b'] } }),
    ask('a review with a uid', path, { ...TOKEN, metadata: { uid: '7' }, spec: { token: 'token-of-ada' } }),
    ask('an unknown token', path, { ...TOKEN, spec: { token: 'x' } }),
    ask('no token', path, { ...TOKEN, spec: {} }),
    ask('no spec', path, { ...TOKEN }),
    ask('an older version', path, {
      ...TOKEN,
      apiVersion: 'authentication.k8s.io/v1beta1',
      spec: { token: 'token-of-b' },
    }),
    ask('an empty body', path, ''),
    ask('half of a review', path, '{"kind":'),
    ask('no media type', path, { ...TOKEN, spec: { token: 'token-of-ada' } }, ''),
  ]
}
