import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { nativeCollections } from './native-collections.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const table = (version: string): string => `application/json;as=Table;v=${version};g=meta.k8s.io`
const metadata = (kind: string, version = 'v1'): string =>
  `application/json;as=${kind};v=${version};g=meta.k8s.io`

/** A value as text, one line for each part of it. */
function lines(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}
`
}

/** The file that holds what a real server answered. */
function recorded(name: string): string {
  return new URL(`recorded/${name}.json`, import.meta.url).pathname
}

describe('the table of a native kind', () => {
  test('has the columns of Kubernetes, with what they are about', async () => {
    const columns: Record<string, string[]> = {}
    for (const { path } of await nativeCollections(server)) {
      const { status, body } = await server.call('GET', path, { accept: table('v1') })
      expect([path, status]).toEqual([path, 200])
      columns[path] = body.columnDefinitions.map(({ name, type, format, priority, description }: any) =>
        [name, type, format || '-', priority, description].join(' | '),
      )
    }
    await expect(lines(columns)).toMatchFileSnapshot(recorded('table-columns'))
  })
})

test('the table of a custom kind describes Name and Age as those of native kinds do', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const group = 'tables.example.com'
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const version = (name: string, columns: object) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema,
    ...columns,
  })
  const first = { name: 'First', type: 'string', jsonPath: '.spec.parts[].name' }
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version('v1', {}), version('v2', { additionalPrinterColumns: [first] })],
    },
  }
  expect((await server.call('POST', definitions, { body })).status).toBe(201)
  try {
    const widgets = (name: string): string => `/apis/${group}/${name}/namespaces/${server.namespace}/widgets`
    await server.until('both versions', async () => {
      const answers = await Promise.all(['v1', 'v2'].map((name) => server.call('GET', widgets(name))))
      return answers.every(({ status }) => status === 200)
    })
    const metadata = { name: 'knob' }
    const widget = {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata,
      spec: { parts: [{ name: 'a' }, { name: 'b' }] },
    }
    await server.call('POST', widgets('v1'), { body: widget })
    const columnsOf = async (path: string) => {
      const { body: answer } = await server.call('GET', path, { accept: table('v1') })
      return answer.columnDefinitions.map(({ name, description }: any) => [name, description])
    }
    const native = await columnsOf(`/api/v1/namespaces/${server.namespace}/configmaps`)
    const [name, age] = [native[0], native.at(-1)]
    expect([name[0], age[0]]).toEqual(['Name', 'Age'])
    expect(await columnsOf(widgets('v1'))).toEqual([name, age])
    const path = 'Custom resource definition column (in JSONPath format): .spec.parts[].name'
    expect(await columnsOf(widgets('v2'))).toEqual([name, ['First', path]])
    const { body: rows } = await server.call('GET', widgets('v2'), { accept: table('v1') })
    expect(rows.rows.map(({ cells }: any) => cells)).toEqual([['knob', 'a']])
  } finally {
    await server.call('DELETE', `${definitions}/widgets.${group}`)
  }
})

test('the table of a scale has columns of its own', async () => {
  const path = `/apis/apps/v1/namespaces/${server.namespace}/deployments`
  const labels = { app: 'scaled' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  await server.call('POST', path, { body: { metadata: { name: 'scaled' }, spec } })
  const { body } = await server.call('GET', `${path}/scaled/scale`, { accept: table('v1') })
  await expect(
    lines({
      columns: body.columnDefinitions,
      cells: body.rows[0].cells.slice(0, 3),
    }),
  ).toMatchFileSnapshot(recorded('table-of-a-scale'))
})

describe('what is asked of an object', () => {
  const path = (): string => `/api/v1/namespaces/${server.namespace}/configmaps`
  beforeAll(async () => {
    const body = { metadata: { name: 'forms', labels: { a: 'b' } }, data: { k: 'v' } }
    await server.call('POST', path(), { body })
  })

  /** The parts of a document, in any order: they stay the same. */
  const outline = (value: any): unknown => {
    if (Array.isArray(value)) return value.map(outline)
    if (value === null) return null
    if (typeof value !== 'object') return typeof value
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, /^(kind|apiVersion)$/.test(key) ? value[key] : outline(value[key])]),
    )
  }

  test.for([
    ['a table without objects', table('v1'), '/forms?includeObject=None'],
    ['a table with metadata', table('v1'), '/forms?includeObject=Metadata'],
    ['a table with objects', table('v1'), '/forms?includeObject=Object'],
    ['a table of another time', table('v1beta1'), '/forms'],
    ['a table of a list', table('v1'), '?fieldSelector=metadata.name%3Dforms'],
    ['a table with nonsense', table('v1'), '/forms?includeObject=Some'],
    ['metadata of one', metadata('PartialObjectMetadata'), '/forms'],
    ['metadata of another time', metadata('PartialObjectMetadata', 'v1beta1'), '/forms'],
    ['metadata of a list', metadata('PartialObjectMetadataList'), '?fieldSelector=metadata.name%3Dforms'],
    ['metadata of one as a list', metadata('PartialObjectMetadataList'), '/forms'],
    ['metadata of a list as one', metadata('PartialObjectMetadata'), ''],
    ['an unknown form', metadata('Chair'), '/forms'],
    ['a table or else JSON', `${metadata('Chair')},application/json`, '/forms'],
  ] as const)('%s', async ([title, accept, rest]) => {
    const { status, headers, body } = await server.call('GET', `${path()}${rest}`, { accept })
    // Answers are never protobuf here: clients take JSON as well.
    const text = String(body.message).replace(', application/vnd.kubernetes.protobuf', '')
    const message = body.kind === 'Status' ? { message: text, reason: body.reason } : {}
    await expect(
      lines({
        status,
        type: headers['content-type'],
        ...message,
        body: outline(body),
      }),
    ).toMatchFileSnapshot(recorded(`form-${title.replaceAll(' ', '-')}`))
  })

  test.for([
    [
      'authorization.k8s.io',
      'selfsubjectaccessreviews',
      'SelfSubjectAccessReview',
      { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    ],
    ['authentication.k8s.io', 'selfsubjectreviews', 'SelfSubjectReview', {}],
  ] as const)('a review of %s as a table', async ([group, plural, kind, fields]) => {
    const body = { apiVersion: `${group}/v1`, kind, ...fields }
    const answer = await server.call('POST', `/apis/${group}/v1/${plural}`, { body, accept: table('v1') })
    const { status } = answer
    await expect(lines({ status, body: outline(answer.body) })).toMatchFileSnapshot(
      recorded(`review-as-table-${plural}`),
    )
  })
})
