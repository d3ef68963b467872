import { wrongConverters } from './converters.ts'

/** A request below the group of the scenario, such as `v2/things/x`; `things` stands for the things of the test's namespace. */
export interface Request {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET'
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
}

export type ConversionStep =
  | Request
  /** Changes the definition, and waits until that is in effect. */
  | { readonly define: Partial<Definition> }
  /** Watches while the steps are taken, until so many events came or the server ends the watch. */
  | {
      readonly watch: string
      readonly accept?: string
      readonly events: number
      readonly steps: readonly Request[]
    }

export interface Definition {
  /** The behaviour of the webhook. */
  readonly converter: string
  readonly storage: 'v1' | 'v2'
  readonly strategy: 'Webhook' | 'None'
  readonly reviewVersions: readonly string[]
  /** Replaces the webhook's `clientConfig`. */
  readonly clientConfig?: object
  readonly isPinned?: boolean
  /** The labels under which version 2 is not served. */
  readonly unserved?: 'v2'
}

export interface ConversionScenario {
  readonly title: string
  /** An admission webhook that has a rule for version 1 alone, with its behaviour. */
  readonly admission?: { readonly plugin: 'mutating' | 'validating'; readonly behaviour: string }
  readonly definition?: Partial<Definition>
  readonly steps: readonly ConversionStep[]
}

const APPLY = 'application/apply-patch+yaml'
const JSON_PATCH = 'application/json-patch+json'
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

const create = (version: 'v1' | 'v2', name: string, more: object = {}, meta: object = {}): Request => ({
  method: 'POST',
  path: `${version}/things`,
  body: thing(version, name, more, meta),
})

function thing(version: 'v1' | 'v2', name: string, more: object = {}, meta: object = {}): object {
  return {
    apiVersion: version,
    kind: 'Thing',
    metadata: { name, ...meta },
    spec:
      version === 'v1'
        ? { size: '3x4', note: 'hello', replicas: 2 }
        : { width: 5, height: 6, color: 'blue', replicas: 3 },
    ...more,
  }
}

const get = (path: string, accept?: string): Request => ({ method: 'GET', path, ...(accept && { accept }) })
const merge = (path: string, body: object): Request => ({ method: 'PATCH', path, body })
const remove = (path: string): Request => ({ method: 'DELETE', path })
const apply = (path: string, body: object): Request => ({ method: 'PATCH', path, contentType: APPLY, body })
const ofBoth = [create('v1', 'x'), create('v2', 'y')]

/** Both versions of both objects. */
const readBoth = ['v1', 'v2'].flatMap((version) => ['x', 'y'].map((name) => get(`${version}/things/${name}`)))

export const conversionScenarios: readonly ConversionScenario[] = [
  ...Object.keys(wrongConverters).map((converter): ConversionScenario => ({
    title: `a converter that ${converter}`,
    definition: { converter },
    steps: [create('v1', 'x'), get('v2/things/x'), get('v1/things/x')],
  })),
  { title: 'create and get in both versions', steps: [...ofBoth, ...readBoth] },
  {
    title: 'lists of both versions',
    steps: [
      ...ofBoth,
      create('v1', 'z', {}, { labels: { team: 'a' } }),
      get('v1/things'),
      get('v2/things'),
      get('v2/things?labelSelector=team%3Da'),
      get('v2/things?limit=2'),
      get('v2/things?fieldSelector=metadata.name%3Dy'),
      get('v2/things?fieldSelector=spec.color%3Dblue'),
      get('v1/things?fieldSelector=spec.size%3D3x4'),
      get('v2/things?fieldSelector=spec.size%3D3x4'),
    ],
  },
  {
    title: 'tables and metadata alone',
    steps: [
      ...ofBoth,
      get('v1/things', TABLE),
      get('v2/things', TABLE),
      get('v2/things/x', TABLE),
      get('v2/things/x', METADATA),
      get('v2/things', METADATA_LIST),
    ],
  },
  {
    title: 'update in the other version',
    steps: [
      create('v1', 'x'),
      {
        method: 'PUT',
        path: 'v2/things/x',
        body: thing('v2', 'x', {}, { resourceVersion: '<x>' }),
      },
      get('v1/things/x'),
      get('v2/things/x'),
      { method: 'PUT', path: 'v1/things/x', body: thing('v1', 'x', {}, { resourceVersion: '<x>' }) },
      get('v2/things/x'),
    ],
  },
  {
    title: 'merge patch in the other version',
    steps: [
      create('v1', 'x'),
      merge('v2/things/x', { spec: { width: 30, color: 'green' } }),
      merge('v2/things/x', { spec: { color: null } }),
      merge('v2/things/x', { metadata: { labels: { a: 'b' } } }),
      get('v1/things/x'),
    ],
  },
  {
    title: 'JSON patch in the other version',
    steps: [
      create('v1', 'x'),
      {
        method: 'PATCH',
        path: 'v2/things/x',
        contentType: JSON_PATCH,
        body: [
          { op: 'test', path: '/spec/width', value: 3 },
          { op: 'replace', path: '/spec/height', value: 40 },
        ],
      },
      {
        method: 'PATCH',
        path: 'v2/things/x',
        contentType: JSON_PATCH,
        body: [{ op: 'test', path: '/spec/size', value: '3x4' }],
      },
      get('v1/things/x'),
    ],
  },
  {
    title: 'a patch that changes nothing',
    steps: [
      create('v1', 'x'),
      merge('v2/things/x', { spec: { width: 3 } }),
      merge('v1/things/x', { spec: { size: '3x4' } }),
      get('v2/things/x'),
    ],
  },
  {
    title: 'apply in the other version',
    steps: [
      apply('v1/things/x?fieldManager=one', thing('v1', 'x')),
      apply('v2/things/x?fieldManager=two', {
        ...thing('v2', 'x'),
        spec: { color: 'green' },
      }),
      get('v1/things/x'),
    ],
  },
  {
    title: 'apply of a new object in the other version',
    steps: [apply('v2/things/x?fieldManager=one', thing('v2', 'x')), get('v1/things/x'), get('v2/things/x')],
  },
  {
    title: 'apply by the same manager in both versions',
    steps: [
      apply('v1/things/x?fieldManager=one', thing('v1', 'x')),
      apply('v2/things/x?fieldManager=one', {
        ...thing('v2', 'x'),
        spec: { width: 3, height: 4, replicas: 2 },
      }),
      get('v1/things/x'),
      apply('v1/things/x?fieldManager=one', { ...thing('v1', 'x'), spec: { size: '3x4' } }),
      get('v2/things/x'),
    ],
  },
  {
    title: 'apply against another manager of another version',
    steps: [
      apply('v1/things/x?fieldManager=one', thing('v1', 'x')),
      apply('v2/things/x?fieldManager=two', { ...thing('v2', 'x'), spec: { width: 30, height: 4 } }),
      apply('v2/things/x?fieldManager=two&force=true', {
        ...thing('v2', 'x'),
        spec: { width: 30, height: 4, replicas: 5 },
      }),
      apply('v1/things/x?fieldManager=one', thing('v1', 'x')),
      get('v1/things/x'),
    ],
  },
  {
    title: 'an update takes fields from a manager of another version',
    steps: [
      apply('v1/things/x?fieldManager=one', thing('v1', 'x')),
      merge('v2/things/x?fieldManager=two', { spec: { width: 30 } }),
      merge('v2/things/x?fieldManager=two', { spec: { replicas: 7 } }),
      get('v1/things/x'),
    ],
  },
  {
    title: 'delete in the other version',
    steps: [
      ...ofBoth,
      remove('v2/things/x'),
      get('v1/things/x'),
      remove('v1/things/y'),
      remove('v2/things/absent'),
      get('v2/things/absent'),
    ],
  },
  {
    title: 'delete with a finalizer in the other version',
    steps: [
      create('v1', 'x', {}, { finalizers: ['example.com/wait'] }),
      remove('v2/things/x'),
      get('v1/things/x'),
      merge('v2/things/x', { metadata: { finalizers: null } }),
      get('v1/things/x'),
    ],
  },
  {
    title: 'delete of a collection in the other version',
    steps: [
      ...ofBoth,
      create('v1', 'z', {}, { labels: { a: 'b' } }),
      remove('v2/things?labelSelector=a%3Db'),
      remove('v2/things'),
    ],
  },
  {
    title: 'dry runs in the other version',
    steps: [
      { ...create('v2', 'x'), path: 'v2/things?dryRun=All' },
      create('v1', 'x'),
      merge('v2/things/x?dryRun=All', { spec: { width: 30 } }),
      remove('v2/things/x?dryRun=All'),
      apply('v2/things/n?fieldManager=one&dryRun=All', thing('v2', 'n')),
      get('v1/things'),
    ],
  },
  {
    title: 'the status in the other version',
    steps: [
      create('v1', 'x'),
      merge('v2/things/x/status', { status: { replicas: 1, phase: 'Ready' }, spec: { width: 99 } }),
      get('v1/things/x'),
      get('v2/things/x/status'),
      apply('v2/things/x/status?fieldManager=one', {
        apiVersion: 'v2',
        kind: 'Thing',
        metadata: { name: 'x' },
        status: { phase: 'Applied' },
      }),
    ],
  },
  {
    title: 'the scale in the other version',
    steps: [
      create('v1', 'x'),
      get('v2/things/x/scale'),
      merge('v2/things/x/scale', { spec: { replicas: 9 } }),
      get('v1/things/x'),
      {
        method: 'PUT',
        path: 'v2/things/x/scale',
        body: {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'x' },
          spec: { replicas: 4 },
        },
      },
      get('v2/things/x'),
    ],
  },
  {
    title: 'validation in the version of the request',
    steps: [
      create('v1', 'x', { spec: { size: 5 } }),
      create('v2', 'x', { spec: { width: 'wide' } }),
      create('v2', 'x', { spec: { width: 2000, height: 1 } }),
      create('v1', 'x', { spec: { size: '2000x1' } }),
      get('v2/things/x'),
      merge('v2/things/x', { metadata: { labels: { a: 'b' } } }),
      merge('v2/things/x', { spec: { height: 2 } }),
      merge('v2/things/x', { spec: { width: 2001 } }),
    ],
  },
  {
    title: 'defaults and unknown fields',
    steps: [
      create('v1', 'x', { spec: { size: '1x2', unknown: 'x' } }),
      create('v2', 'y', { spec: { unknown: 'x' } }),
      ...readBoth,
    ],
  },
  {
    title: 'a converter that adds unknown fields',
    definition: { converter: 'adds-unknown-fields' },
    steps: [...ofBoth, ...readBoth],
  },
  {
    title: 'a converter that changes labels',
    definition: { converter: 'changes-labels' },
    steps: [
      ...ofBoth,
      ...readBoth,
      get('v2/things?labelSelector=seen%3Dv2'),
      get('v1/things?labelSelector=seen%3Dv2'),
    ],
  },
  {
    title: 'a converter that changes other metadata',
    definition: { converter: 'changes-other-metadata' },
    steps: [...ofBoth, ...readBoth],
  },
  {
    title: 'a converter that loses fields',
    definition: { converter: 'lossy' },
    steps: [
      ...ofBoth,
      ...readBoth,
      merge('v2/things/x', { metadata: { labels: { a: 'b' } } }),
      get('v1/things/x'),
    ],
  },
  {
    title: 'an invalid review version',
    definition: { reviewVersions: ['v2', 'v1beta1', 'v1'] },
    steps: [...ofBoth, get('v2/things/x')],
  },
  {
    title: 'the certificate in place of its authority for a converter',
    definition: { isPinned: true },
    steps: [...ofBoth, get('v2/things/x')],
  },
  {
    title: 'nothing listens where a converter should',
    definition: { clientConfig: { url: 'https://127.0.0.1:1/x' } },
    steps: [
      create('v1', 'x'),
      create('v2', 'y'),
      get('v2/things/x'),
      get('v2/things'),
      merge('v2/things/x', { metadata: { labels: { a: 'b' } } }),
      remove('v2/things/x'),
      get('v1/things/x'),
    ],
  },
  {
    title: 'a Service of a converter that is not there',
    definition: { clientConfig: { service: { namespace: 'default', name: 'absent', path: '/x' } } },
    steps: [create('v1', 'x'), get('v2/things/x')],
  },
  {
    title: 'one object of a list that cannot be converted',
    definition: { converter: 'refuses-marked' },
    steps: [
      create('v1', 'x'),
      create('v1', 'bad', {}, { labels: { bad: 'yes' } }),
      get('v2/things'),
      get('v2/things/x'),
      get('v2/things/bad'),
      get('v1/things'),
    ],
  },
  {
    title: 'another storage version while there are objects',
    steps: [
      ...ofBoth,
      { define: { storage: 'v2' } },
      ...readBoth,
      create('v1', 'z'),
      get('v2/things/z'),
      merge('v1/things/x', { spec: { note: 'changed' } }),
      get('v2/things/x'),
      merge('v2/things/y', { metadata: { labels: { a: 'b' } } }),
      get('v1/things/y'),
      { method: 'GET', path: 'definition' },
    ],
  },
  {
    title: 'an unchanged object is stored in the new version',
    steps: [
      create('v1', 'x'),
      { define: { storage: 'v2' } },
      { method: 'PUT', path: 'v1/things/x', body: '<x>' },
      merge('v2/things/x', {}),
      { define: { strategy: 'None' } },
      // Without a webhook the fields show in which version the object is stored.
      get('v1/things/x'),
      get('v2/things/x'),
    ],
  },
  {
    title: 'no conversion after a webhook',
    steps: [...ofBoth, { define: { strategy: 'None' } }, ...readBoth],
  },
  {
    title: 'a watch of the other version',
    steps: [
      create('v1', 'x'),
      {
        watch: 'v2/things?resourceVersion=0',
        events: 5,
        steps: [
          create('v2', 'y'),
          merge('v1/things/x', { spec: { size: '7x8' } }),
          remove('v1/things/x'),
          remove('v2/things/y'),
        ],
      },
    ],
  },
  {
    title: 'a watch that begins with the state and a bookmark',
    steps: [
      ...ofBoth,
      {
        watch: 'v2/things?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
        events: 4,
        steps: [merge('v1/things/x', { spec: { note: 'changed' } })],
      },
    ],
  },
  {
    title: 'a watch of the other version by labels',
    steps: [
      create('v1', 'x', {}, { labels: { team: 'a' } }),
      create('v1', 'y'),
      {
        watch: 'v2/things?resourceVersion=0&labelSelector=team%3Da',
        events: 4,
        steps: [
          merge('v1/things/x', { spec: { size: '7x8' } }),
          merge('v1/things/x', { metadata: { labels: { team: null } } }),
          merge('v1/things/y', { metadata: { labels: { team: 'a' } } }),
        ],
      },
    ],
  },
  {
    title: 'a watch by fields of the other version',
    steps: [
      create('v2', 'x'),
      {
        watch: 'v2/things?resourceVersion=0&fieldSelector=spec.color%3Dblue',
        events: 3,
        steps: [
          merge('v1/things/x', { metadata: { annotations: { 'things/color': 'green' } } }),
          merge('v1/things/x', { metadata: { annotations: { 'things/color': 'blue' } } }),
        ],
      },
    ],
  },
  {
    title: 'a watch of tables of the other version',
    steps: [
      create('v1', 'x'),
      {
        watch: 'v2/things?resourceVersion=0',
        accept: TABLE,
        events: 2,
        steps: [merge('v1/things/x', { spec: { size: '7x8' } })],
      },
    ],
  },
  {
    title: 'a watch of metadata of the other version',
    steps: [
      create('v1', 'x'),
      {
        watch: 'v2/things?resourceVersion=0',
        accept: METADATA,
        events: 2,
        steps: [merge('v1/things/x', { metadata: { labels: { a: 'b' } } })],
      },
    ],
  },
  {
    title: 'a watch with an object that cannot be converted',
    definition: { converter: 'refuses-marked' },
    steps: [
      create('v1', 'x'),
      {
        watch: 'v2/things?resourceVersion=0&timeoutSeconds=20',
        events: 9,
        steps: [
          merge('v1/things/x', { spec: { size: '7x8' } }),
          create('v1', 'bad', {}, { labels: { bad: 'yes' } }),
        ],
      },
      get('v2/things'),
      remove('v1/things/bad'),
      get('v2/things/x'),
    ],
  },
  {
    title: 'an admission webhook that changes another version',
    admission: { plugin: 'mutating', behaviour: 'admission-note' },
    steps: [
      create('v2', 'x'),
      get('v1/things/x'),
      merge('v2/things/x', { spec: { width: 50 } }),
      apply('v2/things/x?fieldManager=one', { ...thing('v2', 'x'), spec: { replicas: 8 } }),
      create('v1', 'y'),
    ],
  },
  {
    title: 'an admission webhook that refuses another version',
    admission: { plugin: 'validating', behaviour: 'admission-refuse-wide' },
    steps: [
      create('v2', 'x'),
      merge('v2/things/x', { spec: { width: 900 } }),
      merge('v2/things/x', { spec: { width: 6 } }),
      remove('v2/things/x'),
    ],
  },
  {
    title: 'an admission webhook for a version that cannot be converted to',
    definition: { converter: 'refuses-marked' },
    admission: { plugin: 'validating', behaviour: 'admission-refuse-wide' },
    steps: [create('v2', 'bad', {}, { labels: { bad: 'yes' } })],
  },
  {
    title: 'a version that is no longer served',
    steps: [
      ...ofBoth,
      { define: { storage: 'v2' } },
      { define: { unserved: 'v2' } },
      get('v1/things/x'),
      get('v1/things/y'),
      get('v2/things/x'),
    ],
  },
]
