import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiServer } from '../server.ts'
import { SERVER_GAPS } from './server-gaps.ts'

const clock = new SimulatedClock()
let server: ApiServer
beforeAll(async () => {
  const reason = 'nothing writes letters'
  const withoutEffect = [{ group: '', kind: 'PodTemplate', reason }]
  server = await ApiServer.start({ clock, withoutEffect })
})
afterAll(() => server.close())

async function call(method: ApiRequest['method'], path: string, body?: object, contentType?: string) {
  const url = new URL(path, 'http://server')
  const { status, headers } = await server.handler({
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: { 'content-type': contentType ?? 'application/json' },
    body: body && new TextEncoder().encode(JSON.stringify(body)),
  })
  return { status, warning: headers['warning'] }
}
const noEffect = (reason: string): string => `299 - "No effect here: ${reason}"`

const clientConfig = { url: 'https://example.com/' }
const webhook = (operation: string) => ({
  name: 'a.example.com',
  clientConfig,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'], operations: [operation] }],
})
const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }]
const matchConstraints = { resourceRules: rules }
const versions = (...names: string[]) =>
  names.map((name, index) => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: 'object' } },
  }))
const definition = (plural: string, more: object) => ({
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', scope: 'Cluster', names: { plural, kind: `K${plural}` }, ...more },
})
const conversion = {
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig },
}

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CIDRS = '/apis/networking.k8s.io/v1/servicecidrs'
/** Objects of all kinds without an effect. */
const samples: readonly [kind: string, path: string, object: object][] = [
  [
    'ValidatingAdmissionPolicy',
    `${ADMISSION}/validatingadmissionpolicies`,
    { spec: { matchConstraints, auditAnnotations: [{ key: 'note', valueExpression: "'a'" }] } },
  ],
  [
    'ValidatingAdmissionPolicyBinding',
    `${ADMISSION}/validatingadmissionpolicybindings`,
    { spec: { policyName: 'a', validationActions: ['Deny', 'Audit'] } },
  ],
  [
    'IPAddress',
    '/apis/networking.k8s.io/v1/ipaddresses',
    {
      metadata: { name: '10.96.0.77' },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } },
    },
  ],
  ['ServiceCIDR', '/apis/networking.k8s.io/v1/servicecidrs', { spec: { cidrs: ['10.97.0.0/24'] } }],
]

describe('an object on which nothing acts', () => {
  it.each(samples)('of the kind %s is stored with a warning', async (kind, path, object) => {
    const [{ reason } = { reason: '' }] = SERVER_GAPS.filter((gap) => gap.kind === kind)
    const body = { metadata: { name: 'a' }, ...object }
    expect(await call('POST', path, body)).toEqual({ status: 201, warning: noEffect(reason) })
  })

  it('is among the samples here', () => {
    expect(samples.map(([kind]) => kind).sort()).toEqual(
      [...new Set(SERVER_GAPS.map(({ kind }) => kind))].sort(),
    )
  })

  it('is warned about on every kind of write, and on a dry run', async () => {
    const range = (label: number) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'ways', labels: { label: String(label) } },
      spec: { cidrs: ['10.98.0.0/24'] },
    })
    const warning = noEffect('this API server takes the addresses of Services only from its own range')
    const apply = 'application/apply-patch+yaml'
    const ways = [
      await call('POST', `${CIDRS}?dryRun=All`, range(101)),
      await call('POST', CIDRS, range(101)),
      await call('PUT', `${CIDRS}/ways`, range(102)),
      await call(
        'PATCH',
        `${CIDRS}/ways`,
        { metadata: { labels: { label: '103' } } },
        'application/merge-patch+json',
      ),
      await call('PATCH', `${CIDRS}/ways?fieldManager=a&force=true`, range(104), apply),
    ]
    expect(ways.map((way) => way.warning)).toEqual(ways.map(() => warning))
  })

  it('is warned about with the text that the server was started with', async () => {
    const path = '/api/v1/namespaces/default/podtemplates'
    const template = { spec: { containers: [{ name: 'c', image: 'i' }] } }
    const { warning } = await call('POST', path, { metadata: { name: 'a' }, template })
    expect(warning).toBe(noEffect('nothing writes letters'))
  })
})

describe('no warning', () => {
  it('is given for an update without changes, a status, or an object that is refused', async () => {
    const range = { metadata: { name: 'quiet' }, spec: { cidrs: ['10.99.0.0/24'] } }
    await call('POST', CIDRS, range)
    const merge = 'application/merge-patch+json'
    expect(await call('PUT', `${CIDRS}/quiet`, range)).toEqual({ status: 200, warning: undefined })
    const status = await call('PATCH', `${CIDRS}/quiet/status`, { status: { conditions: [] } }, merge)
    expect(status).toEqual({ status: 200, warning: undefined })
    const refused = await call('POST', CIDRS, { ...range, metadata: { name: '-' } })
    expect(refused).toEqual({ status: 422, warning: undefined })
  })

  it('is given for an object that has an effect', async () => {
    const quiet = [
      await call('POST', DEFINITIONS, definition('bs', { versions: versions('v1', 'v2'), conversion })),
      await call('POST', DEFINITIONS, definition('cs', { versions: versions('v1', 'v2') })),
      await call('POST', `${ADMISSION}/validatingwebhookconfigurations`, {
        metadata: { name: 'none' },
        webhooks: [webhook('CONNECT')],
      }),
      await call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } }),
    ]
    expect(quiet).toEqual(quiet.map(() => ({ status: 201, warning: undefined })))
  })
})
