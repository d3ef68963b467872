import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'

/** Names that every JavaScript object inherits. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'
const GROUP = 'prototype.example.com'

let env: TestEnvironment
beforeAll(async () => {
  env = await TestEnvironment.start()
})
afterAll(() => env.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

async function call(
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ code: number; body: any }> {
  const answer = await env.call(method, path, { body, headers: { 'user-agent': 'test', ...headers } })
  expect(answer.code, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(500)
  return answer
}

const patch = (type: string, path: string, body: unknown): Promise<{ code: number; body: any }> =>
  call('PATCH', path, body, { 'content-type': type })

/** An object with one key of any name. */
function keyed(name: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([[name, value]])
}

let count = 0
const maps = '/api/v1/namespaces/default/configmaps'

async function configMap(more: object = {}): Promise<string> {
  const name = `m${++count}`
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more }
  expect((await call('POST', maps, body)).code).toBe(201)
  return `${maps}/${name}`
}

describe.each(NAMES)('%s', (name) => {
  it('as a header is a header: of an impersonated user, or unknown', async () => {
    const headers = { 'impersonate-user': 'jane', [`impersonate-extra-${name.toLowerCase()}`]: 'x' }
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const { code, body } = await call(
      'POST',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      review,
      headers,
    )
    expect(code).toBe(201)
    expect(Object.entries(body.status.userInfo.extra)).toEqual([[name.toLowerCase(), ['x']]])
    expect(
      (await call('GET', maps, undefined, { [name.toLowerCase()]: 'x', 'impersonate-user': name })).code,
    ).toBe(403)
  })

  it('as a parameter of a query, or in a selector there, matches nothing', async () => {
    expect((await call('GET', `${maps}?${name}=x`)).code).toBe(200)
    for (const selector of [name, `${name}=x`, `${name} in (x)`]) {
      const { body } = await call('GET', `${maps}?labelSelector=${encodeURIComponent(selector)}`)
      expect(body.items ?? []).toEqual([])
    }
    for (const field of [name, `metadata.${name}`, `${name}.name`]) {
      expect((await call('GET', `${maps}?fieldSelector=${encodeURIComponent(`${field}=x`)}`)).code).toBe(400)
    }
    for (const option of [
      'fieldValidation',
      'propagationPolicy',
      'resourceVersionMatch',
      'dryRun',
      'continue',
    ]) {
      await call('GET', `${maps}?${option}=${name}`)
      await call('DELETE', `${maps}/nothing?${option}=${name}`)
      await call('POST', `${maps}?${option}=${name}`, { metadata: { name: 'x' } })
    }
  })

  it('as part of a path is a name that does not exist', async () => {
    for (const path of [
      `/${name}`,
      `/api/${name}`,
      `/api/v1/${name}`,
      `/apis/${name}`,
      `/apis/${name}/v1`,
      `/apis/${name}/v1/things`,
      `/apis/apps/${name}`,
      `/apis/apps/v1/${name}`,
      `/api/v1/namespaces/${name}/configmaps/${name}`,
      `${maps}/${name}`,
      `${maps}/m/${name}`,
      `/openapi/v3/apis/${name}/v1`,
      `/openapi/v3/${name}`,
      `/healthz/${name}`,
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const { code } = await call(method, path, method === 'GET' ? undefined : {})
        expect(code, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      }
    }
  })

  it('as kind, version, type or media type of a body is refused', async () => {
    for (const body of [
      { apiVersion: 'v1', kind: name },
      { apiVersion: name, kind: 'ConfigMap' },
      { apiVersion: `${name}/v1`, kind: name },
      keyed(name, { name: 'x' }),
    ]) {
      expect((await call('POST', maps, body)).code).toBeGreaterThanOrEqual(400)
    }
    expect((await call('POST', maps, {}, { 'content-type': name })).code).toBe(415)
    await call('GET', maps, undefined, { accept: name })
    await call('GET', maps, undefined, { accept: `application/json;as=${name};v=${name};g=${name}` })
  })

  it('as a key of labels, annotations and data is kept, and selected by', async () => {
    const texts = keyed(name, 'x')
    // A label or annotation begins with a letter or digit.
    const labels = name.startsWith('_') ? {} : texts
    const path = await configMap({ data: texts })
    const key = path.slice(path.lastIndexOf('/') + 1)
    const labelled = await patch(MERGE, path, { metadata: { labels: texts, annotations: texts } })
    expect(labelled.code).toBe(name.startsWith('_') ? 422 : 200)
    const { body } = await call('GET', path)
    expect(Object.entries(body.data)).toEqual([[name, 'x']])
    expect(Object.entries(body.metadata.labels ?? {})).toEqual(Object.entries(labels))
    if (!name.startsWith('_')) {
      const found = await call('GET', `${maps}?labelSelector=${name}%3Dx`)
      expect(found.body.items.map((item: any) => item.metadata.name)).toEqual([key])
      const others = await call('GET', `${maps}?labelSelector=%21${name}`)
      expect(others.body.items.map((item: any) => item.metadata.name)).not.toContain(key)
    }
    await call('DELETE', path)
  })

  it('in patches is a key like any other', async () => {
    const path = await configMap()
    expect((await patch(MERGE, path, { data: keyed(name, 'merged') })).code).toBe(200)
    expect((await patch(STRATEGIC, path, { data: keyed(name, 'strategic') })).code).toBe(200)
    expect(Object.entries((await call('GET', path)).body.data)).toEqual([[name, 'strategic']])
    expect(
      (await patch(JSON_PATCH, path, [{ op: 'replace', path: `/data/${name}`, value: 'json' }])).code,
    ).toBe(200)
    expect(Object.entries((await call('GET', path)).body.data)).toEqual([[name, 'json']])
    expect((await patch(JSON_PATCH, path, [{ op: 'remove', path: `/data/${name}` }])).code).toBe(200)
    expect((await call('GET', path)).body.data).toBeUndefined()
    for (const at of [
      `/${name}`,
      `/${name}/polluted`,
      `/metadata/${name}/polluted`,
      `/data/${name}/polluted`,
    ]) {
      for (const op of ['add', 'replace', 'remove', 'test'])
        await patch(JSON_PATCH, path, [{ op, path: at, value: 'x' }])
      await patch(JSON_PATCH, path, [{ op: 'copy', from: at, path: '/data' }])
      await patch(JSON_PATCH, path, [{ op: name, path: at }])
    }
    await patch(MERGE, path, keyed(name, { polluted: true }))
    await patch(STRATEGIC, path, keyed(name, { $patch: name }))
    await patch(STRATEGIC, path, { [`$deleteFromPrimitiveList/${name}`]: ['x'] })
    // The kind has no such list, so its order is refused, with Kubernetes' message.
    const ordered = await env.call('PATCH', path, {
      body: { [`$setElementOrder/${name}`]: ['x'] },
      headers: { 'user-agent': 'test', 'content-type': STRATEGIC },
    })
    expect(ordered.body.message).toBe(
      `unable to find api field in struct ConfigMap for the json field "${name}"`,
    )
    expect(({} as any).polluted).toBeUndefined()
  })

  it('in an apply belongs to its manager', async () => {
    const path = await configMap()
    const apply = (manager: string, data: object): Promise<{ code: number; body: any }> =>
      patch(APPLY, `${path}?fieldManager=${manager}`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: path.slice(path.lastIndexOf('/') + 1) },
        data,
      })
    expect((await apply('one', keyed(name, 'x'))).code).toBe(200)
    const conflict = await apply('two', keyed(name, 'y'))
    expect(conflict.code).toBe(409)
    expect(conflict.body.details.causes[0].field).toBe(`.data.${name}`)
    const { body } = await apply('one', {})
    expect(body.data).toBeUndefined()
    await patch(APPLY, `${path}?fieldManager=${name}`, keyed(name, 'x'))
  })

  it('in a Pod, a Service, a role and a webhook is an ordinary name', async () => {
    const container = {
      name: 'c',
      image: 'i',
      env: [
        { name, value: 'x' },
        { name: 'E', valueFrom: { configMapKeyRef: { name: 'm', key: name } } },
      ],
      ports: [{ name: name.toLowerCase().replaceAll('_', ''), containerPort: 80 }],
      resources: { limits: keyed(name, '1') },
      volumeMounts: [{ name, mountPath: '/x' }],
    }
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${++count}` },
      spec: {
        containers: [container],
        nodeSelector: keyed(name, 'x'),
        volumes: [{ name, configMap: { name: 'm', items: [{ key: name, path: name }] } }, keyed(name, {})],
        overhead: keyed(name, '1'),
        priorityClassName: name,
        runtimeClassName: name,
        serviceAccountName: name,
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: name, whenUnsatisfiable: name }],
      },
    }
    await call('POST', '/api/v1/namespaces/default/pods', pod)
    for (const [field, value] of Object.entries(pod.spec)) {
      const spec = { containers: [{ name: 'c', image: 'i' }], [field]: value }
      await call('POST', '/api/v1/namespaces/default/pods?dryRun=All', { ...pod, spec })
    }
    const rules = [
      { apiGroups: [name], resources: [name, `pods/${name}`], verbs: [name], resourceNames: [name] },
    ]
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await call('POST', `${rbac}/clusterroles`, { metadata: { name }, rules })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
    const subjects = [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }]
    await call('POST', `${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects })
    const review = {
      spec: { user: name, extra: keyed(name, ['x']), resourceAttributes: { verb: name, resource: name } },
    }
    await call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review)
    const service = {
      metadata: { name: `s${++count}` },
      spec: { selector: keyed(name, 'x'), ports: [{ port: 80 }] },
    }
    await call('POST', '/api/v1/namespaces/default/services', service)
    const quota = { metadata: { name: `q${++count}` }, spec: { hard: keyed(name, '1'), scopes: [name] } }
    await call('POST', '/api/v1/namespaces/default/resourcequotas', quota)
    const secret = { metadata: { name: `x${++count}` }, type: name, data: keyed(name, 'YQ==') }
    expect((await call('POST', '/api/v1/namespaces/default/secrets', secret)).code).toBe(201)
  })

  it('is a property, a key and a plural of custom kinds, and a field of their rules', async () => {
    const plural = name.toLowerCase().replaceAll('_', '')
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: keyed(name, { type: 'string', default: 'filled', maxLength: 9 }),
          // A rule writes the two underscores of a name as `__underscores__`.
          'x-kubernetes-validations': [{ rule: `self.${name.replaceAll('__', '__underscores__')} != 'bad'` }],
        },
        map: {
          type: 'object',
          additionalProperties: { type: 'integer' },
          'x-kubernetes-validations': [{ rule: 'self.all(key, self[key] < 5)' }],
        },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': [name],
          items: { type: 'object', required: [name], properties: keyed(name, { type: 'string' }) },
        },
      },
    }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural, singular: plural, kind: `K${plural}`, listKind: `K${plural}List` },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            additionalPrinterColumns: [{ name, type: 'string', jsonPath: `.spec.${name}` }],
          },
        ],
      },
    }
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const made = await call('POST', definitions, definition)
    expect(made.body.message ?? '').toBe('')
    const path = `/apis/${GROUP}/v1/namespaces/default/${plural}`
    const object = (more: object): object => ({
      apiVersion: `${GROUP}/v1`,
      kind: `K${plural}`,
      metadata: { name: `o${++count}` },
      ...more,
    })
    const filled = await call(
      'POST',
      path,
      object({ spec: {}, map: keyed(name, 3), list: [keyed(name, 'x')] }),
    )
    expect(filled.code).toBe(201)
    expect(Object.entries(filled.body.spec)).toEqual([[name, 'filled']])
    expect(Object.entries(filled.body.map)).toEqual([[name, 3]])
    expect((await call('POST', path, object({ spec: keyed(name, 'bad') }))).code).toBe(422)
    expect((await call('POST', path, object({ spec: keyed(name, 'much too long') }))).code).toBe(422)
    expect((await call('POST', path, object({ map: keyed(name, 7) }))).code).toBe(422)
    const twice = object({ list: [keyed(name, 'x'), keyed(name, 'x')] })
    expect((await call('POST', path, twice)).code).toBe(422)
    await call('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })
    await call('GET', `/openapi/v3/apis/${GROUP}/v1`)
    await call('POST', definitions, {
      ...definition,
      metadata: { name: `${name}.${name}` },
      spec: { ...definition.spec, group: name, names: { plural: name, kind: name } },
    })
  })
})
