import { defineKind, schema as s } from '@homeostat/api'
import { isInvalid } from 'homeostat'
import {
  DeploymentStrategy,
  JobTemplateSpec,
  LabelSelector,
  PodTemplateSpec,
  ResourceRequirements,
  ServiceSpec,
} from 'homeostat/schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const Workload = defineKind({
  group: 'schemas.homeostat.test',
  version: 'v1',
  kind: 'Workload',
  spec: s.object({
    template: s.native(PodTemplateSpec).optional(),
    jobTemplate: s.native(JobTemplateSpec).optional(),
    resources: s.native(ResourceRequirements).optional(),
    selector: s.native(LabelSelector).optional(),
    service: s.native(ServiceSpec).optional(),
    strategy: s.native(DeploymentStrategy).optional(),
  }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Workload] })
})
afterAll(() => server.close())

const path = () => `/apis/schemas.homeostat.test/v1/namespaces/${server.namespace}/workloads`

let count = 0
/** The spec that the server stores, or its refusal. */
async function stored(spec: object, query = ''): Promise<any> {
  const answer = await server.call('POST', `${path()}${query}`, {
    body: {
      apiVersion: 'schemas.homeostat.test/v1',
      kind: 'Workload',
      metadata: { name: `w-${count++}` },
      spec,
    },
  })
  const body = answer.body as { spec?: unknown; message?: string }
  return body.spec ?? body.message
}

const containers = [{ name: 'web', image: 'nginx' }]
const pod = (spec: object) => ({ template: { spec: { containers, ...spec } } })

describe('A kind with types of Kubernetes', () => {
  test('keeps what they have, the labels of a template among it', async () => {
    const spec = {
      template: {
        metadata: { labels: { app: 'web' }, annotations: { a: 'b' } },
        spec: { containers, nodeSelector: { disk: 'fast' }, restartPolicy: 'Always' },
      },
      selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    }
    expect(await stored(spec)).toEqual(spec)
  })

  test('prunes what they do not have', async () => {
    const spec = {
      template: {
        metadata: { labels: { app: 'web' }, uid: 'x' },
        spec: { containers: [{ name: 'web', imag: 'nginx' }], sidecars: [] },
      },
    }
    expect(await stored(spec)).toEqual({
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } },
    })
    expect(await stored(spec, '?fieldValidation=Strict')).toMatch(
      /unknown field "spec.template.metadata.uid".*unknown field "spec.template.spec.sidecars"/s,
    )
  })

  test('fills in the defaults that their schemas have', async () => {
    const env = [{ name: 'A', valueFrom: { configMapKeyRef: { key: 'k' } } }]
    const ports = [{ containerPort: 80 }]
    expect(await stored(pod({ containers: [{ name: 'web', env, ports }] }))).toEqual(
      pod({
        containers: [
          {
            name: 'web',
            env: [{ name: 'A', valueFrom: { configMapKeyRef: { key: 'k', name: '' } } }],
            ports: [{ containerPort: 80, protocol: 'TCP' }],
          },
        ],
      }),
    )
    expect(await stored({ service: { ports: [{ port: 80 }] } })).toEqual({
      service: { ports: [{ port: 80, protocol: 'TCP' }] },
    })
  })

  test('refuses two items of a list with the same keys', async () => {
    expect(await stored(pod({ containers: [...containers, ...containers] }))).toMatch(
      /spec\.template\.spec\.containers\[1\]: Duplicate value/,
    )
    const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }]
    expect(await stored(pod({ containers: [{ name: 'a', ports }] }))).toMatch(/ports\[1\]: Duplicate value/)
    const both = [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }]
    expect(await stored(pod({ containers: [{ name: 'a', ports: both }] }))).toMatchObject({ template: {} })
  })

  test('refuses what lacks a required field, or is of another type', async () => {
    expect(await stored(pod({ containers: [{ image: 'nginx' }] }))).toMatch(
      /spec\.template\.spec\.containers\[0\]\.name: Required value/,
    )
    expect(await stored(pod({ containers: undefined }))).toMatch(/spec\.containers: Required value/)
    expect(await stored(pod({ terminationGracePeriodSeconds: '30' }))).toMatch(
      /terminationGracePeriodSeconds in body must be of type integer/,
    )
  })

  test('takes numbers and texts where both are allowed', async () => {
    const spec = {
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      resources: { limits: { cpu: 1, memory: '2Gi' }, requests: { cpu: '100m' } },
    }
    expect(await stored(spec)).toEqual(spec)
    expect(await stored({ resources: { limits: { cpu: 'much' } } })).toMatch(
      /spec\.resources\.limits\.cpu in body should match/,
    )
    expect(await stored({ strategy: { rollingUpdate: { maxSurge: true } } })).toMatch(
      /maxSurge in body must be/,
    )
  })

  test('has types inside of types', async () => {
    const spec = { jobTemplate: { spec: { backoffLimit: 2, ...pod({ restartPolicy: 'Never' }) } } }
    expect(await stored(spec)).toEqual(spec)
    expect(await stored({ jobTemplate: { spec: {} } })).toMatch(/jobTemplate\.spec\.template: Required value/)
  })

  test('merges their lists by keys in server-side apply', async () => {
    const metadata = { namespace: server.namespace, name: 'applied' }
    const apply = (fieldManager: string, container: { name: string; image: string }) =>
      server.client.apply(
        Workload,
        { metadata, spec: { template: { spec: { containers: [container] } } } },
        { fieldManager },
      )
    await apply('one', { name: 'web', image: 'nginx:1' })
    const both = await apply('two', { name: 'sidecar', image: 'proxy:1' })
    expect(both.spec.template?.spec?.containers.map(({ name }) => name)).toEqual(['web', 'sidecar'])
  })

  test('is written through the typed client', async () => {
    const metadata = { namespace: server.namespace, name: 'typed' }
    const made = await server.client.create(Workload, {
      metadata,
      spec: { template: { spec: { containers: [{ name: 'web', ports: [{ containerPort: 80 }] }] } } },
    })
    expect(made.spec.template?.spec?.containers[0]?.ports?.[0]?.protocol).toBe('TCP')
    const wrong = { containers: [{ name: 1 as unknown as string }] }
    const failed = server.client.create(Workload, {
      metadata: { ...metadata, name: 'wrong' },
      spec: { template: { spec: wrong } },
    })
    await expect(failed).rejects.toSatisfy(isInvalid)
  })
})
