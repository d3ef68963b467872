import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ANONYMOUS } from '../conformance/anonymous.ts'
import { lines, recorded, startOperated, type AskOptions, type OperatedServer } from './operated-server.ts'

const templates = '/api/v1/namespaces/default/podtemplates'
const widgets = '/apis/metrics.example.com/v1/namespaces/default/widgets'
const template = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name },
  template: { spec: { containers: [{ name: 'a', image: 'b' }] } },
})
const widget = (name: string) => ({
  apiVersion: 'metrics.example.com/v1',
  kind: 'Widget',
  metadata: { name },
})
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.metrics.example.com' },
  spec: {
    group: 'metrics.example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
const apply = { headers: { 'content-type': 'application/apply-patch+yaml' } }
type Request = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: AskOptions,
]

/** The requests whose traces in the metrics are compared. */
const requests: readonly Request[] = [
  ['GET', templates],
  ['GET', '/api/v1/podtemplates'],
  ['GET', `${templates}?limit=bad`],
  ['GET', '/api/v1/podtemplates?fieldSelector=metadata.name=a'],
  ['GET', `${templates}/none`],
  ['POST', templates, { body: template('a') }],
  ['POST', templates, { body: template('a') }],
  ['POST', templates, { body: '{' }],
  ['POST', `${templates}?dryRun=All`, { body: template('b') }],
  ['POST', `${templates}?dryRun=All&dryRun=All`, { body: template('b') }],
  ['POST', `${templates}?dryRun=some`, { body: template('b') }],
  ['PUT', `${templates}/a`, { body: template('a') }],
  ['PUT', templates, { body: template('a') }],
  ['PATCH', `${templates}/a`, { body: { metadata: { labels: { a: 'b' } } }, ...merge }],
  ['PATCH', `${templates}/a?fieldManager=one`, { body: template('a'), ...apply }],
  ['PATCH', `${templates}/a`, { body: template('a'), ...apply }],
  ['GET', `${templates}/a`],
  ['GET', `${templates}/a/status`],
  ['GET', `${templates}/a`, { headers: { accept: 'application/vnd.kubernetes.protobuf' } }],
  ['GET', `${templates}?watch=1&timeoutSeconds=1`],
  ['GET', '/api/v1/watch/podtemplates?timeoutSeconds=1'],
  ['GET', `/api/v1/watch/namespaces/default/podtemplates/a?timeoutSeconds=1`],
  ['GET', `${templates}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=a`],
  ['GET', templates, { headers: { 'impersonate-user': 'jane' } }],
  ['GET', templates, { headers: { authorization: ANONYMOUS } }],
  ['GET', templates, { headers: { authorization: 'Bearer none' } }],
  ['DELETE', `${templates}/a`],
  ['DELETE', `${templates}/a`, { body: { kind: 'DeleteOptions', apiVersion: 'v1' } }],
  ['DELETE', templates],
  ['POST', widgets, { body: widget('a') }],
  ['GET', widgets],
  ['GET', `${widgets}/a`],
  ['GET', `${widgets}/a/status`],
  ['GET', `${widgets}/a/scale`],
  ['PUT', `${widgets}/a`, { body: widget('a') }],
  ['PATCH', `${widgets}/a/status`, { body: { status: { a: 1 } }, ...merge }],
  ['PATCH', `${widgets}/a?fieldManager=one&force=true`, { body: widget('a'), ...apply }],
  ['DELETE', `${widgets}/a`],
  ['DELETE', widgets],
  ['GET', '/apis/metrics.example.com/v1/nothings'],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/none/scale'],
  ['GET', '/api/v1/namespaces/default/pods/none/log'],
  ['GET', '/api/v1/namespaces/default/services/none/proxy/'],
  ['GET', '/api/v1/componentstatuses'],
  ['GET', '/livez'],
  ['POST', '/livez', { body: '' }],
  ['GET', '/healthz/ping'],
  ['GET', '/version'],
  ['GET', '/openapi/v2'],
  [
    'GET',
    '/apis',
    { headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } },
  ],
]

/** The families whose numbers depend on nothing but requests. */
const COUNTED = [
  'apiserver_request_total',
  'apiserver_request_duration_seconds_count',
  'apiserver_request_sli_duration_seconds_count',
  'apiserver_response_sizes_count',
  'apiserver_request_body_size_bytes_count',
  'apiserver_request_body_size_bytes_sum',
  'apiserver_longrunning_requests',
  'apiserver_watch_events_total',
  'apiserver_watch_events_sizes_count',
  'apiserver_requested_deprecated_apis',
  'apiserver_storage_objects',
  'apiserver_resource_objects',
]
/** Requests that a real server sends to itself are left out. */
const CONCERNED =
  /resource="(?:podtemplates|widgets|componentstatuses|deployments|pods|services|podtemplates)[^"]*"|subresource="(?:\/livez|\/healthz|apis)"/

let server: OperatedServer
beforeAll(async () => {
  server = await startOperated([])
  await server.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition })
  const isServed = async () => {
    const { status } = await server.ask('GET', widgets)
    if (status !== 200) throw new Error(`widgets are answered with ${status}`)
  }
  await vi.waitFor(isServed, { timeout: 60_000 })
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function series(): Promise<Map<string, number>> {
  const { text } = await server.ask('GET', '/metrics')
  const found = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    found.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

function families(text: string): Record<string, readonly string[]> {
  const found = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)]
  return Object.fromEntries(found.map(([, name, help, type]) => [name, [type, help]]))
}

describe('the metrics', () => {
  test('count requests as kube-apiserver does', async () => {
    const before = await series()
    for (const [method, path, options] of requests) await server.ask(method, path, options)
    const after = await series()
    const changed = [...after]
      .filter(([name]) => COUNTED.some((family) => name.startsWith(`${family}{`)) && CONCERNED.test(name))
      .map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
      .filter(([name, value]) => value !== 0 || /longrunning/.test(name))
      .filter(([name]) => !/longrunning.*"(?:deployments|services|pods)".*WATCH/.test(name))
      .map(([name, value]) => `${name} ${value}`)
    await expect(lines(changed.sort())).toMatchFileSnapshot(recorded('metrics-requests'))
  })

  test('have the names, types and descriptions of kube-apiserver', async () => {
    const { text, headers } = await server.ask('GET', '/metrics')
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=underscores')
    const file = recorded('metrics-families')
    const own = families(text)
    if (server.name === 'kubernetes') {
      const kept = Object.entries(own).filter(
        ([name]) => !/^(?:go|rest_client|workqueue|grpc|etcd)_/.test(name),
      )
      await expect(lines(Object.fromEntries(kept))).toMatchFileSnapshot(file)
      return
    }
    const real = JSON.parse(readFileSync(file, 'utf8'))
    expect(own).toEqual(Object.fromEntries(Object.keys(own).map((name) => [name, real[name]])))
    expect(Object.keys(own).length).toBeGreaterThan(20)
  })

  test('have the same series in the same order, with the same buckets', async () => {
    const { text } = await server.ask('GET', '/metrics')
    const of = (start: string) =>
      text.split('\n').flatMap((line) => (line.startsWith(start) ? [line.replace(/ \S+$/, '')] : []))
    const buckets = [
      ...of(
        'apiserver_request_duration_seconds_bucket{component="apiserver",dry_run="",group="",resource="podtemplates",scope="namespace",subresource="",verb="LIST"',
      ),
      ...of(
        'apiserver_request_sli_duration_seconds_bucket{component="apiserver",group="",resource="podtemplates",scope="namespace",subresource="",verb="LIST"',
      ),
      ...of(
        'apiserver_response_sizes_bucket{component="apiserver",group="",resource="podtemplates",scope="namespace",subresource="",verb="LIST"',
      ),
      ...of('apiserver_request_body_size_bytes_bucket{group="",resource="podtemplates",verb="create"'),
      ...of('apiserver_watch_events_sizes_bucket{group="",resource="podtemplates"'),
      ...of('apiserver_admission_step_admission_duration_seconds_bucket{operation="CREATE",rejected="false"'),
      ...of('apiserver_current_inflight_requests'),
      ...of('apiserver_request_total{').filter(
        (line) => /"(?:podtemplates|widgets)"/.test(line) && !line.includes('"429"'),
      ),
    ]
    await expect(lines(buckets)).toMatchFileSnapshot(recorded('metrics-series'))
  })

  test.for([
    ['anonymous clients', { headers: { authorization: ANONYMOUS } }],
    ['a user without rights', { headers: { 'impersonate-user': 'jane' } }],
    [
      'the group of monitors',
      { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:monitoring' } },
    ],
  ] as const)('are read by %s as far as roles allow it', async ([who, options]) => {
    const { status, text } = await server.ask('GET', '/metrics', options)
    const body = status === 200 ? '' : JSON.parse(text)
    await expect(lines({ status, body })).toMatchFileSnapshot(
      recorded(`metrics-for-${who.replaceAll(' ', '-')}`),
    )
  })

  test('count logins and decisions', async () => {
    const before = await series()
    await server.ask('GET', templates)
    await server.ask('GET', templates, { headers: { authorization: 'Bearer none' } })
    await server.ask('GET', templates, { headers: { 'impersonate-user': 'jane' } })
    const after = await series()
    const difference = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(difference('authentication_attempts{result="error"}')).toBe(1)
    expect(difference('authentication_attempts{result="success"}')).toBeGreaterThanOrEqual(3)
    expect(difference('authorization_attempts_total{result="no-opinion"}')).toBeGreaterThanOrEqual(1)
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e7)
  })
})
