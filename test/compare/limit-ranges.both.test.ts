import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const resources = (requests: object, limits: object = {}) => ({ requests, limits })
const container = (name: string, own: object = {}, more: object = {}) => ({
  name,
  image: 'i',
  resources: own,
  ...more,
})

const LIMITS = [
  {
    type: 'Container',
    default: { cpu: '500m', memory: '100Mi' },
    defaultRequest: { cpu: '250m' },
    min: { cpu: '100m' },
    max: { memory: '1Gi' },
    maxLimitRequestRatio: { cpu: '4' },
  },
  { type: 'Pod', max: { cpu: '2' }, min: { memory: '10Mi' } },
  { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
]

const PODS: Record<string, object> = {
  'without anything': { containers: [container('a'), container('b')], initContainers: [container('i')] },
  'with all': {
    containers: [container('a', resources({ cpu: '1', memory: '50Mi' }, { cpu: '1', memory: '64Mi' }))],
  },
  'below the least': {
    containers: [container('a', resources({ cpu: '50m', memory: '20Mi' }, { cpu: '100m' }))],
  },
  'beyond the most': { containers: [container('a', resources({ memory: '2Gi' }, { memory: '3Gi' }))] },
  'beyond the ratio': { containers: [container('a', resources({ cpu: '100m' }, { cpu: '1500m' }))] },
  'too much together': {
    containers: [
      container('a', resources({ cpu: '1' }, { cpu: '1500m' })),
      container('b', resources({ cpu: '1' }, { cpu: '1' })),
    ],
  },
  'too much to begin with': {
    initContainers: [
      container('s', resources({ cpu: '1' }, { cpu: '1' }), { restartPolicy: 'Always' }),
      container('i', resources({ cpu: '1' }, { cpu: '1500m' })),
    ],
    containers: [container('a')],
  },
  'too little together': { containers: [container('a', resources({ memory: '5Mi' }, { memory: '6Mi' }))] },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('Pods and claims are held to the LimitRanges of their namespace', async () => {
  const path = `/api/v1/namespaces/${server.namespace}`
  const made = await server.call('POST', `${path}/limitranges`, {
    body: { metadata: { name: 'limits' }, spec: { limits: LIMITS } },
  })
  expect(made.status, made.body.message).toBe(201)
  const claim = (storage: string) => ({
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  })
  // The real server looks at a copy of them.
  await server.until('the limits’ effect', async () => {
    const { status } = await server.call('POST', `${path}/persistentvolumeclaims?dryRun=All`, {
      body: claim('1Mi'),
    })
    return status === 403
  })
  const answers: object[] = []
  for (const [name, spec] of Object.entries(PODS)) {
    const { status, body } = await server.call('POST', `${path}/pods?dryRun=All`, {
      body: { metadata: { name: 'p' }, spec },
    })
    const of = (containers: { resources: { limits?: object; requests?: object } }[] = []) =>
      containers.map(({ resources: { limits, requests } }) => ({
        limits: sorted(limits),
        requests: sorted(requests),
      }))
    const got = {
      annotations: body.metadata?.annotations,
      init: of(body.spec?.initContainers),
      main: of(body.spec?.containers),
    }
    answers.push({ name, status, ...(status === 201 ? got : { message: inOrder(body.message) }) })
  }
  for (const size of ['1Mi', '2Gi', '6Gi']) {
    const { status, body } = await server.call('POST', `${path}/persistentvolumeclaims?dryRun=All`, {
      body: claim(size),
    })
    answers.push({ size, status, message: status === 201 ? undefined : body.message })
  }
  const file = new URL('recorded/limit-ranges.json', import.meta.url)
  await expect(`${JSON.stringify(answers, undefined, 2)}\n`).toMatchFileSnapshot(file.pathname)
})

function sorted(amounts: object = {}): object {
  return Object.fromEntries(Object.entries(amounts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Kubernetes names several problems in no certain order. */
function inOrder(message: string): string {
  return message.replace(
    /\[(.*)\]$/,
    (_, list: string) =>
      `[${list
        .split(/, (?=minimum|maximum|\w+ max)/)
        .sort()
        .join(', ')}]`,
  )
}
