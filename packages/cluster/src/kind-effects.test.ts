import { existsSync, readFileSync } from 'node:fs'
import { SimulatedClock } from '@homeostat/api'
import { serverGaps } from '@homeostat/apiserver'
import { expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import { CLUSTER_GAPS } from './controllers/index.ts'

/** The file or folder of a package's `src` that acts on the objects of each kind. */
const ACTED_ON: Readonly<Record<string, string>> = {
  '/ConfigMap': 'cluster/kubelet/pod/api-sources.ts',
  '/Endpoints': 'cluster/controllers/endpoints',
  '/Event': 'apiserver/native/event/expire-events.ts',
  '/LimitRange': 'apiserver/native/limit-range/limit-ranger.ts',
  '/Namespace': 'cluster/controllers/namespace',
  '/Node': 'cluster/controllers/scheduler',
  '/PersistentVolume': 'cluster/controllers/persistent-volumes',
  '/PersistentVolumeClaim': 'cluster/controllers/persistent-volumes',
  '/Pod': 'cluster/kubelet',
  '/ReplicationController': 'cluster/controllers/replica-set',
  '/ResourceQuota': 'cluster/controllers/resource-quota',
  '/Secret': 'cluster/kubelet/pod/api-sources.ts',
  '/Service': 'cluster/network/services/service-network.ts',
  '/ServiceAccount': 'apiserver/auth/tokens/service-account-tokens.ts',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': 'apiserver/policies',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': 'apiserver/policies',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'apiserver/webhooks',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'apiserver/webhooks',
  'apiextensions.k8s.io/CustomResourceDefinition':
    'apiserver/native/custom-resource-definition/serve-definitions.ts',
  'apiregistration.k8s.io/APIService': 'apiserver/native/aggregation',
  'apps/ControllerRevision': 'cluster/controllers/stateful-set/controller-revisions.ts',
  'apps/DaemonSet': 'cluster/controllers/daemon-set',
  'apps/Deployment': 'cluster/controllers/deployment',
  'apps/ReplicaSet': 'cluster/controllers/replica-set',
  'apps/StatefulSet': 'cluster/controllers/stateful-set',
  'batch/CronJob': 'cluster/controllers/cron-job',
  'batch/Job': 'cluster/controllers/job',
  'certificates.k8s.io/CertificateSigningRequest': 'cluster/controllers/certificates',
  'discovery.k8s.io/EndpointSlice': 'cluster/network/services/service-plan.ts',
  'events.k8s.io/Event': 'apiserver/native/event/expire-events.ts',
  'flowcontrol.apiserver.k8s.io/FlowSchema': 'apiserver/flow-control',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': 'apiserver/flow-control',
  'policy/PodDisruptionBudget': 'cluster/controllers/disruption',
  'rbac.authorization.k8s.io/ClusterRole': 'apiserver/auth/rbac',
  'rbac.authorization.k8s.io/ClusterRoleBinding': 'apiserver/auth/rbac',
  'rbac.authorization.k8s.io/Role': 'apiserver/auth/rbac',
  'rbac.authorization.k8s.io/RoleBinding': 'apiserver/auth/rbac',
  'scheduling.k8s.io/PriorityClass': 'apiserver/native/priority-class/priority.ts',
  'storage.k8s.io/StorageClass': 'cluster/controllers/persistent-volumes/standard-class.ts',
}

/** Kinds that no component of Kubernetes acts on: clients read and write them. */
const DATA = new Set(['/PodTemplate', 'coordination.k8s.io/Lease'])

const gaps = [...serverGaps(false), ...CLUSTER_GAPS]
const nameOf = ({ group, kind }: { group: string; kind: string }): string => `${group}/${kind}`

it('acts on every native kind that it serves, or says that it does not', async () => {
  await using cluster = await Cluster.start({ clock: new SimulatedClock(), port: false })
  const served = await cluster.client.kinds.list()
  const stored = served.filter(({ verbs }) => verbs.includes('list') && verbs.includes('create'))
  const names = [...new Set(stored.map(({ kind }) => nameOf(kind)))]
  expect(names.length).toBeGreaterThan(50)
  const without = new Set(gaps.map(nameOf))
  const undecided = names.filter((name) => !(name in ACTED_ON) && !DATA.has(name) && !without.has(name))
  expect(undecided, 'say in ACTED_ON what acts on these kinds, or add them to DATA').toEqual([])
  // Gaps of some objects leave the others their effect.
  const whole = new Set(gaps.filter(({ concerns }) => !concerns).map(nameOf))
  const contradictory = names.filter((name) => name in ACTED_ON && whole.has(name))
  expect(contradictory).toEqual([])
  const unknown = [...Object.keys(ACTED_ON), ...DATA, ...without].filter((name) => !names.includes(name))
  expect(unknown).toEqual([])
})

const NODES_IGNORE =
  'No effect here: the nodes of this cluster ignore hostNetwork, hostPID, hostIPC, hostUsers, shareProcessNamespace, setHostnameAsFQDN, dnsConfig'
const MOUNTS_IGNORED = 'No effect here: the nodes of this cluster ignore the mountPropagation of volumeMounts'
const NETWORK_IGNORES =
  'No effect here: the network of this cluster ignores externalIPs, externalTrafficPolicy, internalTrafficPolicy, trafficDistribution'
const NO_BALANCER =
  'No effect here: this cluster has no load balancer: EXTERNAL-IP stays pending, the ClusterIP and NodePorts work'
const containers = [{ name: 'c', image: 'pause' }]
const ports = [{ port: 80 }]

function mounted(mountPropagation: string): object {
  const volumeMounts = [{ name: 'v', mountPath: '/v', mountPropagation }]
  return {
    spec: { volumes: [{ name: 'v', emptyDir: {} }], containers: [{ ...containers[0], volumeMounts }] },
  }
}

it.each<[plural: string, object: object, ...warnings: string[]]>([
  ['pods', { spec: { containers } }],
  ['pods', { spec: { hostNetwork: true, containers } }, NODES_IGNORE],
  ['pods', { spec: { hostUsers: true, containers } }],
  ['pods', { spec: { hostUsers: false, containers } }, NODES_IGNORE],
  ['pods', { spec: { setHostnameAsFQDN: true, containers } }, NODES_IGNORE],
  ['pods', mounted('None')],
  ['pods', mounted('HostToContainer'), MOUNTS_IGNORED],
  [
    'cronjobs',
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: { hostPID: true, restartPolicy: 'Never', containers },
            },
          },
        },
      },
    },
    NODES_IGNORE,
  ],
  ['services', { spec: { ports, type: 'NodePort' } }],
  ['services', { spec: { ports, internalTrafficPolicy: 'Local' } }, NETWORK_IGNORES],
  ['services', { spec: { ports, trafficDistribution: 'PreferSameZone' } }, NETWORK_IGNORES],
  [
    'services',
    { spec: { ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local' } },
    NO_BALANCER,
    NETWORK_IGNORES,
  ],
  [
    'services',
    { spec: { ports, externalIPs: ['192.0.2.1'] } },
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    NETWORK_IGNORES,
  ],
])('warns of fields of %s that the cluster ignores: %j', async (plural, object, ...warnings) => {
  await using cluster = await Cluster.start({ clock: new SimulatedClock(), port: false })
  const root = plural === 'cronjobs' ? '/apis/batch/v1' : '/api/v1'
  const { status, headers } = await cluster.handler({
    method: 'POST',
    path: `${root}/namespaces/default/${plural}`,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify({ metadata: { name: 'a' }, ...object })),
  })
  const expected = warnings.map((warning) => `299 - "${warning}"`)
  expect([status, headers['warning']]).toEqual([201, expected.join(', ') || undefined])
})

it('names what acts on a kind by a file that there is', () => {
  const missing = Object.values(ACTED_ON).filter((path) => {
    const [name, ...rest] = path.split('/')
    return !existsSync(new URL(`../../${name}/src/${rest.join('/')}`, import.meta.url))
  })
  expect(missing).toEqual([])
})

it.each([
  ['apiserver', serverGaps(false)],
  ['cluster', CLUSTER_GAPS],
])('lists in the README of %s the kinds without effect, and no others', (name, own) => {
  const readme = readFileSync(new URL(`../../${name}/README.md`, import.meta.url), 'utf8')
  const section = readme.split('## What is stored without effect\n')[1]!.split('\n## ')[0]!
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!)
  const templates = /Pods, and kinds with a Pod template \(([^)]*)\)/.exec(section)?.[1] ?? ''
  const named = [...cells, templates].flatMap((text) =>
    [...text.matchAll(/`([A-Z]\w+)`/g)].map(([, kind]) => kind!),
  )
  const listed = named.filter((kind) => kind !== 'LoadBalancer' && kind !== 'Local' && kind !== 'Audit')
  expect([...new Set(listed)].sort()).toEqual([...new Set(own.map(({ kind }) => kind))].sort())
})
