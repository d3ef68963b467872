import { describe, expect, test } from 'vitest'
import { ApiServer } from './server.ts'
import { nativeTypesOf, type SchemaNode } from './schema/index.ts'
import { TestEnvironment } from './testing/index.ts'
import { RELEASES, type Release } from './version/index.ts'

const releases = Object.keys(RELEASES) as Release[]
const PODS = '/api/v1/namespaces/default/pods'
const DRIVERS = '/apis/storage.k8s.io/v1/csidrivers'
const POLICIES = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'

describe.each(releases)('a server of Kubernetes %s', (release) => {
  test('reports this version', async () => {
    await using environment = await TestEnvironment.start({ kubernetesVersion: release })
    const { body } = await environment.call('GET', '/version')
    expect(body).toMatchObject({
      major: '1',
      minor: release.slice(2),
      gitVersion: `v${RELEASES[release]}+homeostat`,
    })
  })

  test('has all the types that its kinds refer to', async () => {
    const { resources, definitions } = await nativeTypesOf(release)
    expect(resources.length).toBeGreaterThan(50)
    for (const { definition } of resources) expect(definitions).toHaveProperty([definition])
    for (const node of Object.values(definitions)) {
      for (const name of referencesOf(node)) expect(definitions).toHaveProperty([name])
    }
  })

  test('describes in its OpenAPI documents exactly the versions that it serves', async () => {
    await using environment = await TestEnvironment.start({ kubernetesVersion: release })
    const { body: text } = await environment.call('GET', '/openapi/v3')
    const { paths } = JSON.parse(String(text)) as { paths: Record<string, { serverRelativeURL: string }> }
    const { body: groups } = await environment.call('GET', '/apis')
    const served = (groups.groups as { versions: { groupVersion: string }[] }[]).flatMap(({ versions }) =>
      versions.map(({ groupVersion }) => `apis/${groupVersion}`),
    )
    const described = Object.keys(paths).filter((path) => /^apis\/.*\/v/.test(path))
    expect(described.toSorted()).toEqual(served.toSorted())
    for (const { serverRelativeURL } of Object.values(paths)) {
      const { code, body } = await environment.call('GET', serverRelativeURL)
      expect(code).toBe(200)
      const references = JSON.stringify(body).matchAll(/#\/components\/schemas\/([^"]+)"/g)
      const names = new Set([...references].map(([, name]) => name!))
      const known = (body.components as { schemas?: object }).schemas ?? {}
      for (const name of names) expect(known).toHaveProperty([name])
    }
  })
})

describe.each(['1.33', '1.34', '1.35'] as const)('a server of Kubernetes %s', (release) => {
  test('does not serve kinds that later releases added', async () => {
    await using environment = await TestEnvironment.start({ kubernetesVersion: release })
    expect((await environment.call('GET', POLICIES)).code).toBe(404)
    const { body } = await environment.call('GET', '/apis/admissionregistration.k8s.io/v1')
    const names = (body.resources as { name: string }[]).map(({ name }) => name)
    expect(names).toContain('validatingadmissionpolicies')
    expect(names).not.toContain('mutatingadmissionpolicies')
    const devices = await environment.call('GET', '/apis/resource.k8s.io/v1/deviceclasses')
    expect(devices.code).toBe(release === '1.33' ? 404 : 200)
    const { body: services } = await environment.call('GET', '/apis/apiregistration.k8s.io/v1/apiservices')
    const registered = (services.items as { metadata: { name: string } }[]).map(
      ({ metadata }) => metadata.name,
    )
    expect(registered.includes('v1.resource.k8s.io')).toBe(release !== '1.33')
  })

  test('does not know a field that a later release added', async () => {
    await using environment = await TestEnvironment.start({ kubernetesVersion: release })
    const body = { metadata: { name: 'a' }, spec: { preventPodSchedulingIfMissing: true } }
    const refused = await environment.call('POST', `${DRIVERS}?fieldValidation=Strict`, { body })
    expect(refused.code).toBe(400)
    expect(refused.body.message).toBe(
      'CSIDriver in version "v1" cannot be handled as a CSIDriver: strict decoding error: unknown field "spec.preventPodSchedulingIfMissing"',
    )
    const warned = await environment.call('POST', DRIVERS, { body })
    expect(warned.code).toBe(201)
    expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.preventPodSchedulingIfMissing\\""')
    expect(warned.body.spec).not.toHaveProperty('preventPodSchedulingIfMissing')
    const { body: v3 } = await environment.call('GET', '/openapi/v3/apis/storage.k8s.io/v1')
    const { body: v2 } = await environment.call('GET', '/openapi/v2')
    for (const text of [v3, v2].map((document) => JSON.stringify(document))) {
      expect(text.includes('requiresRepublish')).toBe(true)
      expect(text.includes('preventPodSchedulingIfMissing')).toBe(false)
    }
  })

  test('prunes such fields of large objects too, which another thread decodes', async () => {
    await using server = await ApiServer.start({ kubernetesVersion: release })
    const annotations = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, index) => [`example.com/${index}`, 'x'.repeat(40)]),
    )
    const pod = {
      metadata: { name: 'large', annotations },
      spec: {
        containers: [{ name: 'a', image: 'b', env: environmentOf(4_000) }],
        schedulingGroup: { podGroupName: 'g' },
      },
    }
    const answer = await server.handler({
      method: 'POST',
      path: PODS,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(pod)),
    })
    expect(answer.headers['warning']).toBe('299 - "unknown field \\"spec.schedulingGroup\\""')
    expect(answer.status).toBe(201)
  })
})

test.each([
  ['1.34', undefined],
  ['1.35', 'other'],
] as const)('a server of Kubernetes %s has a host name override of %s', async (release, kept) => {
  await using environment = await TestEnvironment.start({ kubernetesVersion: release })
  const containers = [{ name: 'a', image: 'b' }]
  const body = { metadata: { name: 'a' }, spec: { containers, hostnameOverride: 'other' } }
  // The field is known to both; the feature is off in 1.34.
  const answer = await environment.call('POST', `${PODS}?fieldValidation=Strict`, { body })
  expect(answer.code).toBe(201)
  expect(answer.headers['warning']).toBeUndefined()
  expect((answer.body.spec as { hostnameOverride?: string }).hostnameOverride).toBe(kept)
})

test.each(['1.20', 'latest', '', '1.34.1', '1.360', 'v1', '2.34'])(
  'a server of Kubernetes %j does not start',
  async (version) => {
    await expect(ApiServer.start({ kubernetesVersion: version })).rejects.toMatchObject({
      code: 'KUBERNETES_VERSION_UNKNOWN',
      message: expect.stringMatching(
        /^(Kubernetes ".*" is not available here|Kubernetes "1\.34\.1" is not available; the only patch of 1\.34 here is 1\.34\.4): use 1\.33, 1\.34, 1\.35 or 1\.36$/,
      ),
    })
  },
)

test.each(['v1.34', '1.34.4', 'v1.34.4'])('%s stands for 1.34', async (version) => {
  await using environment = await TestEnvironment.start({ kubernetesVersion: version })
  expect((await environment.call('GET', '/version')).body['gitVersion']).toBe('v1.34.4+homeostat')
})

function environmentOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `N${index}`, value: 'x'.repeat(40) }))
}

function* referencesOf(node: SchemaNode): Generator<string> {
  if (node.$ref) yield node.$ref.replace('#/components/schemas/', '')
  for (const part of Object.values(node.properties ?? {})) yield* referencesOf(part)
  if (node.items) yield* referencesOf(node.items)
  if (typeof node.additionalProperties === 'object') yield* referencesOf(node.additionalProperties)
}
