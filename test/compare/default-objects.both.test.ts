import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** The objects that every cluster has from its start, in the collections where tests leave none of their own. */
const COLLECTIONS = [
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
  '/apis/apiregistration.k8s.io/v1/apiservices',
]

/** Without identities, times, and who wrote the status; with its keys in order. */
function stable(value: any): unknown {
  if (Array.isArray(value)) return value.map(stable)
  if (typeof value !== 'object' || value === null) return value
  const left = Object.keys(value)
    .filter(
      (key) => !/^(uid|resourceVersion|creationTimestamp|lastTransitionTime|time|generation)$/.test(key),
    )
    .sort()
  return Object.fromEntries(
    left.map((key) => [
      key,
      stable(key === 'managedFields' ? value[key].filter((one: any) => !one.subresource) : value[key]),
    ]),
  )
}

/** Whether it is the APIService of a custom kind that another test has defined. */
function isOfDefinition({ labels }: any): boolean {
  return labels?.['kube-aggregator.kubernetes.io/automanaged'] === 'true'
}

/** Kinds on whose objects a new server itself comments a moment after it has made them. */
const JUDGED = /flowschemas|apiservices/

test.for(COLLECTIONS)('%s holds what a new cluster has', async (path) => {
  const own = await server.until('the server’s own comments', async () => {
    const { body } = await server.call('GET', path)
    const items: any[] = body.items.filter(
      ({ metadata }: any) => !/example|zoetrope|test/.test(metadata.name) && !isOfDefinition(metadata),
    )
    return (!JUDGED.test(path) || items.every(({ status }) => status?.conditions?.length > 0)) && items
  })
  const file = new URL(`recorded/default-${path.split('/').at(-1)}.json`, import.meta.url)
  await expect(`${JSON.stringify(own.map(stable), null, 1)}\n`).toMatchFileSnapshot(file.pathname)
})

test('the range that Services get their addresses from is there', async () => {
  const { body } = await server.call('GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes')
  expect(body.spec).toEqual({ cidrs: ['10.96.0.0/16'] })
  expect(body.status.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: '' }])
})

test('the Service of the API is there, with the first address', async () => {
  const { body } = await server.call('GET', '/api/v1/namespaces/default/services/kubernetes')
  const [port] = body.spec.ports
  port.targetPort = 'the port of the server'
  const file = new URL('recorded/default-service.json', import.meta.url)
  await expect(`${JSON.stringify(stable(body), null, 1)}\n`).toMatchFileSnapshot(file.pathname)
  const { body: address } = await server.call(
    'GET',
    `/apis/networking.k8s.io/v1/ipaddresses/${body.spec.clusterIP}`,
  )
  expect(address.spec.parentRef).toEqual({ resource: 'services', namespace: 'default', name: 'kubernetes' })
})
