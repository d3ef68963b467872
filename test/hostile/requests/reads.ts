import {
  CONFIG_MAPS,
  DEFINITIONS,
  hostileDefinition,
  many,
  type HostileCall,
  type HostileRequest,
} from './hostile-request.ts'

const configMap = (name: string, data: object = {}, labels: object = {}): HostileCall => ({
  method: 'POST',
  path: CONFIG_MAPS,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data },
})
const configMaps = (count: number): HostileCall[] =>
  many(count, (index) => configMap(`c${index}`, { k: 'v' }, { a: `v${index}` }))
const keys = (size: number): object => Object.fromEntries(many(size, (index) => [`k${index}`, 'v']))
const read = (query: string, headers: Readonly<Record<string, string>> = {}): HostileCall => ({
  method: 'GET',
  path: query === '' ? CONFIG_MAPS : `${CONFIG_MAPS}?${query}`,
  headers,
})
const one = (accept: string, query = ''): HostileCall => ({
  method: 'GET',
  path: `${CONFIG_MAPS}/h${query}`,
  headers: { accept },
})
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
/** About as many keys as an object may have that is stored. */
const MOST_KEYS = 50_000

/** Reads and deletions that cost far more than their length: long selectors and tokens, and long answers in every form. */
export const READS: readonly HostileRequest[] = [
  {
    title: 'a label selector of a great many values',
    before: () => configMaps(200),
    request: (size) =>
      read(`labelSelector=${encodeURIComponent(`a in (${many(size, (i) => `x${i}`).join(',')})`)}`),
    size: 100_000,
    code: 200,
  },
  {
    title: 'a label selector of a great many requirements',
    before: () => configMaps(200),
    request: (size) => read(`labelSelector=${encodeURIComponent(many(size, (i) => `a!=x${i}`).join(','))}`),
    size: 60_000,
    code: 200,
  },
  {
    title: 'a field selector of a great many terms',
    before: () => configMaps(200),
    request: (size) =>
      read(`fieldSelector=${encodeURIComponent(many(size, (i) => `metadata.name!=x${i}`).join(','))}`),
    size: 35_000,
    code: 200,
  },
  {
    title: 'a label selector that is no selector',
    request: (size) => read(`labelSelector=${'('.repeat(size)}`),
    size: 340_000,
    code: 400,
  },
  {
    title: 'a continue token of megabytes',
    request: (size) => read(`limit=1&continue=${'A'.repeat(size)}`),
    size: 1_000_000,
    code: 400,
  },
  {
    title: 'a continue token that nests deeply',
    request: (size) =>
      read(`limit=1&continue=${btoa('['.repeat(size)).replaceAll('+', '-').replaceAll('/', '_')}`),
    size: 500_000,
    code: 400,
  },
  {
    title: 'a query of a great many parameters',
    request: (size) => read(many(size, (index) => `p${index}=1`).join('&')),
    size: 100_000,
    code: 200,
  },
  {
    title: 'a path of a great many parts',
    request: (size) => ({ method: 'GET', path: `/apis${'/a'.repeat(size)}` }),
    size: 500_000,
    code: 404,
  },
  {
    title: 'a great many groups to act as',
    request: (size) =>
      read('limit=1', {
        'impersonate-user': 'a',
        // As a port joins headers of one name.
        'impersonate-group': many(size, (index) => `g${index}`).join('\n'),
      }),
    size: 100_000,
    code: 403,
  },
  {
    title: 'a great many extra fields to act with',
    request: (size) =>
      read('limit=1', {
        'impersonate-user': 'a',
        ...Object.fromEntries(many(size, (index) => [`impersonate-extra-k${index}`, 'v'])),
      }),
    size: 30_000,
    code: 403,
    overPort: 431,
  },
  {
    title: 'a list of media types that are accepted',
    request: (size) => read('limit=1', { accept: `${'application/x;q=0.1,'.repeat(size)}application/json` }),
    size: 50_000,
    code: 200,
  },
  {
    title: 'OpenAPI of a definition of a great many properties',
    before: (size) => [
      {
        method: 'POST',
        path: DEFINITIONS,
        body: hostileDefinition({
          type: 'object',
          properties: Object.fromEntries(many(size, (index) => [`p${index}`, { type: 'string' }])),
        }),
      },
    ],
    request: () => ({ method: 'GET', path: '/openapi/v3/apis/hostile.dev/v1' }),
    size: 30_000,
    code: 200,
  },
  {
    title: 'a large object in YAML',
    before: (size) => [configMap('h', keys(size))],
    request: () => one('application/yaml'),
    size: MOST_KEYS,
    whole: true,
    code: 200,
  },
  {
    title: 'a large object with indentation',
    before: (size) => [configMap('h', keys(size))],
    request: () => one('application/json', '?pretty=true'),
    size: MOST_KEYS,
    code: 200,
  },
  {
    title: 'a large object in protobuf',
    before: (size) => [configMap('h', keys(size))],
    request: () => one(PROTOBUF),
    size: MOST_KEYS,
    code: 200,
  },
  {
    title: 'a large object as a table',
    before: (size) => [configMap('h', keys(size))],
    request: () => one(TABLE),
    size: MOST_KEYS,
    code: 200,
  },
  {
    title: 'a list of a great many objects',
    before: (size) => configMaps(size),
    request: () => read(''),
    size: 5_000,
    code: 200,
  },
  {
    title: 'a list of a great many objects in YAML',
    before: (size) => configMaps(size),
    request: () => read('', { accept: 'application/yaml' }),
    size: 5_000,
    code: 200,
  },
  {
    title: 'a list of a great many objects as a table',
    before: (size) => configMaps(size),
    request: () => read('includeObject=Object', { accept: TABLE }),
    size: 5_000,
    code: 200,
  },
  {
    title: 'a list of a great many objects in protobuf',
    before: (size) => configMaps(size),
    request: () => read('', { accept: PROTOBUF }),
    size: 5_000,
    code: 200,
  },
  {
    title: 'the deletion of a great many objects',
    before: (size) => configMaps(size),
    request: () => ({ method: 'DELETE', path: CONFIG_MAPS }),
    size: 5_000,
    code: 200,
  },
]
