import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'
const GROUP = 'unreadable.homeostat.test'

let server: TestServer
let deployment: string
let holders: string
beforeAll(async () => {
  server = await startTestServer()
  const deployments = `/apis/apps/v1/namespaces/${server.namespace}/deployments`
  deployment = `${deployments}/web`
  holders = `/apis/${GROUP}/v1/namespaces/${server.namespace}/holders`
  const labels = { app: 'web' }
  const tolerations = [{ key: 'k', operator: 'Exists' }]
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }], tolerations } }
  const spec = { selector: { matchLabels: labels }, template }
  await server.call('POST', deployments, { body: { metadata: { name: 'web' }, spec } })
  await serveHolders()
})
afterAll(async () => {
  await server.call('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/holders.${GROUP}`)
  await server.close()
})

/** A custom kind with a resource inside its objects. */
async function serveHolders(): Promise<void> {
  const resource = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }
  const spec = { type: 'object', properties: { resource, resources: { type: 'array', items: resource } } }
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await server.call('POST', definitions, {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `holders.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'holders', kind: 'Holder' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    },
  })
  await server.until('the definition is served', async () => {
    const { status } = await server.call('POST', `${holders}?dryRun=All`, { body: holder('probe', {}) })
    return status === 201
  })
}

function holder(name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Holder', metadata: { name, ...metadata }, spec }
}

describe('a strategic merge that leaves what cannot be read', () => {
  const container = (fields: object): object => ({
    spec: { template: { spec: { containers: [{ name: 'c', ...fields }] } } },
  })
  test.each([
    [{ spec: 'x' }, 'map[spec:x]', 'cannot restore struct from: string'],
    [{ spec: [1] }, 'map[spec:[1]]', 'cannot restore struct from: slice'],
    [{ metadata: { labels: 'x' } }, 'map[metadata:map[labels:x]]', 'cannot restore map from string'],
    [
      { metadata: { labels: { a: 5 } } },
      'map[metadata:map[labels:map[a:5]]]',
      'cannot convert int64 to string',
    ],
    [
      { metadata: { finalizers: true } },
      'map[metadata:map[finalizers:true]]',
      'cannot restore slice from bool',
    ],
    [
      { metadata: { creationTimestamp: 'now' } },
      'map[metadata:map[creationTimestamp:now]]',
      'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ],
    [{ spec: { replicas: 'x' } }, 'map[spec:map[replicas:x]]', 'unrecognized type: int32'],
    [{ spec: { replicas: 1.5 } }, 'map[spec:map[replicas:1.5]]', 'cannot convert float64 to int32'],
    [{ spec: { paused: 'x' } }, 'map[spec:map[paused:x]]', 'unrecognized type: bool'],
    [
      container({ imagePullPolicy: 5 }),
      'map[spec:map[template:map[spec:map[containers:[map[imagePullPolicy:5 name:c]]]]]]',
      'cannot convert int64 to v1.PullPolicy',
    ],
  ])('%j is refused as Kubernetes does', async (body, shown, problem) => {
    const answer = await server.call('PATCH', `${deployment}?dryRun=All`, { body, contentType: STRATEGIC })
    const message = `Invalid value: "${shown}": ${problem}`
    expect(answer).toMatchObject({
      status: 422,
      body: {
        reason: 'Invalid',
        message: ` "" is invalid: patch: ${message}`,
        details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
      },
    })
  })

  test.each([
    [
      container({ name: undefined, image: 'x' }),
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      { spec: { $patch: [true, 'x'] } },
      'unknown patch type: [%!s(bool=true) x] in map: map[$patch:[true x]]',
    ],
    [container({ $patch: 'merge' }), 'merging lists cannot yet be specified in the patch'],
    [container({ $patch: 'other' }), 'unknown patch type: other in map: map[$patch:other name:c]'],
  ])('%j cannot be merged', async (body, message) => {
    const answer = await server.call('PATCH', `${deployment}?dryRun=All`, { body, contentType: STRATEGIC })
    expect(answer).toMatchObject({ status: 500, body: { message } })
  })
})

test('directives in a list that is replaced as a whole are unknown fields', async () => {
  const tolerations = [{ key: 'a', operator: 'Exists', $patch: 'delete' }]
  const body = { spec: { template: { spec: { tolerations } } } }
  const patch = (query: string) =>
    server.call('PATCH', `${deployment}?dryRun=All${query}`, { body, contentType: STRATEGIC })
  const taken = await patch('')
  expect(taken.body.spec.template.spec.tolerations).toEqual([{ key: 'a', operator: 'Exists' }])
  const field = 'unknown field "spec.template.spec.tolerations[0].$patch"'
  expect(taken.headers['warning']).toContain(JSON.stringify(field))
  const refused = await patch('&fieldValidation=Strict')
  expect(refused.status).toBe(422)
  expect(refused.body.message).toContain(`strict decoding error: ${field}`)
})

describe('an apply that fits the schema and not the types of the fields', () => {
  const limited = (limits: object) => ({ containers: [{ name: 'a', image: 'a', resources: { limits } }] })
  test.each<[string, string, object, string]>([
    [
      'configmaps',
      'v1, Kind=ConfigMap',
      { metadata: { creationTimestamp: '2020-13-01T00:00:00Z' } },
      'parsing time "2020-13-01T00:00:00Z": month out of range',
    ],
    [
      'secrets',
      'v1, Kind=Secret',
      { metadata: {}, data: { a: '!' } },
      'error decoding from json: illegal base64 data at input byte 0',
    ],
    [
      'pods',
      'v1, Kind=Pod',
      { metadata: {}, spec: limited({ cpu: 'much' }) },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('is refused by the type of the object in %s', async (plural, type, object, problem) => {
    const [apiVersion, kind] = type.split(', Kind=')
    const path = `/api/v1/namespaces/${server.namespace}/${plural}/unconverted?fieldManager=m&dryRun=All`
    for (const namespace of [undefined, server.namespace]) {
      const { metadata, ...rest } = object as { metadata: object }
      const body = { apiVersion, kind, metadata: { name: 'unconverted', namespace, ...metadata }, ...rest }
      const answer = await server.call('PATCH', path, { body, contentType: APPLY })
      const place = `${namespace ?? ''}/unconverted; /${type}`
      const message = `failed to convert new object (${place}) to proper version: unable to convert unstructured object to /${type}: ${problem}`
      expect([answer.status, answer.body.message]).toEqual([500, message])
    }
  })
})

describe('a JSON patch that cannot be read', () => {
  test.each([
    [[{ op: 5, path: '/spec' }], 'op', 'number'],
    [[{ op: 'remove', path: ['spec'] }], 'path', 'array'],
    [[{ op: 'move', from: true, path: '/spec' }], 'from', 'bool'],
  ])('%j is refused with its field', async (body, field, kind) => {
    const answer = await server.call('PATCH', deployment, {
      body,
      contentType: 'application/json-patch+json',
    })
    const problem = `json: cannot unmarshal ${kind} into Go struct field jsonPatchOp.${field} of type string`
    expect(answer).toMatchObject({ status: 400, body: { message: `error decoding patch: ${problem}` } })
  })
})

describe('a value of another type than its field', () => {
  test.each([
    [
      'deployments',
      'apps/v1',
      { spec: { strategy: { type: 5 } } },
      'number into Go struct field DeploymentStrategy.spec.strategy.type of type v1.DeploymentStrategyType',
    ],
    [
      'ingresses',
      'networking.k8s.io/v1',
      { spec: { rules: [{ http: { paths: 'x' } }] } },
      'string into Go struct field HTTPIngressRuleValue.spec.rules.IngressRuleValue.http.paths of type []v1.HTTPIngressPath',
    ],
  ])('of %s is refused by the name of its type', async (plural, version, body, problem) => {
    const path = `/apis/${version}/namespaces/${server.namespace}/${plural}`
    const answer = await server.call('POST', path, { body: { metadata: { name: 'x' }, ...body } })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(`json: cannot unmarshal ${problem}`)
  })
})

describe('a timestamp that cannot be parsed', () => {
  const wrong = { creationTimestamp: '2020-13-01T00:00:00Z' }
  const problem = 'parsing time "2020-13-01T00:00:00Z": month out of range'
  const inner = { apiVersion: 'v1', kind: 'Inner', metadata: wrong }

  test('of a native object is refused by its kind', async () => {
    const path = `/api/v1/namespaces/${server.namespace}/configmaps`
    const answer = await server.call('POST', path, { body: { metadata: { name: 'x', ...wrong } } })
    const message = `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${problem}`
    expect(answer).toMatchObject({ status: 400, body: { message } })
  })

  test('of a custom object is refused by its kind', async () => {
    const answer = await server.call('POST', holders, { body: holder('x', {}, wrong) })
    const message = `Holder in version "v1" cannot be handled as a Holder: ${problem}`
    expect(answer).toMatchObject({ status: 400, body: { message } })
  })

  test.each([
    [{ resource: inner }, 'spec.resource.metadata'],
    [{ resources: [inner] }, 'spec.resources[0].metadata'],
  ])('of a resource inside a custom object is refused by its place: %j', async (spec, place) => {
    const why = `Invalid value: {"creationTimestamp":"2020-13-01T00:00:00Z"}: ${problem}`
    const created = await server.call('POST', holders, { body: holder('x', spec) })
    const message = `Holder in version "v1" cannot be handled as a Holder: ${place}: ${why}`
    expect(created).toMatchObject({ status: 400, body: { message } })
    const applied = await server.call('PATCH', `${holders}/x?fieldManager=m`, {
      body: holder('x', spec),
      contentType: APPLY,
    })
    expect(applied).toMatchObject({
      status: 422,
      body: {
        reason: 'Invalid',
        details: { name: 'x', causes: [{ reason: 'FieldValueInvalid', message: why, field: place }] },
      },
    })
  })

  test('of a custom object is left out of an apply', async () => {
    const path = `${holders}/left-out?fieldManager=m`
    const applied = await server.call('PATCH', path, {
      body: holder('left-out', {}, wrong),
      contentType: APPLY,
    })
    expect(applied.status).toBe(201)
    expect(applied.body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT/)
  })
})

test.each<[string, object, string]>([
  ['has a time that cannot be parsed', { metadata: { creationTimestamp: 'now' } }, 'parsing time "now"'],
  ['has an unknown field', { a: 1, spec: { z: 1, b: 2 } }, 'strict decoding error: unknown field "a"'],
])('a merge patch whose result %s shows the custom object with sorted keys', async (_, body, problem) => {
  await server.call('POST', holders, {
    body: holder('sorted', { resource: { kind: 'A', apiVersion: 'v1' } }),
  })
  const answer = await server.call('PATCH', `${holders}/sorted?dryRun=All&fieldValidation=Strict`, { body })
  expect(answer.status).toBe(422)
  const [, shown = '""', why = ''] =
    /^ "" is invalid: patch: Invalid value: ("(?:[^"\\]|\\.)*"): (.*)$/s.exec(answer.body.message) ?? []
  const text: string = JSON.parse(shown)
  expect(text).toBe(JSON.stringify(withSortedKeys(JSON.parse(text))))
  expect(why).toContain(problem)
})

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, withSortedKeys(part)]))
}

test('the version of a custom object that stands twice must be a text both times', async () => {
  const body = `{"apiVersion":1,"kind":"Holder","metadata":{"name":"twice"},"apiVersion":"${GROUP}/v1"}`
  const answer = await server.call('POST', `${holders}?dryRun=All&fieldValidation=Ignore`, { body })
  expect(answer.status).toBe(400)
  expect(answer.body.message).toContain(
    'cannot unmarshal number into Go struct field .apiVersion of type string',
  )
})

describe('a custom object of another kind', () => {
  const other = { kind: 'Other', metadata: { labels: { 'a b': 'c' } } }

  test('is refused on create for its kind, whatever its metadata say', async () => {
    const body = {
      ...holder('other', {}),
      kind: 'Other',
      metadata: { name: 'other', labels: { 'a b': 'c' } },
    }
    const answer = await server.call('POST', `${holders}?dryRun=All`, { body })
    expect(answer).toMatchObject({ status: 422, body: { details: { kind: 'Other' } } })
    expect(answer.body.details.causes).toEqual([
      { reason: 'FieldValueInvalid', message: 'Invalid value: "Other": must be Holder', field: 'kind' },
    ])
  })

  test('is refused on update for its metadata as well', async () => {
    await server.call('POST', holders, { body: holder('kept', {}) })
    const answer = await server.call('PATCH', `${holders}/kept?dryRun=All`, { body: other })
    expect(answer.status).toBe(422)
    const fields = answer.body.details.causes.map(({ field }: { field: string }) => field)
    expect(new Set(fields)).toEqual(new Set(['metadata.labels', 'kind']))
  })
})
