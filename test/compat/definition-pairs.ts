import type { CustomResourceDefinitionSource, StructuralSchema } from '@homeostat/api'
import type { CompatibilityLevel, CompatibilityRule } from '@homeostat/cli'

type Spec = CustomResourceDefinitionSource['spec']
type Version = Spec['versions'][number]

/** A request of a client, and what of the answer matters to it. */
export interface ClientRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST'
  /** Relative to the collection in a namespace; with a slash before it, relative to the group. */
  readonly path: string
  readonly version?: string
  /** The change that the client makes in the object that it reads first. */
  readonly edit?: (object: any) => void
  readonly show?: (body: any) => unknown
}

/** Two definitions of one kind, and the requests of clients that have the same outcome under both, or not. */
export interface DefinitionPair {
  readonly title: string
  readonly level: CompatibilityLevel
  readonly rule: CompatibilityRule
  readonly old: Partial<Spec>
  readonly next: Partial<Spec>
  readonly requests: readonly ClientRequest[]
  /** How the server answers the new definition. Default: 200. */
  readonly answer?: number
}

const text: StructuralSchema = { type: 'string' }
const spec = (
  properties: Record<string, StructuralSchema>,
  more: StructuralSchema = {},
): StructuralSchema => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { ...properties, replicas: { type: 'integer' }, marker: text } },
    status: { type: 'object', properties: { phase: text, replicas: { type: 'integer' } } },
  },
  ...more,
})
const version = (name: string, more: Partial<Version> = {}, schema = spec({ a: text })): Version => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...more,
})
const kindNames = { kind: 'Sample', plural: 'samples', singular: 'sample', listKind: 'SampleList' }
const called = (more: Partial<Spec['names']>): Partial<Spec> => ({ names: { ...kindNames, ...more } })
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const only = (more: Partial<Version>, schema?: StructuralSchema): Partial<Spec> => ({
  versions: [version('v1', more, schema)],
})

const read: ClientRequest = { method: 'GET', path: 'one', show: ({ spec: { a } }) => a }
const keep: ClientRequest = { method: 'PUT', path: 'one', edit: () => {}, show: ({ spec: { a } }) => a }
const change: ClientRequest = {
  method: 'PUT',
  path: 'one',
  edit: ({ spec: part }) => (part.a = 'x'),
  show: ({ spec: { a } }) => a,
}
const label: ClientRequest = {
  method: 'PUT',
  path: 'one',
  edit: ({ metadata }) => (metadata.labels = { x: 'y' }),
}
const usual = [read, keep, change, label]
const inV2 = usual.map((request) => ({ ...request, version: 'v2' }))
const discovered = (show: (resource: any) => unknown): ClientRequest => ({
  method: 'GET',
  path: '/v1',
  show: ({ resources }) => show(resources.find(({ name }: { name: string }) => name === 'samples')),
})

export const definitionPairs: readonly DefinitionPair[] = [
  {
    title: 'nothing but a column changes',
    level: 'safe',
    rule: 'C12',
    old: only({}),
    next: only({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }),
    requests: usual,
  },
  {
    title: 'a version is added',
    level: 'safe',
    rule: 'C6',
    old: only({}),
    next: { versions: [version('v1'), version('v2')] },
    requests: usual,
  },
  {
    title: 'a version is served again',
    level: 'safe',
    rule: 'C6',
    old: { versions: [version('v1'), version('v2', { served: false })] },
    next: { versions: [version('v1'), version('v2')] },
    requests: usual,
  },
  {
    title: 'a version is deprecated',
    level: 'safe',
    rule: 'C12',
    old: { versions: [version('v1'), version('v2')] },
    next: {
      versions: [
        version('v1', { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }),
        version('v2', { deprecated: true }),
      ],
    },
    requests: [...usual, ...inV2],
  },
  {
    title: 'objects are stored in a version with the same schema',
    level: 'safe',
    rule: 'C7',
    old: { versions: [version('v1'), version('v2')] },
    next: { versions: [version('v1', { storage: false }), version('v2', { storage: true })] },
    requests: [...usual, ...inV2],
  },
  {
    title: 'a scale is served',
    level: 'safe',
    rule: 'C10',
    old: only({}),
    next: only({ subresources: { scale } }),
    requests: usual,
  },
  {
    title: 'a field can be selected by',
    level: 'safe',
    rule: 'C11',
    old: only({}),
    next: only({ selectableFields: [{ jsonPath: '.spec.a' }] }),
    requests: usual,
  },
  {
    title: 'a short name is added',
    level: 'safe',
    rule: 'C3',
    old: called({}),
    next: called({ shortNames: ['sp'] }),
    requests: usual,
  },

  {
    title: 'the scope changes',
    level: 'breaking',
    rule: 'C1',
    old: {},
    next: { scope: 'Cluster' },
    requests: [],
    answer: 422,
  },
  {
    title: 'the kind changes',
    level: 'breaking',
    rule: 'C3',
    old: called({}),
    next: called({ kind: 'Other', listKind: 'OtherList' }),
    requests: [],
    answer: 422,
  },
  {
    title: 'lists have another kind',
    level: 'breaking',
    rule: 'C3',
    old: called({}),
    next: called({ listKind: 'Samples' }),
    requests: [{ method: 'GET', path: '', show: ({ kind }) => kind }],
  },
  {
    title: 'a short name is removed',
    level: 'breaking',
    rule: 'C3',
    old: called({ shortNames: ['sp'] }),
    next: called({}),
    requests: [discovered(({ shortNames }) => shortNames)],
  },
  {
    title: 'a category is removed',
    level: 'breaking',
    rule: 'C3',
    old: called({ categories: ['all'] }),
    next: called({}),
    requests: [discovered(({ categories }) => categories)],
  },
  {
    title: 'the singular changes',
    level: 'breaking',
    rule: 'C3',
    old: called({}),
    next: called({ singular: 'probe' }),
    requests: [discovered(({ singularName }) => singularName)],
  },
  {
    title: 'the stored version is removed',
    level: 'breaking',
    rule: 'C4',
    old: { versions: [version('v1'), version('v2')] },
    next: { versions: [version('v2', { storage: true })] },
    requests: [],
    answer: 422,
  },
  {
    title: 'a served version is removed',
    level: 'breaking',
    rule: 'C4',
    old: { versions: [version('v1'), version('v2')] },
    next: only({}),
    requests: inV2,
  },
  {
    title: 'a version is no longer served',
    level: 'breaking',
    rule: 'C5',
    old: { versions: [version('v1'), version('v2')] },
    next: { versions: [version('v1'), version('v2', { served: false })] },
    requests: inV2,
  },
  {
    title: 'objects are stored in a version without a field',
    level: 'breaking',
    rule: 'C7',
    old: { versions: [version('v1'), version('v2', {}, spec({}))] },
    next: { versions: [version('v1', { storage: false }), version('v2', { storage: true }, spec({}))] },
    requests: [change],
  },
  {
    title: 'the status is served by itself',
    level: 'breaking',
    rule: 'C9',
    old: only({}),
    next: only({ subresources: { status: {} } }),
    requests: [
      {
        method: 'PUT',
        path: 'one',
        edit: (object) => (object.status = { phase: 'x' }),
        show: ({ status }) => status,
      },
    ],
  },
  {
    title: 'the status is no longer served by itself',
    level: 'breaking',
    rule: 'C9',
    old: only({ subresources: { status: {} } }),
    next: only({}),
    requests: [
      {
        method: 'PUT',
        path: 'one/status',
        edit: (object) => (object.status = { phase: 'x' }),
        show: ({ status }) => status,
      },
    ],
  },
  {
    title: 'the scale is removed',
    level: 'breaking',
    rule: 'C10',
    old: only({ subresources: { scale } }),
    next: only({}),
    requests: [{ method: 'GET', path: 'one/scale', show: ({ spec: part }) => part }],
  },
  {
    title: 'the scale reads another field',
    level: 'breaking',
    rule: 'C10',
    old: only({ subresources: { scale } }, spec({ a: text, count: { type: 'integer', default: 7 } })),
    next: only(
      { subresources: { scale: { ...scale, specReplicasPath: '.spec.count' } } },
      spec({ a: text, count: { type: 'integer', default: 7 } }),
    ),
    requests: [{ method: 'GET', path: 'one/scale', show: ({ spec: part }) => part }],
  },
  {
    title: 'a field can no longer be selected by',
    level: 'breaking',
    rule: 'C11',
    old: only({ selectableFields: [{ jsonPath: '.spec.a' }] }),
    next: only({}),
    requests: [{ method: 'GET', path: '?fieldSelector=spec.a%3Done' }],
  },
  {
    title: 'a rule of the whole object is added',
    level: 'breaking',
    rule: 'C60',
    old: only({}),
    next: only({}, spec({ a: text }, { 'x-kubernetes-validations': [{ rule: "self.spec.a == 'two'" }] })),
    requests: [change, label],
  },
  {
    title: 'a field of the whole object becomes required',
    level: 'breaking',
    rule: 'C23',
    old: only({}),
    next: only({}, spec({ a: text }, { required: ['status'] })),
    requests: [keep, change, label],
  },
]
