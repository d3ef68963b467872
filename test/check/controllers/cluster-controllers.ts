import type { CheckOptions, CheckReport, Finding, FindingClass } from '@homeostat/check'
import {
  controller,
  controllerReference,
  defineKind,
  operator,
  sample,
  schema as s,
  type AnyKind,
  type Controller,
  type Kind,
  type KindFinder,
  type Operator,
  type SampleObject,
} from 'homeostat'
import {
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  Secret,
  Service,
  StatefulSet,
} from 'homeostat/kinds'
import { cronJobController } from '../../../packages/cluster/src/controllers/cron-job/cron-job-controller.ts'
import { daemonSetController } from '../../../packages/cluster/src/controllers/daemon-set/daemon-set-controller.ts'
import { deploymentController } from '../../../packages/cluster/src/controllers/deployment/deployment-controller.ts'
import { endpointsController } from '../../../packages/cluster/src/controllers/endpoints/endpoints-controller.ts'
import { jobController } from '../../../packages/cluster/src/controllers/job/job-controller.ts'
import { jobPodTracking } from '../../../packages/cluster/src/controllers/job/job-pod-tracking.ts'
import { namespaceController } from '../../../packages/cluster/src/controllers/namespace/namespace-controller.ts'
import { replicaSetController } from '../../../packages/cluster/src/controllers/replica-set/replica-set-controller.ts'
import { statefulSetController } from '../../../packages/cluster/src/controllers/stateful-set/stateful-set-controller.ts'
import { garbageCollector } from '../../../packages/cluster/src/garbage-collector/index.ts'

/** Findings for behaviour that Kubernetes has as well. */
interface KnownFinding {
  readonly class: FindingClass
  /** Found in the summary. */
  readonly summary: RegExp
  /** The behaviour of kube-controller-manager. */
  readonly reason: string
}

/** A controller of the cluster as an operator under the check; the others are its surroundings. */
export interface CheckedController {
  readonly name: string
  readonly source: () => Operator
  readonly known: readonly KnownFinding[]
}

/** The controllers of a cluster need no role: they run with all rights. */
export const CONTROLLER_OPTIONS: CheckOptions = { rights: 'all', combinations: 0 }

const labels = { app: 'web' }
const metadata = { name: 'web', namespace: 'default' }
const containers = [{ name: 'web', image: 'web:1' }]
const template = { metadata: { labels }, spec: { containers } }
const selector = { matchLabels: labels }
const jobSpec = { template: { spec: { restartPolicy: 'Never' as const, containers } } }

/** The dependents that the garbage collector deletes with their owner: each has a child, and this child has one of its own. */
const Owner = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Owner',
  spec: s.object({ text: s.string() }),
})
const owners = controller('owners')
  .for(Owner)
  .owns(ConfigMap)
  .watches(Secret, ({ metadata: { namespace, name } }) => ({ namespace, name }))
  .reconcile(async (key, { client }) => {
    const owner = await client.get(Owner, key)
    if (!owner || owner.metadata.deletionTimestamp) return
    const { text } = owner.spec
    const child = await client.apply(ConfigMap, {
      metadata: { ...key, ownerReferences: [controllerReference(owner)] },
      data: { text },
    })
    if (child.metadata.deletionTimestamp) return
    const ownerReferences = [controllerReference(child)]
    await client.apply(Secret, { metadata: { ...key, ownerReferences }, stringData: { text } })
  })

/** Fills namespaces, so that the controller of namespaces has something to delete. */
const fillers = controller('fillers')
  .for(Namespace)
  .watches(ConfigMap, ({ metadata }) => ({ name: metadata.namespace }))
  .reconcile(async ({ name }, { client }) => {
    const namespace = await client.get(Namespace, { name })
    if (!namespace?.metadata.labels?.['fill'] || namespace.metadata.deletionTimestamp) return
    const data = { text: namespace.metadata.labels['fill'] }
    await client.apply(ConfigMap, { metadata: { namespace: name, name: 'content' }, data })
  })

export const clusterControllers: readonly CheckedController[] = [
  {
    name: 'deployment',
    source: under(
      () => [deploymentController],
      sample(Deployment, { metadata, spec: { replicas: 2, selector, template } }),
    ),
    known: [
      {
        class: 'not-healed',
        summary: /ReplicaSet/,
        reason:
          'a ReplicaSet whose labels no longer match is released, and its name counts as a collision; its hash, and a template that another client changed, are not written again',
      },
      {
        class: 'history',
        summary: /ReplicaSet/,
        reason: 'ReplicaSets of earlier templates stay without Pods, so that one can go back to them',
      },
      {
        class: 'downtime',
        summary: /ReplicaSet/,
        reason: 'the same after a template was changed while the controller was down',
      },
      {
        class: 'recreation',
        summary: /ReplicaSet/,
        reason:
          'the ReplicaSet of the deleted Deployment still has the name when the new one is reconciled, which counts as a collision',
      },
    ],
  },
  {
    name: 'replica-set',
    source: under(
      () => [replicaSetController],
      sample(ReplicaSet, { metadata, spec: { replicas: 2, selector, template } }),
    ),
    known: [
      {
        class: 'history',
        summary: /Pod/,
        reason: 'Pods that exist stay as they are when the template changes',
      },
      {
        class: 'downtime',
        summary: /Pod/,
        reason: 'the same after the template was changed while the controller was down',
      },
    ],
  },
  {
    name: 'stateful-set',
    source: under(
      () => [statefulSetController],
      sample(StatefulSet, { metadata, spec: { serviceName: 'web', replicas: 2, selector, template } }),
    ),
    known: [
      {
        class: 'not-healed',
        summary: /ControllerRevision/,
        reason:
          'ControllerRevisions are not watched: one that is deleted is made again when the set is reconciled next',
      },
      {
        class: 'history',
        summary: /ControllerRevision/,
        reason: 'revisions of earlier templates stay, so that one can go back to them',
      },
      {
        class: 'downtime',
        summary: /ControllerRevision/,
        reason: 'the same after a template was changed while the controller was down',
      },
    ],
  },
  {
    name: 'job',
    source: under(() => [jobController(), jobPodTracking], sample(Job, { metadata, spec: jobSpec })),
    known: [
      {
        class: 'recreation',
        summary: /Pod/,
        reason:
          'a Job of batch/v1 that is deleted without a propagation policy leaves its Pods without an owner',
      },
      {
        class: 'stale-cache',
        summary: /Pod|status\.succeeded/,
        reason:
          'Pods have generated names, and what was created is remembered by the process alone: one that starts with an older list of Pods or Jobs creates another Pod',
      },
    ],
  },
  {
    name: 'daemon-set',
    source: under(
      () => [daemonSetController],
      sample(Node, { metadata: { name: 'one' } }),
      sample(DaemonSet, { metadata, spec: { selector, template } }),
    ),
    known: [
      {
        class: 'not-healed',
        summary: /ControllerRevision/,
        reason:
          'labels, annotations and data of a revision that another client changed are not written again',
      },
      {
        class: 'history',
        summary: /ControllerRevision/,
        reason: 'revisions of earlier templates stay, so that one can go back to them',
      },
      {
        class: 'status-ahead',
        summary: /ControllerRevision/,
        reason: 'the same: the number of a revision tells how many templates came before',
      },
    ],
  },
  {
    name: 'cron-job',
    source: under(
      () => [cronJobController],
      sample(CronJob, { metadata, spec: { schedule: '3 * * * *', jobTemplate: { spec: jobSpec } } }),
    ),
    known: [
      {
        class: 'not-healed',
        summary: /Job default/,
        reason: 'a Job that is deleted is not started again: its time has passed',
      },
      {
        class: 'recreation',
        summary: /status of the CronJob/,
        reason: 'a CronJob that is created after its minute waits for the next hour',
      },
      {
        class: 'interleaving',
        summary: /status of the CronJob/,
        reason: 'the same for a second CronJob, whichever way their reconciles overlap',
      },
    ],
  },
  {
    name: 'garbage-collector',
    source: under(
      () => [owners, garbageCollector(finderOf(Owner, ConfigMap, Secret))],
      sample(Owner, { metadata, spec: { text: 'one' } }),
    ),
    known: [],
  },
  {
    name: 'namespace',
    source: under(
      () => [fillers, namespaceController(finderOf(Namespace, ConfigMap, Secret))],
      sample(Namespace, { metadata: { name: 'team', labels: { fill: 'one' } } }),
    ),
    known: [],
  },
  {
    name: 'endpoints',
    source: under(
      () => [endpointsController()],
      sample(Service, { metadata, spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } }),
      sample(Pod, { metadata: { ...metadata, labels }, spec: { containers } }),
    ),
    known: [
      {
        class: 'not-healed',
        summary: /Endpoints/,
        reason:
          'a change of Endpoints by another client is written over when the Service or a Pod changes next',
      },
      {
        class: 'stale-cache',
        summary: /metadata\.annotations of the Endpoints/,
        reason:
          'Endpoints that are made again have no time of the last change, since neither the Service nor a Pod has changed',
      },
      {
        class: 'stale-cache',
        summary: /the operator deletes the Endpoints/,
        reason:
          'a controller whose cache has no such Service deletes its Endpoints, and makes them again later',
      },
      {
        class: 'recreation',
        summary: /metadata\.annotations of the Endpoints/,
        reason: 'the same time is missing where a deletion and a creation are seen as one change',
      },
      {
        class: 'history',
        summary: /Endpoints|EndpointSlice/,
        reason:
          'a Service that loses its selector keeps the endpoints that it has: from then on they belong to the user',
      },
      {
        class: 'takes-over',
        summary: /Endpoints/,
        reason: 'Endpoints belong to the Service of their name, whatever their owner references say',
      },
      {
        class: 'foreign-field-lost',
        summary: /Endpoints/,
        reason: 'the labels of Endpoints are those of their Service',
      },
    ],
  },
]

/** Finds these kinds and no others. */
function finderOf(...kinds: readonly AnyKind[]): KindFinder {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
  return {
    list: () => Promise.resolve(kinds.map((kind) => ({ kind: kind as Kind, verbs }))),
    find: (_apiVersion, name) => Promise.resolve(kinds.find(({ kind }) => kind === name) as Kind | undefined),
  }
}

function under(
  controllers: () => readonly Controller[],
  ...samples: readonly SampleObject[]
): () => Operator {
  return () => operator('cluster-controllers', { controllers: controllers(), samples })
}

/** Findings for behaviour that Kubernetes does not have. */
export function unknownFindings({ known }: CheckedController, { findings }: CheckReport): Finding[] {
  return findings.filter(
    (finding) => !known.some((one) => one.class === finding.class && one.summary.test(finding.summary)),
  )
}
