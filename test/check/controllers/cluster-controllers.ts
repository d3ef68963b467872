import type { CheckOptions, CheckReport, Finding, FindingClass } from '@homeostat/check'
import { operator, sample, type Controller, type Operator, type SampleObject } from 'homeostat'
import { Deployment, Job, Pod, ReplicaSet, Service, StatefulSet } from 'homeostat/kinds'
import { deploymentController } from '../../../packages/cluster/src/controllers/deployment/deployment-controller.ts'
import { endpointsController } from '../../../packages/cluster/src/controllers/endpoints/endpoints-controller.ts'
import { jobController } from '../../../packages/cluster/src/controllers/job/job-controller.ts'
import { jobPodTracking } from '../../../packages/cluster/src/controllers/job/job-pod-tracking.ts'
import { replicaSetController } from '../../../packages/cluster/src/controllers/replica-set/replica-set-controller.ts'
import { statefulSetController } from '../../../packages/cluster/src/controllers/stateful-set/stateful-set-controller.ts'

/** What the check reports though Kubernetes does the same. */
interface KnownFinding {
  readonly class: FindingClass
  /** Found in the summary. */
  readonly summary: RegExp
  /** What kube-controller-manager does. */
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

function under(
  controllers: () => readonly Controller[],
  ...samples: readonly SampleObject[]
): () => Operator {
  return () => operator('cluster-controllers', { controllers: controllers(), samples })
}

/** What the check reports and Kubernetes does not do as well. */
export function unknownFindings({ known }: CheckedController, { findings }: CheckReport): Finding[] {
  return findings.filter(
    (finding) => !known.some((one) => one.class === finding.class && one.summary.test(finding.summary)),
  )
}
