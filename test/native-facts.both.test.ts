import type { AnyKind } from '@homeostat/api'
import {
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  IngressClass,
  Job,
  NetworkPolicy,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PriorityClass,
  ReplicaSet,
  RoleBinding,
  Secret,
  Service,
  StatefulSet,
  StorageClass,
} from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS, IMMUTABLE } from '../scripts/generate-kinds/field-facts.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** Checks on both servers the facts that the comments of native fields state. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const selector = { matchLabels: { app: 'web' } }
const probe = { httpGet: { port: 80 } }
const env = [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
const container = { name: 'a', image: 'a', ports: [{ containerPort: 80 }], livenessProbe: probe, env }
const volumes = [
  { name: 'a', configMap: { name: 'a' } },
  { name: 'b', secret: { secretName: 'a' } },
  { name: 'c', projected: { sources: [{ serviceAccountToken: { path: 'a' } }] } },
]
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container], volumes } }
const job = { spec: { ...template.spec, restartPolicy: 'Never' } }
const claim = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: '',
  resources: { requests: { storage: '1Gi' } },
}

const SAMPLES: readonly (readonly [AnyKind, object])[] = [
  [CronJob, { spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: job } } } }],
  [DaemonSet, { spec: { selector, template } }],
  [Deployment, { spec: { selector, template } }],
  [
    HorizontalPodAutoscaler,
    { spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } } },
  ],
  [IngressClass, { spec: { controller: 'example.com/a' } }],
  [Job, { spec: { template: job, suspend: false } }],
  [NetworkPolicy, { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } }],
  [
    PersistentVolume,
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } } },
  ],
  [PersistentVolumeClaim, { spec: claim }],
  [PriorityClass, { value: 7 }],
  [ReplicaSet, { spec: { selector, template } }],
  [RoleBinding, { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } }],
  [Secret, {}],
  [Service, { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  [
    StatefulSet,
    {
      spec: {
        selector,
        template,
        serviceName: 'a',
        volumeClaimTemplates: [{ metadata: { name: 'a' }, spec: claim }],
      },
    },
  ],
  [StorageClass, { provisioner: 'example.com/a' }],
]

/** Where a definition is found in the samples. */
const PLACES: Readonly<Record<string, readonly [kind: string, path: string]>> = {
  'apps.v1.DaemonSetSpec': ['DaemonSet', 'spec'],
  'apps.v1.DaemonSetUpdateStrategy': ['DaemonSet', 'spec.updateStrategy'],
  'apps.v1.DeploymentSpec': ['Deployment', 'spec'],
  'apps.v1.DeploymentStrategy': ['Deployment', 'spec.strategy'],
  'apps.v1.ReplicaSetSpec': ['ReplicaSet', 'spec'],
  'apps.v1.RollingUpdateDaemonSet': ['DaemonSet', 'spec.updateStrategy.rollingUpdate'],
  'apps.v1.RollingUpdateDeployment': ['Deployment', 'spec.strategy.rollingUpdate'],
  'apps.v1.RollingUpdateStatefulSetStrategy': ['StatefulSet', 'spec.updateStrategy.rollingUpdate'],
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': [
    'StatefulSet',
    'spec.persistentVolumeClaimRetentionPolicy',
  ],
  'apps.v1.StatefulSetSpec': ['StatefulSet', 'spec'],
  'apps.v1.StatefulSetUpdateStrategy': ['StatefulSet', 'spec.updateStrategy'],
  'autoscaling.v2.HorizontalPodAutoscalerSpec': ['HorizontalPodAutoscaler', 'spec'],
  'batch.v1.CronJobSpec': ['CronJob', 'spec'],
  'batch.v1.JobSpec': ['Job', 'spec'],
  'core.v1.ConfigMapVolumeSource': ['Deployment', 'spec.template.spec.volumes.0.configMap'],
  'core.v1.Container': ['Deployment', 'spec.template.spec.containers.0'],
  'core.v1.ContainerPort': ['Deployment', 'spec.template.spec.containers.0.ports.0'],
  'core.v1.HTTPGetAction': ['Deployment', 'spec.template.spec.containers.0.livenessProbe.httpGet'],
  'core.v1.ObjectFieldSelector': ['Deployment', 'spec.template.spec.containers.0.env.0.valueFrom.fieldRef'],
  'core.v1.PersistentVolumeClaimSpec': ['PersistentVolumeClaim', 'spec'],
  'core.v1.PersistentVolumeSpec': ['PersistentVolume', 'spec'],
  'core.v1.PodSpec': ['Pod', 'spec'],
  'core.v1.Probe': ['Deployment', 'spec.template.spec.containers.0.livenessProbe'],
  'core.v1.ProjectedVolumeSource': ['Deployment', 'spec.template.spec.volumes.2.projected'],
  'core.v1.Secret': ['Secret', ''],
  'core.v1.SecretVolumeSource': ['Deployment', 'spec.template.spec.volumes.1.secret'],
  'core.v1.ServiceAccountTokenProjection': [
    'Deployment',
    'spec.template.spec.volumes.2.projected.sources.0.serviceAccountToken',
  ],
  'core.v1.ServicePort': ['Service', 'spec.ports.0'],
  'core.v1.ServiceSpec': ['Service', 'spec'],
  'networking.v1.IngressClassSpec': ['IngressClass', 'spec'],
  'networking.v1.NetworkPolicyPort': ['NetworkPolicy', 'spec.ingress.0.ports.0'],
  'rbac.v1.RoleBinding': ['RoleBinding', ''],
  'scheduling.v1.PriorityClass': ['PriorityClass', ''],
  'storage.v1.StorageClass': ['StorageClass', ''],
}

/** Another value for each immutable field; by default another text. */
const OTHERS: Readonly<Record<string, unknown>> = {
  accessModes: ['ReadOnlyMany'],
  completionMode: 'Indexed',
  controller: 'example.com/b',
  parameters: { a: 'b' },
  podManagementPolicy: 'Parallel',
  preemptionPolicy: 'Never',
  provisioner: 'example.com/b',
  reclaimPolicy: 'Retain',
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'b' },
  selector: { matchLabels: { other: 'x' } },
  serviceName: 'b',
  template: { spec: { containers: [{ name: 'a', image: 'other' }] } },
  type: 'example.com/other',
  value: 8,
  volumeBindingMode: 'WaitForFirstConsumer',
  volumeClaimTemplates: [],
  volumeMode: 'Block',
}

const made = new Map<string, { kind: AnyKind; path: string; object: any }>()

async function sample(kind: string): Promise<{ path: string; object: any }> {
  const known = made.get(kind)
  if (known) return known
  const [value, body] = [...SAMPLES, [Pod, { spec: { containers: [container] } }] as const].find(
    ([one]) => one.kind === kind,
  )!
  const api = value.group === '' ? '/api/v1' : `/apis/${value.group}/${value.version}`
  const within = value.scope === 'Namespaced' ? `/namespaces/${server.namespace}` : ''
  const path = `${api}${within}/${value.plural}`
  const name = `facts-${server.namespace}`
  const metadata = { name }
  const dryRun = kind === 'Pod' ? '?dryRun=All' : ''
  if (kind === 'Pod') {
    await server.until('the default ServiceAccount', async () => {
      const account = `/api/v1/namespaces/${server.namespace}/serviceaccounts`
      const answer = await server.call('POST', account, {
        body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
      })
      return answer.status === 201 || answer.status === 409
    })
  }
  const apiVersion = value.group === '' ? value.version : `${value.group}/${value.version}`
  const answer = await server.call('POST', `${path}${dryRun}`, {
    body: { apiVersion, kind, metadata, ...body },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const entry = { kind: value, path: `${path}/${name}`, object: answer.body }
  made.set(kind, entry)
  return entry
}

function at(object: any, path: string): any {
  return path === '' ? object : path.split('.').reduce((value, name) => value?.[name], object)
}

describe('The default of', () => {
  const facts = Object.entries(DEFAULTS).flatMap(([name, fields]) =>
    Object.entries(fields).map(([field, value]) => [name, field, value] as const),
  )
  test.each(facts)('%s.%s is %j', async (name, field, value) => {
    const [kind, path] = PLACES[name]!
    expect(at((await sample(kind)).object, path)?.[field]).toEqual(value)
  })
})

describe('What cannot be changed is', () => {
  const facts = Object.entries(IMMUTABLE)
    .filter(([name]) => name !== 'rbac.v1.ClusterRoleBinding')
    .flatMap(([name, fields]) => fields.map((field) => [name, field] as const))
  test.each(facts)('%s.%s', async (name, field) => {
    const [kind, path] = PLACES[name]!
    const entry = await sample(kind)
    const part = { [field]: OTHERS[field] ?? 'other' }
    const body = path === '' ? part : { [path]: part }
    const answer = await server.call('PATCH', `${entry.path}?dryRun=All`, {
      body,
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(422)
  })
})
