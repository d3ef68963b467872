import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

const GROUP = 'life.example.com'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

interface Version {
  readonly name: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly properties?: object
  readonly more?: object
}

interface Names {
  readonly plural: string
  readonly kind: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly listKind?: string
}

function definition(names: Names, versions: readonly Version[], more: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names,
      versions: versions.map(({ name, served = true, storage = false, properties = {}, more: rest }) => ({
        name,
        served,
        storage,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        ...rest,
      })),
      ...more,
    },
  }
}

const one = (names: Names, properties: object = {}, more: object = {}): object =>
  definition(names, [{ name: 'v1', storage: true, properties, more }])

let server: TestServer
const made: string[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const plural of made) await server?.call('DELETE', `${DEFINITIONS}/${plural}.${GROUP}`)
  await server?.close()
})

/** Makes a definition and waits until its names have been judged, and it is established if they were accepted. */
async function define(body: object): Promise<void> {
  const { names } = (body as { spec: { names: Names } }).spec
  made.push(names.plural)
  const { status, body: answer } = await server.call('POST', DEFINITIONS, { body })
  expect(status, JSON.stringify(answer)).toBe(201)
  const path = `${DEFINITIONS}/${names.plural}.${GROUP}`
  const judged = await server.until(`${names.plural} are judged`, async () => {
    const { body: now } = await server.call('GET', path)
    const conditions = now.status?.conditions as { type: string; status: string }[] | undefined
    const has = (wanted: string, value: string): boolean =>
      conditions?.some(({ type, status: is }) => type === wanted && is === value) ?? false
    return has('Established', 'True') || has('NamesAccepted', 'False') ? now : undefined
  })
  const established = judged.status.conditions.some(
    ({ type, status: value }: { type: string; status: string }) => type === 'Established' && value === 'True',
  )
  if (!established) return
  for (const { name, served } of judged.spec.versions as Version[]) {
    if (!served) continue
    await server.until(`${names.plural} are served`, async () => {
      const list = await server.call(
        'GET',
        `/apis/${GROUP}/${name}/namespaces/${server.namespace}/${names.plural}`,
      )
      return list.status === 200
    })
  }
}

const objects = (plural: string, version = 'v1') => `/apis/${GROUP}/${version}/~/${plural}`
const object = (kind: string, name: string, more: object = {}, version = 'v1') => ({
  apiVersion: `${GROUP}/${version}`,
  kind,
  metadata: { name, namespace: '~' },
  ...more,
})

const recorded = (title: string): string => new URL(`recorded/${title}.json`, import.meta.url).pathname

/** The conditions of a definition without their times, by type. */
async function conditions(plural: string): Promise<object[]> {
  const { body } = await server.call('GET', `${DEFINITIONS}/${plural}.${GROUP}`)
  return (body.status.conditions as Record<string, string>[])
    .map(({ type, status, reason, message }) => ({ type, status, reason, message }))
    .toSorted((a, b) => (a['type']! < b['type']! ? -1 : 1))
}

test('names that another definition has are not accepted', async () => {
  await define(one({ plural: 'firsts', kind: 'First', shortNames: ['fst'] }))
  await define(one({ plural: 'seconds', kind: 'Second', shortNames: ['fst'] }))
  await define(one({ plural: 'thirds', kind: 'First' }))
  await define(one({ plural: 'fourths', kind: 'Fourth', singular: 'first' }))
  await define(one({ plural: 'fifths', kind: 'Fifth', listKind: 'FirstList' }))
  expect(await conditions('seconds')).toEqual([
    { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
    {
      type: 'NamesAccepted',
      status: 'False',
      reason: 'ShortNamesConflict',
      message: '"fst" is already in use',
    },
  ])
  for (const [plural, reason, name] of [
    ['thirds', 'ListKindConflict', 'FirstList'],
    ['fourths', 'SingularConflict', 'first'],
    ['fifths', 'ListKindConflict', 'FirstList'],
  ] as const) {
    expect(await conditions(plural)).toContainEqual({
      type: 'NamesAccepted',
      status: 'False',
      reason,
      message: `"${name}" is already in use`,
    })
  }
  const { body } = await server.call('GET', `${DEFINITIONS}/seconds.${GROUP}`)
  expect(body.status.acceptedNames).toEqual({
    plural: 'seconds',
    singular: 'second',
    kind: 'Second',
    listKind: 'SecondList',
  })
})

test('names that become free are accepted', async () => {
  await define(one({ plural: 'holders', kind: 'Holder', shortNames: ['hld'] }))
  await define(one({ plural: 'waiters', kind: 'Waiter', shortNames: ['hld'] }))
  await server.call('DELETE', `${DEFINITIONS}/holders.${GROUP}`)
  await server.until('the names are accepted', async () => {
    const found = await conditions('waiters')
    return found.some(
      (condition) =>
        'type' in condition &&
        condition.type === 'Established' &&
        'status' in condition &&
        condition.status === 'True',
    )
  })
  const { body } = await server.call('GET', `${DEFINITIONS}/waiters.${GROUP}`)
  expect(body.status.acceptedNames.shortNames).toEqual(['hld'])
})

test('several versions are served of one object', async () => {
  await define(
    definition({ plural: 'versioneds', kind: 'Versioned' }, [
      {
        name: 'v1',
        storage: true,
        properties: { a: { type: 'string' }, both: { type: 'integer', default: 1 } },
      },
      {
        name: 'v2',
        properties: { b: { type: 'string', default: 'two' }, both: { type: 'integer', default: 2 } },
      },
      { name: 'v3', served: false },
    ]),
  )
  const path = `${DEFINITIONS}/versioneds.${GROUP}`
  const steps: Step[] = [
    {
      say: 'made in one',
      method: 'POST',
      path: objects('versioneds'),
      body: object('Versioned', 'a', { spec: { a: 'x' } }),
    },
    { say: 'read in the other', method: 'GET', path: `${objects('versioneds', 'v2')}/a` },
    {
      say: 'made in the other',
      method: 'POST',
      path: objects('versioneds', 'v2'),
      body: object('Versioned', 'b', { spec: { b: 'y' } }, 'v2'),
    },
    { say: 'read in the first', method: 'GET', path: `${objects('versioneds')}/b` },
    {
      say: 'a version that is not served',
      method: 'GET',
      path: `${objects('versioneds', 'v3')}/a`,
      reasonOnly: true,
    },
    {
      say: 'the wrong version in a body',
      method: 'POST',
      path: objects('versioneds', 'v2'),
      body: object('Versioned', 'c'),
    },
  ]
  await expect(await transcript(server, steps)).toMatchFileSnapshot(recorded('several-versions'))
  // A field that the storage version does not know is lost, in whatever version it was written.
  const changed = await server.call(
    'PATCH',
    `/apis/${GROUP}/v2/namespaces/${server.namespace}/versioneds/a`,
    { body: { spec: { b: 'z' } } },
  )
  expect([changed.status, changed.body.apiVersion, changed.body.spec]).toEqual([
    200,
    `${GROUP}/v2`,
    { both: 1 },
  ])
  const removed = [
    { op: 'remove', path: '/spec/versions/0' },
    { op: 'replace', path: '/spec/versions/0/storage', value: true },
  ]
  const refused = await server.call('PATCH', path, {
    contentType: 'application/json-patch+json',
    body: removed,
  })
  expect([refused.status, refused.body.message]).toEqual([
    422,
    `CustomResourceDefinition.apiextensions.k8s.io "versioneds.${GROUP}" is invalid: status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions`,
  ])
  const switched = await server.call('PATCH', path, {
    contentType: 'application/json-patch+json',
    body: [
      { op: 'replace', path: '/spec/versions/0/storage', value: false },
      { op: 'replace', path: '/spec/versions/1/storage', value: true },
    ],
  })
  expect(switched.body.status.storedVersions).toEqual(['v1', 'v2'])
  const status = await server.call('PATCH', `${path}/status`, {
    body: { status: { storedVersions: ['v2'] } },
  })
  expect(status.body.status.storedVersions).toEqual(['v2'])
})

test('what cannot change in a definition', async () => {
  await define(one({ plural: 'fixeds', kind: 'Fixed' }))
  const change = (say: string, body: object): Step => ({
    say,
    method: 'PATCH',
    path: `${DEFINITIONS}/fixeds.${GROUP}`,
    body,
  })
  const steps: Step[] = [
    change('the scope', { spec: { scope: 'Cluster' } }),
    change('the kind', { spec: { names: { kind: 'Other' } } }),
    change('the plural', { spec: { names: { plural: 'others' } } }),
    change('the group', { spec: { group: 'other.example.com' } }),
    change('no versions', { spec: { versions: [] } }),
    change('a conversion without a webhook', { spec: { conversion: { strategy: 'Webhook' } } }),
    change('preserving all', { spec: { preserveUnknownFields: true } }),
    {
      say: 'no version',
      method: 'PUT',
      path: `${DEFINITIONS}/fixeds.${GROUP}`,
      body: one({ plural: 'fixeds', kind: 'Fixed' }),
    },
    {
      say: 'another name',
      method: 'POST',
      path: DEFINITIONS,
      body: { ...one({ plural: 'misnamed', kind: 'Misnamed' }), metadata: { name: 'other.example.com' } },
    },
    {
      say: 'a group of Kubernetes',
      method: 'POST',
      path: DEFINITIONS,
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'things.life.k8s.io' },
        spec: {
          group: 'life.k8s.io',
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      },
    },
  ]
  await expect(await transcript(server, steps)).toMatchFileSnapshot(recorded('definitions-in-use'))
})

test('an approved group of Kubernetes is said to be so', async () => {
  const name = 'approveds.life.k8s.io'
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1' },
    },
    spec: {
      group: 'life.k8s.io',
      scope: 'Cluster',
      names: { plural: 'approveds', kind: 'Approved' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  }
  expect((await server.call('POST', DEFINITIONS, { body })).status).toBe(201)
  const condition = await server.until('the approval is judged', async () => {
    const { body: now } = await server.call('GET', `${DEFINITIONS}/${name}`)
    return (now.status?.conditions as { type: string }[] | undefined)?.find(
      ({ type }) => type === 'KubernetesAPIApprovalPolicyConformant',
    )
  })
  expect(condition).toMatchObject({
    status: 'True',
    reason: 'ApprovedAnnotation',
    message: 'approved in https://github.com/kubernetes/kubernetes/pull/1',
  })
  await server.call('DELETE', `${DEFINITIONS}/${name}`)
  // Its group looks like one of Kubernetes itself: no other test is to see it.
  await server.until('the group is gone from all documents', async () => {
    const asked: [string, string?][] = [['/apis'], ['/apis', AGGREGATED], ['/openapi/v3', '*/*']]
    for (const [path, accept] of asked) {
      const { body: document } = await server.call('GET', path, { accept })
      if (JSON.stringify(document).includes('life.k8s.io')) return false
    }
    return true
  })
})

test('objects can be selected by the fields that a definition names', async () => {
  await define(
    one(
      { plural: 'selectables', kind: 'Selectable' },
      { color: { type: 'string' }, size: { type: 'integer' }, on: { type: 'boolean' } },
      {
        selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }, { jsonPath: '.spec.on' }],
      },
    ),
  )
  const path = objects('selectables')
  const names = async (selector: string): Promise<string[]> => {
    const answer = await server.call(
      'GET',
      `${path.replace('~', `namespaces/${server.namespace}`)}?fieldSelector=${encodeURIComponent(selector)}`,
    )
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
  }
  const create = (name: string, fields: object) =>
    server.call('POST', path.replace('~', `namespaces/${server.namespace}`), {
      body: { apiVersion: `${GROUP}/v1`, kind: 'Selectable', metadata: { name }, spec: fields },
    })
  await create('a', { color: 'red', size: 1, on: true })
  await create('b', { color: 'blue', size: 2 })
  await create('c', {})
  expect(await names('spec.color=red')).toEqual(['a'])
  expect(await names('spec.color!=red')).toEqual(['b', 'c'])
  expect(await names('spec.size=2')).toEqual(['b'])
  expect(await names('spec.on=true,spec.color=red')).toEqual(['a'])
  expect(await names('spec.color=')).toEqual(['c'])
  expect(await names('spec.color=red,metadata.name=b')).toEqual([])
  const steps: Step[] = [
    { say: 'a field that is not named', method: 'GET', path: `${path}?fieldSelector=spec.shape%3Dround` },
    { say: 'all that are selected go', method: 'DELETE', path: `${path}?fieldSelector=spec.color%3Dblue` },
    { say: 'the rest', method: 'GET', path },
  ]
  await expect(await transcript(server, steps)).toMatchFileSnapshot(recorded('selectable-fields'))
})

test('a definition that is deleted takes its objects with it, when they can go', async () => {
  await define(one({ plural: 'leavings', kind: 'Leaving' }))
  const path = `/apis/${GROUP}/v1/namespaces/${server.namespace}/leavings`
  const create = (name: string, finalizers: readonly string[], query = '') =>
    server.call('POST', `${path}${query}`, {
      body: { apiVersion: `${GROUP}/v1`, kind: 'Leaving', metadata: { name, finalizers } },
    })
  await create('free', [])
  await create('held', ['life.example.com/hold'])
  const deleted = await server.call('DELETE', `${DEFINITIONS}/leavings.${GROUP}`)
  expect(deleted.status).toBe(200)
  await server.until(
    'the free one is gone',
    async () => (await server.call('GET', `${path}/free`)).status === 404,
  )
  const held = await server.until('the held one is being deleted', async () => {
    const { body } = await server.call('GET', `${path}/held`)
    return body.metadata?.deletionTimestamp ? body : undefined
  })
  expect(held.metadata.finalizers).toEqual(['life.example.com/hold'])
  const definitionNow = await server.call('GET', `${DEFINITIONS}/leavings.${GROUP}`)
  expect(definitionNow.body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
  const terminating = (await conditions('leavings')).find(
    (condition) => 'type' in condition && condition.type === 'Terminating',
  )
  expect(terminating).toMatchObject({ status: 'True' })
  await server.until(
    'nothing can be created',
    async () => (await create('late', [], '?dryRun=All')).status !== 201,
  )
  const refused = await create('late', [])
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'leavings.life.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
  ])
  await server.call('PATCH', `${path}/held`, { body: { metadata: { finalizers: null } } })
  await server.until('the definition is gone', async () => {
    return (await server.call('GET', `${DEFINITIONS}/leavings.${GROUP}`)).status === 404
  })
  await server.until('its path is gone', async () => (await server.call('GET', path)).status === 404)
})

test('a change of schema holds at once for writes', async () => {
  await define(one({ plural: 'changings', kind: 'Changing' }, { a: { type: 'string' } }))
  const path = `/apis/${GROUP}/v1/namespaces/${server.namespace}/changings`
  const create = (name: string, fields: object, query = '') =>
    server.call('POST', `${path}${query}`, {
      body: { apiVersion: `${GROUP}/v1`, kind: 'Changing', metadata: { name }, spec: fields },
    })
  expect((await create('old', { a: 'x', b: 'y' })).body.spec).toEqual({ a: 'x' })
  const changed = one(
    { plural: 'changings', kind: 'Changing' },
    { a: { type: 'string' }, b: { type: 'string', default: 'd' } },
  )
  const { spec } = changed as { spec: object }
  await server.call('PATCH', `${DEFINITIONS}/changings.${GROUP}`, { body: { spec } })
  await server.until('the new field is known', async () => {
    const { body } = await create('try', { b: 'y' }, '?dryRun=All')
    return body.spec?.b === 'y'
  })
  expect((await server.call('GET', `${path}/old`)).body.spec).toEqual({ a: 'x', b: 'd' })
})

test('a watch ends when the schema of its kind changes', async () => {
  await define(one({ plural: 'watcheds', kind: 'Watched' }, { a: { type: 'string' } }))
  const path = `/apis/${GROUP}/v1/namespaces/${server.namespace}/watcheds`
  await server.call('POST', path, {
    body: { apiVersion: `${GROUP}/v1`, kind: 'Watched', metadata: { name: 'w' }, spec: { a: 'x' } },
  })
  // Nothing else ends it within this time.
  const { status, body } = await server.transport.send({
    method: 'GET',
    path,
    query: new URLSearchParams({ watch: 'true', timeoutSeconds: '600' }),
    headers: { accept: 'application/json' },
  })
  expect(status).toBe(200)
  let ended = false
  const reading = (async () => {
    for await (const _ of body as AsyncIterable<Uint8Array>);
    ended = true
  })()
  const { spec } = one({ plural: 'watcheds', kind: 'Watched' }, { b: { type: 'string' } }) as { spec: object }
  await server.call('PATCH', `${DEFINITIONS}/watcheds.${GROUP}`, { body: { spec } })
  await server.until('the watch ends', async () => ended)
  await reading
})
