import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const container = { name: 'c', image: 'i' }
const labels = { app: 'web' }

/** The texts of the warnings of a dry run that is accepted, in their order. */
async function warningsOf(plural: string, object: object, version = 'v1'): Promise<string[]> {
  const root = version === 'v1' ? '/api' : '/apis'
  const path = `${root}/${version}/namespaces/${server.namespace}/${plural}?dryRun=All`
  const { status, headers } = await server.call('POST', path, { body: object })
  expect(status).toBe(201)
  return [...(headers['warning'] ?? '').matchAll(/299 - "((?:\\.|[^"\\])*)"/g)].map(([, text]) =>
    text!.replaceAll(/\\(.)/g, '$1'),
  )
}

function pod(spec: object = {}, metadata: object = {}): object {
  return { metadata: { name: 'web', ...metadata }, spec: { containers: [container], ...spec } }
}

describe('what is taken and may surprise is told as Kubernetes does', () => {
  test('of a Pod', async () => {
    const ports = [{ containerPort: 80 }, { containerPort: 80, hostPort: 81 }]
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
      { name: 'A', value: '$(A)3' },
    ]
    const resources = { limits: { memory: '1.5' } }
    const spec = {
      nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }],
      volumes: [{ name: 'g', gitRepo: { repository: 'r' } }],
      containers: [{ ...container, ports, env, resources }],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    }
    expect(await warningsOf('pods', pod(spec, { name: 'a.b' }))).toEqual([
      expect.stringMatching(
        /^metadata\.name: this is used in the Pod's hostname, .* DNS label is recommended: \[/,
      ),
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
    ])
  })

  test('of a template, when it is made', async () => {
    const template = {
      metadata: { labels, annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } },
      spec: { containers: [container], terminationGracePeriodSeconds: -1 },
    }
    const deployment = {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template },
    }
    expect(await warningsOf('deployments', deployment, 'apps/v1')).toEqual([
      'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ])
  })

  interface Confined {
    annotation: string
    own?: string
    whole?: string
    os?: object
  }
  test.each<[string, Confined, boolean]>([
    ['a profile', { annotation: 'unconfined' }, true],
    ['a profile on the node', { annotation: 'localhost/x' }, true],
    ['a profile without a name', { annotation: 'localhost/' }, true],
    ['a profile whose name is too long', { annotation: `localhost/${'x'.repeat(5_000)}` }, true],
    ['a profile whose name begins with a space', { annotation: 'localhost/ x' }, true],
    ['an empty profile', { annotation: '' }, true],
    ['the profile of its field', { annotation: 'unconfined', own: 'Unconfined' }, false],
    ['the profile of the Pod', { annotation: 'unconfined', whole: 'Unconfined' }, false],
    ['another profile than the Pod', { annotation: 'unconfined', whole: 'RuntimeDefault' }, true],
    ['a profile on Windows', { annotation: 'unconfined', os: { name: 'windows' } }, false],
  ])('of a Pod with an annotation for AppArmor: %s', async (_, { annotation, own, whole, os }, warns) => {
    const confined = (type: string | undefined): object =>
      type === undefined ? {} : { securityContext: { appArmorProfile: { type } } }
    const key = 'container.apparmor.security.beta.kubernetes.io/c'
    const spec = { ...confined(whole), ...(os && { os }), containers: [{ ...container, ...confined(own) }] }
    const told = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`
    const warnings = await warningsOf('pods', pod(spec, { annotations: { [key]: annotation } }))
    expect(warnings).toEqual(warns ? [told] : [])
  })

  test('of a Service and an Ingress', async () => {
    const spec = { ports: [{ port: 80 }], trafficDistribution: 'PreferClose', externalName: 'x' }
    expect(await warningsOf('services', { metadata: { name: 's' }, spec })).toEqual([
      'spec.externalName is ignored when spec.type is not "ExternalName"',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ])
    const ingress = {
      metadata: { name: 'i', annotations: { 'kubernetes.io/ingress.class': 'x' } },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    }
    expect(await warningsOf('ingresses', ingress, 'networking.k8s.io/v1')).toEqual([
      'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
    ])
  })
})
