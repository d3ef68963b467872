import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

const container = { name: 'web', image: 'web:1' }
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }
const selector = { matchLabels: { app: 'web' } }

/** Created by dry run, so that no controller changes it before it is answered. */
function create(say: string, path: string, apiVersion: string, kind: string, body: object): Step {
  return {
    say,
    method: 'POST',
    path: `${path}?fieldManager=test&dryRun=All`,
    body: { apiVersion, kind, metadata: { name: 'web', namespace: '~' }, ...body },
  }
}

const probe = { httpGet: { path: '/', port: 'http' } }
const conversations: Record<string, Step[]> = {
  'defaults-pod': [
    create('the least that a Pod can be', '/api/v1/~/pods', 'v1', 'Pod', {
      spec: { containers: [container] },
    }),
    create('with much that has defaults of its own', '/api/v1/~/pods', 'v1', 'Pod', {
      spec: {
        initContainers: [{ name: 'init', image: 'init' }],
        containers: [
          {
            ...container,
            image: 'web:latest',
            ports: [{ name: 'http', containerPort: 3000 }],
            readinessProbe: probe,
            livenessProbe: probe,
            resources: { limits: { cpu: '1', memory: '1Gi' } },
            env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            volumeMounts: [{ name: 'book', mountPath: '/book/src' }],
          },
        ],
        volumes: [
          { name: 'book', configMap: { name: 'markdowns' } },
          { name: 'secret', secret: { secretName: 's' } },
          { name: 'host', hostPath: { path: '/tmp' } },
          { name: 'scratch', emptyDir: {} },
        ],
      },
    }),
  ],
  'defaults-workloads': [
    create('a Deployment', '/apis/apps/v1/~/deployments', 'apps/v1', 'Deployment', {
      spec: { selector, template },
    }),
    create('a Deployment that recreates', '/apis/apps/v1/~/deployments', 'apps/v1', 'Deployment', {
      spec: { selector, template, strategy: { type: 'Recreate' }, replicas: 0 },
    }),
    create('a ReplicaSet', '/apis/apps/v1/~/replicasets', 'apps/v1', 'ReplicaSet', {
      spec: { selector, template },
    }),
    create('a Job', '/apis/batch/v1/~/jobs', 'batch/v1', 'Job', {
      spec: {
        manualSelector: true,
        selector,
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
      },
    }),
  ],
  'defaults-others': [
    create('a Service', '/api/v1/~/services', 'v1', 'Service', {
      spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] },
    }),
    create('a Service by another name', '/api/v1/~/services', 'v1', 'Service', {
      spec: { type: 'ExternalName', externalName: 'db.example.com' },
    }),
    create('a ConfigMap', '/api/v1/~/configmaps', 'v1', 'ConfigMap', { data: { a: 'b' } }),
    create('a Secret from text', '/api/v1/~/secrets', 'v1', 'Secret', { stringData: { password: 'x' } }),
    create('a ServiceAccount', '/api/v1/~/serviceaccounts', 'v1', 'ServiceAccount', {}),
    create('a Lease', '/apis/coordination.k8s.io/v1/~/leases', 'coordination.k8s.io/v1', 'Lease', {
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
    }),
    create(
      'an EndpointSlice',
      '/apis/discovery.k8s.io/v1/~/endpointslices',
      'discovery.k8s.io/v1',
      'EndpointSlice',
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.0.1'] }],
        ports: [{ port: 80 }],
      },
    ),
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test.for(Object.entries(conversations))('%s are filled in as Kubernetes does', async ([title, steps]) => {
  const file = new URL(`generated/${title}.json`, import.meta.url)
  await expect(await transcript(server, steps)).toMatchFileSnapshot(file.pathname)
})
