import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

const contentType = 'application/apply-patch+yaml'
const maps = '/api/v1/~/configmaps'
const deployments = '/apis/apps/v1/~/deployments'
const services = '/api/v1/~/services'

const configMap = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: '~', ...metadata },
  data,
})

function apply(say: string, path: string, manager: string, body: object, more = ''): Step {
  return { say, method: 'PATCH', path: `${path}?fieldManager=${manager}${more}`, body, contentType }
}

const deployment = (spec: object, container: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: '~' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1', ...container }] },
    },
    ...spec,
  },
})

const conversations: Record<string, Step[]> = {
  'apply-map': [
    apply('it is created', `${maps}/a`, 'one', configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } })),
    apply('nothing differs', `${maps}/a`, 'one', configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } })),
    apply('another manager adds a field', `${maps}/a`, 'two', configMap('a', { z: '3' })),
    apply('both own what both say', `${maps}/a`, 'two', configMap('a', { x: '1', z: '3' })),
    apply('a value that another owns', `${maps}/a`, 'two', configMap('a', { x: '9', y: '9', z: '3' })),
    apply('by force', `${maps}/a`, 'two', configMap('a', { x: '9', z: '3' }), '&force=true'),
    apply('what is no longer said is removed', `${maps}/a`, 'one', configMap('a', { y: '2' })),
    {
      say: 'an update owns too',
      method: 'PATCH',
      path: `${maps}/a?fieldManager=three`,
      body: { data: { y: '5' } },
    },
    apply('against the updater', `${maps}/a`, 'one', configMap('a', { y: '2' })),
    apply('without a manager', `${maps}/a`, '', configMap('a', {})),
    apply('another name', `${maps}/a`, 'one', configMap('b', {})),
    {
      say: 'no YAML',
      reasonOnly: true,
      method: 'PATCH',
      path: `${maps}/a?fieldManager=one`,
      body: 'a: [',
      contentType,
    },
    { say: 'force without apply', method: 'PATCH', path: `${maps}/a?force=true`, body: {} },
  ],
  'apply-deployment': [
    apply(
      'it is created',
      `${deployments}/web`,
      'one',
      deployment({ replicas: 1 }, { ports: [{ containerPort: 80 }] }),
    ),
    apply(
      'nothing differs',
      `${deployments}/web`,
      'one',
      deployment({ replicas: 1 }, { ports: [{ containerPort: 80 }] }),
    ),
    apply('a contested field', `${deployments}/web`, 'two', deployment({ replicas: 3 })),
    apply('a field of an element by its key', `${deployments}/web`, 'two', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: '~' },
      spec: { template: { spec: { containers: [{ name: 'web', imagePullPolicy: 'Always' }] } } },
    }),
    apply('the first no longer wants the port', `${deployments}/web`, 'one', deployment({ replicas: 1 })),
    apply(
      'a field that cannot change',
      `${deployments}/web`,
      'one',
      {
        ...deployment({ replicas: 1, selector: { matchLabels: { app: 'other' } } }),
      },
      '&force=true',
    ),
  ],
  'apply-service': [
    apply('it is created', `${services}/web`, 'one', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: '~' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    }),
    apply('a second port', `${services}/web`, 'two', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: '~' },
      spec: { ports: [{ name: 'admin', port: 81, protocol: 'TCP' }] },
    }),
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test.for(Object.entries(conversations))('%s is answered as Kubernetes does', async ([title, steps]) => {
  const file = new URL(`generated/${title}.json`, import.meta.url)
  await expect(await transcript(server, steps)).toMatchFileSnapshot(file.pathname)
})
