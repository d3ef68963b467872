import { createOrUpdate, retryOnConflict, type CreateOf } from 'homeostat'
import { ConfigMap, Deployment, Secret, Service } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const key = () => ({ namespace: server.namespace, name: 'web' })
const labels = { app: 'web' }

function deployment(image: string): CreateOf<typeof Deployment>['spec'] {
  return {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name: 'web',
            image,
            ports: [{ name: 'http', containerPort: 80 }],
            env: [{ name: 'A', value: '1' }],
            readinessProbe: { httpGet: { path: '/', port: 'http' } },
          },
        ],
        volumes: [{ name: 'files', configMap: { name: 'web' } }],
      },
    },
  }
}

describe('createOrUpdate against a server that fills in defaults', () => {
  test('makes a Deployment once, then changes only what differs, and otherwise sends nothing', async () => {
    // The Deployment controller of a real cluster writes the status meanwhile, several times while it is new.
    const bring = (image: string) =>
      retryOnConflict(
        server.clock,
        () =>
          createOrUpdate(server.client, Deployment, key(), (draft) => {
            draft.metadata.labels = labels
            draft.spec = deployment(image)
          }),
        { attempts: 50 },
      )
    expect((await bring('web:1')).result).toBe('created')
    expect((await bring('web:1')).result).toBe('unchanged')

    await server.client.patch(Deployment, key(), {
      type: 'merge',
      body: { metadata: { labels: { by: 'a-tool' } }, spec: { replicas: 3 } },
    })
    const updated = await bring('web:2')
    expect(updated.changes).toEqual(['spec.template.spec.containers.web.image'])
    expect(updated.object.spec?.replicas).toBe(3)
    expect(updated.object.metadata.labels).toEqual({ ...labels, by: 'a-tool' })
    expect((await bring('web:2')).result).toBe('unchanged')
  })

  test('leaves the address of a Service alone', async () => {
    const bring = (port: number) =>
      createOrUpdate(server.client, Service, key(), (draft) => {
        draft.spec = { selector: labels, ports: [{ name: 'http', port, targetPort: 'http' }] }
      })
    const { object } = await bring(80)
    expect((await bring(80)).result).toBe('unchanged')
    const moved = await bring(8080)
    expect(moved.result).toBe('updated')
    expect(moved.object.spec?.clusterIP).toBe(object.spec?.clusterIP)
    expect((await bring(8080)).result).toBe('unchanged')
  })

  test('takes the data of a ConfigMap whole', async () => {
    const bring = (data: Record<string, string>) =>
      createOrUpdate(server.client, ConfigMap, key(), (draft) => {
        draft.data = data
      })
    await bring({ a: '1', b: '2' })
    expect((await bring({ b: '2', a: '1' })).result).toBe('unchanged')
    expect((await bring({ a: '1' })).object.data).toEqual({ a: '1' })
  })

  test('knows the stringData of a Secret again', async () => {
    const bring = (password: string) =>
      createOrUpdate(server.client, Secret, key(), (draft) => {
        draft.stringData = { password }
      })
    expect((await bring('hunter2')).result).toBe('created')
    expect((await bring('hunter2')).result).toBe('unchanged')
    expect((await bring('hunter3')).object.data).toEqual({ password: btoa('hunter3') })
  })
})

test('what the server filled in for another value does not stay', async () => {
  const { client, namespace } = server
  const name = { namespace, name: 'ports' }
  const ports = async (...numbers: number[]) => {
    const { object } = await createOrUpdate(client, Service, name, (draft) => {
      draft.spec = { selector: labels, ports: numbers.map((port) => ({ name: `p${port % 10}`, port })) }
    })
    return object.spec.ports?.map(({ port, targetPort }) => [port, targetPort])
  }
  expect(await ports(80)).toEqual([[80, 80]])
  expect(await ports(90)).toEqual([[90, 90]])
  expect(await ports(91, 90)).toEqual([
    [91, 91],
    [90, 90],
  ])

  const bring = (volume: object, type: 'Recreate' | 'RollingUpdate') =>
    retryOnConflict(
      server.clock,
      () =>
        createOrUpdate(client, Deployment, { ...name, name: 'forms' }, (draft) => {
          draft.spec = deployment('web:1')
          draft.spec.strategy = { type }
          draft.spec.template.spec!.volumes = [{ name: 'files', ...volume }]
        }),
      { attempts: 50 },
    )
  await bring({ configMap: { name: 'web' } }, 'RollingUpdate')
  const { object } = await bring({ emptyDir: {} }, 'Recreate')
  expect(object.spec.strategy).toEqual({ type: 'Recreate' })
  expect(object.spec.template.spec?.volumes).toEqual([{ name: 'files', emptyDir: {} }])
  expect((await bring({ emptyDir: {} }, 'Recreate')).result).toBe('unchanged')
})
