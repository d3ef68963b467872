import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import { emptyParts } from './found/empty-parts.ts'
import {
  APPLY,
  container,
  create,
  found,
  labels,
  MERGE,
  NAMESPACED,
  STRATEGIC,
  template,
} from './found/found-case.ts'
import { policies } from './found/policies.ts'
import { repeatedKeys } from './found/repeated-keys.ts'
import { strategicMerges } from './found/strategic-merges.ts'
import { again, number, type Tree } from './json-tree.ts'

/**
 * Cases that long runs of the fuzzer found, by kind: requests to which our server answered otherwise than the real one.
 * Unlike the cases in kept-cases.ts they follow no plan.
 */
export function foundCases(): FuzzCase[] {
  return [
    ...owners(),
    ...refusals(),
    ...duplicates(),
    ...queries(),
    ...reviews(),
    ...warnings(),
    ...patches(),
    ...writes(),
    ...unreadable(),
    ...roundedAmounts(),
    scales(),
    ...definitionsAndRoles(),
    ...emptyParts(),
    ...strategicMerges(),
    ...policies(),
    ...repeatedKeys(),
  ]
}

/** Who owns fields that the server fills in or drops. */
function owners(): FuzzCase[] {
  const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }
  return [
    found(
      'autoscaling/v1 HorizontalPodAutoscaler',
      'the share of the CPU that is filled in',
      create('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers', {
        metadata: { name: 'h' },
        spec: { scaleTargetRef: target, maxReplicas: 2 },
      }),
    ),
    found(
      'networking.k8s.io/v1 IPAddress',
      'a reference that is always there',
      create('/apis/networking.k8s.io/v1/ipaddresses', {
        metadata: { name: '192.0.2.1' },
        spec: { parentRef: { group: '', resource: 'services', namespace: 'n', name: 's' } },
      }),
    ),
    found(
      'coordination.k8s.io/v1 Lease',
      'fields of a feature that is off',
      create('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
        metadata: { name: 'l' },
        spec: { holderIdentity: 'h', strategy: 'OldestEmulationVersion', preferredHolder: 'p' },
      }),
    ),
    found(
      'apps/v1 StatefulSet',
      'a field of a feature that is off',
      create('/apis/apps/v1/namespaces/{ns}/statefulsets', {
        metadata: { name: 's' },
        spec: {
          serviceName: 's',
          selector: { matchLabels: labels },
          template,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
        },
      }),
    ),
    found(
      'apps/v1 Deployment',
      'a field of a feature that is off, in a template',
      create('/apis/apps/v1/namespaces/{ns}/deployments', {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: labels },
          template: { ...template, spec: { containers: [container], schedulingGroup: {} } },
        },
      }),
    ),
  ]
}

function refusals(): FuzzCase[] {
  return [
    found(
      'batch/v1 Job',
      'a policy that is empty',
      create('/apis/batch/v1/namespaces/{ns}/jobs', {
        metadata: { name: 'j' },
        spec: { podReplacementPolicy: '', template: { spec: { containers: [container] } } },
      }),
    ),
    found(
      'v1 Service',
      'a policy of traffic that is empty',
      create(`${NAMESPACED}/services`, {
        metadata: { name: 's' },
        spec: { internalTrafficPolicy: '', ports: [{ port: 80 }] },
      }),
    ),
    found(
      'v1 Service',
      'a traffic policy that does not exist, where none is used',
      create(`${NAMESPACED}/services`, {
        metadata: { name: 's' },
        spec: { type: 'ExternalName', externalName: 'example.com', internalTrafficPolicy: 'Nope' },
      }),
    ),
    found(
      'networking.k8s.io/v1 ServiceCIDR',
      'a network and an address',
      create('/apis/networking.k8s.io/v1/servicecidrs', {
        metadata: { name: 'c' },
        spec: { cidrs: ['192.0.2.0/24', '10.0.0.1'] },
      }),
    ),
    found(
      'v1 PodTemplate',
      'rules of restarts without a policy',
      create(`${NAMESPACED}/podtemplates`, {
        metadata: { name: 't' },
        template: {
          metadata: { labels },
          spec: {
            containers: [container],
            initContainers: [{ ...container, name: 'i', restartPolicyRules: [{}] }],
          },
        },
      }),
    ),
    found(
      'v1 Secret',
      'bytes that are no JSON',
      create(`${NAMESPACED}/secrets`, {
        metadata: { name: 's' },
        type: 'kubernetes.io/dockerconfigjson',
        data: { '.dockerconfigjson': '////' },
      }),
    ),
    found(
      'v1 PersistentVolumeClaim',
      'a text for a list of a named type',
      create(`${NAMESPACED}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec: { accessModes: 'x' } }),
    ),
    found('v1 ConfigMap', 'an apply of a name that is a number', {
      method: 'PATCH',
      path: `${NAMESPACED}/configmaps/m?fieldManager=f`,
      type: APPLY,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 5 } },
    }),
    found(
      'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration',
      'a hand of more queues than a hash can choose',
      create('/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', {
        metadata: { name: 'l' },
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: { queues: 65535 } } },
        },
      }),
    ),
    found(
      'v1 PodTemplate',
      'a strict merge patch with an unknown field of null in a list',
      {
        method: 'POST',
        path: `${NAMESPACED}/podtemplates`,
        body: { metadata: { name: 'nulls' }, template },
      },
      {
        method: 'PATCH',
        path: `${NAMESPACED}/podtemplates/nulls?fieldValidation=Strict`,
        type: MERGE,
        body: { template: { spec: { containers: [{ ...container, unknown: null }] } } },
      },
    ),
    found(
      'v1 PodTemplate',
      'a strategic merge without a merge key',
      {
        method: 'POST',
        path: `${NAMESPACED}/podtemplates`,
        body: { metadata: { name: 'merged' }, template },
      },
      {
        method: 'PATCH',
        path: `${NAMESPACED}/podtemplates/merged`,
        type: STRATEGIC,
        body: { template: { spec: { containers: [{ image: 'x' }] } } },
      },
      {
        method: 'PATCH',
        path: `${NAMESPACED}/podtemplates/merged`,
        type: STRATEGIC,
        body: { template: { spec: { containers: ['x'] } } },
      },
    ),
  ]
}

function duplicates(): FuzzCase[] {
  const twice = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'twice', [again('name')]: 'twice' } }
  const apply = (query: string): FuzzRequest => ({
    method: 'PATCH',
    path: `${NAMESPACED}/configmaps/twice?fieldManager=f&${query}`,
    type: APPLY,
    body: twice,
  })
  return [
    found('v1 ConfigMap', 'a field that is applied twice', apply('dryRun=All')),
    found('v1 ConfigMap', 'a field that is applied twice, strictly', apply('fieldValidation=Strict')),
    found(
      'v1 Pod',
      'an amount that stands twice, first as a text that is none',
      create(`${NAMESPACED}/pods`, {
        metadata: { name: 'p' },
        spec: { containers: [container], overhead: { cpu: 'x', [again('cpu')]: '1' } },
      }),
    ),
    found(
      'v1 PodTemplate',
      'a template with lists that stands twice',
      create(`${NAMESPACED}/podtemplates`, {
        metadata: { name: 't' },
        template: { metadata: { labels }, spec: { containers: [{ env: [{ name: 'e' }] }] } },
        [again('template')]: { spec: { containers: [container] } },
      }),
    ),
  ]
}

/** Of several wrong parameters, the one that the server reads first. */
function queries(): FuzzCase[] {
  const list = (query: Record<string, string>): FuzzRequest => ({
    method: 'GET',
    path: `${NAMESPACED}/configmaps?${new URLSearchParams(query).toString()}`,
  })
  return [
    found(
      'v1 ConfigMap',
      'a list with several wrong parameters',
      list({ limit: '1e3', labelSelector: '-=a', fieldSelector: 'a' }),
      list({ labelSelector: '-=a', fieldSelector: 'a' }),
      list({ fieldSelector: 'a' }),
      list({ fieldSelector: '=' }),
    ),
  ]
}

function reviews(): FuzzCase[] {
  const spec = { user: 'u', resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } }
  const sent = { selfLink: 's', deletionGracePeriodSeconds: 5, creationTimestamp: '2020-01-02T03:04:05Z' }
  return [
    found(
      'authorization.k8s.io/v1 SubjectAccessReview',
      'metadata and a status that were sent',
      create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        metadata: { ...sent, namespace: 'n' },
        spec,
        status: { allowed: true },
      }),
    ),
    found(
      'authorization.k8s.io/v1 LocalSubjectAccessReview',
      'another namespace',
      create('/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews', {
        metadata: { namespace: 'other', name: 'n' },
        spec,
      }),
    ),
    found(
      'v1 Binding',
      'another namespace',
      create(`${NAMESPACED}/bindings`, {
        metadata: { namespace: 'other', name: 'n' },
        target: { kind: 'Node', name: 'n' },
      }),
    ),
  ]
}

function warnings(): FuzzCase[] {
  const sets = '/apis/apps/v1/namespaces/{ns}/statefulsets'
  const set = {
    metadata: { name: 'warned' },
    spec: { serviceName: 's', selector: { matchLabels: labels }, template, revisionHistoryLimit: -1 },
  }
  const controllers = `${NAMESPACED}/replicationcontrollers`
  const controller = (more: object): Tree => ({
    metadata: { name: 'warned' },
    spec: { template: { ...template, spec: { containers: [container], ...more } } },
  })
  return [
    found(
      'v1 ReplicationController',
      'a warning of a long negative number',
      create(`${NAMESPACED}/replicationcontrollers`, {
        metadata: { name: 'r' },
        spec: {
          template: {
            metadata: { labels },
            spec: { containers: [container], terminationGracePeriodSeconds: number('-9007199254740993') },
          },
        },
      }),
    ),
    found(
      'apps/v1 DaemonSet',
      'a warning with a line break',
      create('/apis/apps/v1/namespaces/{ns}/daemonsets', {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ ...container, ports: [{ containerPort: 80, hostIP: '\n' }] }] },
          },
        },
      }),
    ),
    found(
      'v1 Pod',
      'an address of the host without a port of the host',
      create(`${NAMESPACED}/pods`, {
        metadata: { name: 'p' },
        spec: { containers: [{ ...container, ports: [{ containerPort: 80, hostIP: '192.0.2.1' }] }] },
      }),
    ),
    found(
      'apps/v1 StatefulSet',
      'warnings about an update that changes nothing',
      { method: 'POST', path: sets, body: set },
      { method: 'PUT', path: `${sets}/warned`, body: set },
    ),
    found(
      'v1 ReplicationController',
      'warnings about the template that an update replaces',
      { method: 'POST', path: controllers, body: controller({ terminationGracePeriodSeconds: -1 }) },
      { method: 'PUT', path: `${controllers}/warned`, body: controller({ priority: 1 }) },
    ),
  ]
}

/** JSON patches that Kubernetes reads otherwise than RFC 6902 says. */
function patches(): FuzzCase[] {
  const body = { metadata: { name: 'patched' }, data: { a: 'b' } }
  const patch = (operation: Tree): FuzzRequest => ({
    method: 'PATCH',
    path: `${NAMESPACED}/configmaps/patched`,
    type: 'application/json-patch+json',
    body: [operation],
  })
  return [
    found(
      'v1 ConfigMap',
      'JSON patches of the whole object, of nothing, and of a path without a slash',
      { method: 'POST', path: `${NAMESPACED}/configmaps`, body },
      patch({ op: 'add', path: '', value: { kind: 'ConfigMap' } }),
      patch({ op: 'copy', from: '', path: '/data/c' }),
      patch({ op: 'replace', path: '', value: [{}] }),
      patch({ op: 'replace', path: '', value: 5 }),
      patch(null),
      patch({ op: 'add', path: 'data', value: { x: 'y' } }),
      patch({ op: 'add', path: 'ignored/data/x', value: 'y' }),
    ),
  ]
}

function writes(): FuzzCase[] {
  const cronJobs = '/apis/batch/v1/namespaces/{ns}/cronjobs'
  const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets'
  const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
  const level = {
    metadata: { name: 'found' },
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  }
  const pod = { metadata: { name: 'resized' }, spec: { containers: [container] } }
  return [
    found(
      'storage.k8s.io/v1 StorageClass',
      'a policy that is empty',
      create('/apis/storage.k8s.io/v1/storageclasses', {
        metadata: { name: 's' },
        provisioner: 'a.b/c',
        reclaimPolicy: '',
      }),
    ),
    found(
      'v1 Pod',
      'huge pages of containers count for the Pod as a whole',
      create(`${NAMESPACED}/pods`, {
        metadata: { name: 'huge' },
        spec: {
          containers: [{ ...container, resources: { limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } } }],
          resources: { limits: { cpu: '2' } },
        },
      }),
    ),
    found(
      'v1 ConfigMap',
      'a deletion of one with a generation of 2^53',
      {
        method: 'POST',
        path: `${NAMESPACED}/configmaps`,
        body: {
          metadata: { name: 'old', generation: number('9007199254740992'), finalizers: ['example.com/a'] },
        },
      },
      { method: 'DELETE', path: `${NAMESPACED}/configmaps/old?propagationPolicy=Orphan` },
    ),
    found(
      'batch/v1 CronJob',
      'finalizers without a domain in a write of the status',
      {
        method: 'POST',
        path: cronJobs,
        body: {
          metadata: { name: 'found' },
          spec: {
            schedule: '* * * * *',
            jobTemplate: {
              spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
            },
          },
        },
      },
      {
        method: 'PUT',
        path: `${cronJobs}/found/status?dryRun=All`,
        body: { metadata: { name: 'found', finalizers: ['plain', 'a b'] } },
      },
    ),
    found(
      'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration',
      'a status with a condition that has no type',
      { method: 'POST', path: levels, body: level },
      {
        method: 'PUT',
        path: `${levels}/found/status?dryRun=All`,
        body: { ...level, status: { conditions: [{ status: 'True' }, { type: 'a' }, { type: 'a' }] } },
      },
    ),
    found(
      'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
      'a path that begins with a character of several bytes',
      create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'w' },
        webhooks: [
          {
            name: 'a.example.com',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            clientConfig: { service: { name: 's', namespace: 'n', path: 'é' } },
          },
        ],
      }),
    ),
    found(
      'storage.k8s.io/v1 CSIStorageCapacity',
      'an amount that is the number 0',
      create('/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities', {
        metadata: { name: 'c' },
        storageClassName: 's',
        maximumVolumeSize: 0,
      }),
    ),
    found(
      'apps/v1 DaemonSet',
      'a strategy that does not exist',
      create('/apis/apps/v1/namespaces/{ns}/daemonsets', {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: labels },
          template,
          updateStrategy: { type: 'Nope', rollingUpdate: { maxSurge: '50%' } },
        },
      }),
    ),
    found(
      'v1 Namespace',
      'finalizers that are no names',
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'found' } } },
      {
        method: 'PUT',
        path: '/api/v1/namespaces/found/finalize?dryRun=All',
        body: { metadata: { name: 'found' }, spec: { finalizers: ['a b', 'a/b/c'] } },
      },
    ),
    found(
      'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration',
      'metadata in a write of the status',
      { method: 'POST', path: levels, body: { ...level, metadata: { name: 'kept' } } },
      {
        method: 'PUT',
        path: `${levels}/kept/status?dryRun=All`,
        body: { ...level, metadata: { name: 'kept', labels, ownerReferences: [{}] } },
      },
    ),
    found(
      'policy/v1 PodDisruptionBudget',
      'a status with conditions that lack everything',
      { method: 'POST', path: budgets, body: { metadata: { name: 'found' }, spec: {} } },
      {
        method: 'PUT',
        path: `${budgets}/found/status?dryRun=All`,
        body: { metadata: { name: 'found' }, status: { conditions: [{}, { type: 'a b', reason: '-' }] } },
      },
    ),
    found(
      'v1 Pod',
      'a toleration of everything that replaces those of lost nodes',
      { method: 'POST', path: `${NAMESPACED}/pods`, body: { ...pod, metadata: { name: 'tolerant' } } },
      {
        method: 'PATCH',
        path: `${NAMESPACED}/pods/tolerant?dryRun=All`,
        type: MERGE,
        body: { spec: { tolerations: [{}] } },
      },
    ),
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'a schema that names its own schema',
      create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.found.example.com' },
        spec: {
          group: 'found.example.com',
          names: { plural: 'things', kind: 'Thing' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec: { $schema: 'a' } } } },
            },
          ],
        },
      }),
    ),
    found(
      'v1 Pod',
      'a resize with one more container',
      { method: 'POST', path: `${NAMESPACED}/pods`, body: pod },
      {
        method: 'PUT',
        path: `${NAMESPACED}/pods/resized/resize?dryRun=All`,
        body: {
          ...pod,
          spec: {
            containers: [
              { ...container, resources: { limits: { cpu: '1' } } },
              { ...container, name: 'd' },
            ],
          },
        },
      },
    ),
    found(
      'rbac.authorization.k8s.io/v1 ClusterRole',
      'an unknown field whose name is a line break, in a strict strategic merge patch',
      {
        method: 'PATCH',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/edit?dryRun=All&fieldValidation=Strict',
        type: STRATEGIC,
        body: { aggregationRule: { '\n': [] } },
      },
    ),
    found(
      'v1 Namespace',
      'a finalize with a namespace and a generation',
      {
        method: 'PUT',
        path: '/api/v1/namespaces/default/finalize?dryRun=All',
        body: { metadata: { name: 'default', namespace: 'x', generation: -1 } },
      },
      {
        method: 'PUT',
        path: '/api/v1/namespaces/default/finalize?dryRun=All',
        body: { metadata: { name: 'default', namespace: 'x', labels: { a: '{}' } } },
      },
    ),
    ...(['valueOf', '', 5, true, false, [], ['a']] as const).map((fieldsV1) =>
      found(
        'v1 PodTemplate',
        `a JSON patch that makes managed fields ${JSON.stringify(fieldsV1)}`,
        {
          method: 'POST',
          path: `${NAMESPACED}/podtemplates`,
          body: {
            metadata: { name: `managed-${typeof fieldsV1}-${JSON.stringify(fieldsV1).length}` },
            template,
          },
        },
        {
          method: 'PATCH',
          path: `${NAMESPACED}/podtemplates/managed-${typeof fieldsV1}-${JSON.stringify(fieldsV1).length}?dryRun=All`,
          type: 'application/json-patch+json',
          body: [{ op: 'add', path: '/metadata/managedFields/0/fieldsV1', value: fieldsV1 }],
        },
      ),
    ),
    ...['Strict', 'Warn', 'Ignore'].map((validation) =>
      found(
        'apiextensions.k8s.io/v1 CustomResourceDefinition',
        `a status subresource with a field, fieldValidation=${validation}`,
        create(
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          {
            metadata: { name: 'things.found.example.com' },
            spec: {
              group: 'found.example.com',
              names: { plural: 'things', kind: 'Thing' },
              scope: 'Namespaced',
              versions: [
                {
                  name: 'v1',
                  served: true,
                  storage: true,
                  subresources: { status: { a: { b: 1 } } },
                  schema: { openAPIV3Schema: { type: 'object' } },
                },
              ],
            },
          },
          `dryRun=All&fieldValidation=${validation}`,
        ),
      ),
    ),
    found(
      'apps/v1 ControllerRevision',
      'an apply of a new object whose uid is a number',
      ...[number('-9223372036854775808'), 5, 'a'].map((uid): FuzzRequest => ({
        method: 'PATCH',
        path: '/apis/apps/v1/namespaces/{ns}/controllerrevisions/numbered?dryRun=All&fieldManager=applier&force=true',
        type: APPLY,
        body: { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'numbered', uid } },
      })),
    ),
    found(
      'v1 Pod',
      'a claim for a Pod with a time to end',
      ...[0, 5, null].map((deletionGracePeriodSeconds) =>
        create(`${NAMESPACED}/pods`, {
          metadata: { name: 'p' },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            volumes: [
              {
                name: 'v',
                ephemeral: {
                  volumeClaimTemplate: {
                    metadata: { deletionGracePeriodSeconds },
                    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
                  },
                },
              },
            ],
          },
        }),
      ),
    ),
    found(
      'storage.k8s.io/v1 VolumeAttributesClass',
      'a class without a driver, and one that is applied without finalizers',
      create('/apis/storage.k8s.io/v1/volumeattributesclasses', {
        metadata: { name: 'a' },
        parameters: { a: 'b' },
      }),
      {
        method: 'PATCH',
        path: '/apis/storage.k8s.io/v1/volumeattributesclasses/applied?dryRun=All&fieldManager=applier&force=true',
        type: APPLY,
        body: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'VolumeAttributesClass',
          metadata: { name: 'applied', finalizers: [] },
          driverName: 'd',
          parameters: { a: 'b' },
        },
      },
    ),
    found(
      'v1 Pod',
      'lists and maps that are empty where none may be',
      ...[
        { ephemeralContainers: [{ ...container, name: 'e', ports: [] }] },
        { ephemeralContainers: [{ ...container, name: 'e', resizePolicy: [] }] },
        { ephemeralContainers: [{ ...container, name: 'e', lifecycle: {} }] },
        { ephemeralContainers: [{ ...container, name: 'e', resources: { claims: [], limits: {} } }] },
        { ephemeralContainers: [{ ...container, name: 'e', resources: {}, env: [] }] },
        { resources: { claims: [] } },
        { overhead: {} },
        {
          volumes: [
            {
              name: 'v',
              ephemeral: {
                volumeClaimTemplate: {
                  metadata: { finalizers: [], ownerReferences: [], managedFields: [], labels: {} },
                  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
                },
              },
            },
          ],
        },
      ].flatMap((part) => [
        create(`${NAMESPACED}/pods`, {
          metadata: { name: 'p' },
          spec: { containers: [container], ...part },
        }),
        create(`${NAMESPACED}/podtemplates`, {
          metadata: { name: 't' },
          template: { ...template, spec: { containers: [container], ...part } },
        }),
      ]),
    ),
    found(
      'autoscaling/v2 HorizontalPodAutoscaler',
      'no policies',
      ...['scaleUp', 'scaleDown'].map((direction) =>
        create('/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers', {
          metadata: { name: 'h' },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 3,
            behavior: { [direction]: { policies: [] } },
          },
        }),
      ),
    ),
    found(
      'v1 ConfigMap',
      'no data, where it is for ever as it is',
      {
        method: 'POST',
        path: `${NAMESPACED}/configmaps`,
        body: { metadata: { name: 'frozen' }, immutable: true, binaryData: { a: '' } },
      },
      ...[{ data: {} }, { binaryData: {} }, { data: null }, { metadata: { labels: {} } }].map(
        (body): FuzzRequest => ({
          method: 'PATCH',
          path: `${NAMESPACED}/configmaps/frozen?dryRun=All`,
          type: 'application/merge-patch+json',
          body,
        }),
      ),
    ),
    found(
      'v1 ConfigMap',
      'a JSON patch in which something stands twice',
      {
        method: 'POST',
        path: `${NAMESPACED}/configmaps`,
        body: { metadata: { name: 'twice' }, data: { a: 'b' } },
      },
      ...[
        [{ op: 'add', path: '/data', value: { a: 5, [again('a')]: 'c' } }],
        [{ op: 'add', path: '/data', value: { a: 'c', [again('a')]: 5 } }],
        [{ op: 'add', path: '/data', value: 5, [again('value')]: { a: 'c' } }],
      ].map((body): FuzzRequest => ({
        method: 'PATCH',
        path: `${NAMESPACED}/configmaps/twice?dryRun=All`,
        type: 'application/json-patch+json',
        body,
      })),
    ),
    found(
      'v1 ConfigMap',
      'managed fields without a manager',
      create(`${NAMESPACED}/configmaps`, {
        metadata: {
          name: 'c',
          managedFields: [
            { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } },
          ],
        },
      }),
    ),
    found(
      'batch/v1 Job',
      'exit codes without values',
      create('/apis/batch/v1/namespaces/{ns}/jobs', {
        metadata: { name: 'j' },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [container] } },
          podFailurePolicy: {
            rules: [
              { action: 'FailJob', onExitCodes: { operator: 'In' } },
              { action: 'FailJob', onExitCodes: { operator: 'In', values: [] } },
            ],
          },
        },
      }),
    ),
    ...['Strict', 'Warn'].flatMap((validation) => [
      found('v1 Namespace', `a finalize with what stands twice, fieldValidation=${validation}`, {
        method: 'PUT',
        path: `/api/v1/namespaces/{ns}/finalize?dryRun=All&fieldValidation=${validation}`,
        body: { kind: 'Namespace', metadata: { name: '{ns}' }, [again('kind')]: 'Namespace' },
      }),
      found(
        'apps/v1 Deployment',
        `a scale with what is unknown, or stands twice, or is called otherwise, fieldValidation=${validation}`,
        {
          method: 'POST',
          path: '/apis/apps/v1/namespaces/{ns}/deployments',
          body: {
            metadata: { name: `scaled-${validation.toLowerCase()}` },
            spec: { selector: { matchLabels: labels }, template },
          },
        },
        ...[
          { spec: { replicas: 1, x: 2 }, y: 1 },
          { spec: { replicas: 1, [again('replicas')]: 2 } },
          { spec: { replicas: 'x' } },
          { metadata: { name: 'x' } },
        ].flatMap((part): FuzzRequest[] => {
          const name = `scaled-${validation.toLowerCase()}`
          const path = `/apis/apps/v1/namespaces/{ns}/deployments/${name}/scale?dryRun=All&fieldValidation=${validation}`
          const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name } }
          return [
            { method: 'PUT', path, body: { ...scale, ...part } },
            { method: 'PATCH', path, type: 'application/merge-patch+json', body: part },
            { method: 'PATCH', path, type: 'application/strategic-merge-patch+json', body: part },
          ]
        }),
        {
          method: 'PATCH',
          path: `/apis/apps/v1/namespaces/{ns}/deployments/scaled-${validation.toLowerCase()}/scale?dryRun=All`,
          type: 'application/json-patch+json',
          body: [{ op: 'replace', path: '/kind', value: 'X' }],
        },
      ),
    ]),
    found(
      'v1 PersistentVolumeClaim',
      'resources that stand twice, the second time as null',
      create(`${NAMESPACED}/persistentvolumeclaims`, {
        metadata: { name: 'c' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          [again('resources')]: null,
        },
      }),
    ),
    found(
      'v1 PersistentVolumeClaim',
      'a reference to data in an empty namespace',
      create(`${NAMESPACED}/persistentvolumeclaims`, {
        metadata: { name: 'c' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          dataSourceRef: { kind: 'Populator', name: 'x', apiGroup: 'acme.io', namespace: '' },
        },
      }),
    ),
  ]
}

/** Objects with several values that cannot be read: a type that reads its own text is told of before the others. */
function unreadable(): FuzzCase[] {
  const time = { creationTimestamp: 'now' }
  const probe = { failureThreshold: number('9007199254740992'), httpGet: { port: number('4294967296') } }
  return [
    found(
      'v1 Pod',
      'numbers, and then a time, that cannot be read',
      create(`${NAMESPACED}/pods`, { spec: { priority: 'x', hostPID: 1 }, metadata: { name: 1, ...time } }),
      create(`${NAMESPACED}/pods`, { metadata: time, spec: { overhead: { cpu: 'x' }, priority: 'x' } }),
      create(`${NAMESPACED}/pods`, { spec: { containers: [{ args: 1, livenessProbe: probe }] } }),
    ),
    found(
      'v1 Secret',
      'a type and bytes that cannot be read',
      create(`${NAMESPACED}/secrets`, { type: 1, data: { a: '%' }, metadata: { name: 's' } }),
      create(`${NAMESPACED}/secrets`, { data: { a: '%' }, type: 1, metadata: { name: 's' } }),
      create(`${NAMESPACED}/secrets`, { data: { a: '%' }, metadata: time }),
    ),
    found(
      'storage.k8s.io/v1 StorageClass',
      'fields of types of their own that cannot be read',
      create('/apis/storage.k8s.io/v1/storageclasses', { reclaimPolicy: [], metadata: { name: 's' } }),
      create('/apis/storage.k8s.io/v1/storageclasses', { volumeBindingMode: {}, metadata: { name: 's' } }),
    ),
  ]
}

/** Amounts that are finer than a thousandth, of claims and in what a kubelet reports. */
function roundedAmounts(): FuzzCase[] {
  const fine = { cpu: '1u', memory: '0.1m' }
  const reported = { allocatedResources: fine, resources: { limits: fine, requests: fine } }
  const status = { name: 'c', image: 'i', imageID: 'i', ready: true, restartCount: 0, ...reported }
  const resources = { requests: { storage: '1u' }, limits: { storage: '1.0001', other: '0.1m' } }
  const spec = { accessModes: ['ReadWriteOnce'], resources }
  const claim = { metadata: { name: 'data' }, spec, status: { capacity: { storage: '5n' } } }
  return [
    found(
      'apps/v1 StatefulSet',
      'fine amounts in a template for claims',
      create('/apis/apps/v1/namespaces/{ns}/statefulsets', {
        metadata: { name: 's' },
        spec: {
          serviceName: 's',
          selector: { matchLabels: labels },
          template,
          volumeClaimTemplates: [claim],
        },
      }),
    ),
    found('v1 PersistentVolumeClaim', 'fine amounts', create(`${NAMESPACED}/persistentvolumeclaims`, claim)),
    found(
      'v1 Pod',
      'fine amounts in its status',
      {
        method: 'POST',
        path: `${NAMESPACED}/pods`,
        body: { metadata: { name: 'fine' }, spec: { containers: [container] } },
      },
      {
        method: 'PATCH',
        path: `${NAMESPACED}/pods/fine/status?dryRun=All`,
        type: MERGE,
        body: { status: { containerStatuses: [status], ...reported } },
      },
      {
        method: 'PUT',
        path: `${NAMESPACED}/pods/fine/resize?dryRun=All`,
        body: { metadata: { name: 'fine', selfLink: '.' }, spec: { containers: [container] } },
      },
    ),
    found(
      'v1 Pod',
      'fine amounts in a claim of its own',
      create(`${NAMESPACED}/pods`, {
        metadata: { name: 'p' },
        spec: {
          containers: [container],
          volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }],
        },
      }),
    ),
  ]
}

/** Scales whose metadata are wrong. */
function scales(): FuzzCase {
  const path = '/apis/apps/v1/namespaces/{ns}/deployments'
  const wrong: object[] = [
    { labels: { 'a b': 'c' } },
    { annotations: { 'a b': 'c' } },
    { generateName: 'X_' },
    { generation: -1 },
    { finalizers: ['x'] },
    { ownerReferences: [{}] },
    { namespace: 'other' },
    { uid: 'u' },
    { managedFields: [{}] },
  ]
  const body = { metadata: { name: 'scaled' }, spec: { selector: { matchLabels: labels }, template } }
  return found(
    'apps/v1 Deployment',
    'metadata of a scale',
    { method: 'POST', path, body },
    ...wrong.flatMap((metadata): FuzzRequest[] => [
      {
        method: 'PUT',
        path: `${path}/scaled/scale?dryRun=All`,
        body: { metadata: { name: 'scaled', ...metadata }, spec: { replicas: -1 } },
      },
      { method: 'PATCH', path: `${path}/scaled/scale?dryRun=All`, type: MERGE, body: { metadata } },
    ]),
  )
}

function definitionsAndRoles(): FuzzCase[] {
  const mixed = { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }
  const properties = { a: mixed, b: { ...mixed, 'x-kubernetes-embedded-resource': true } }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  return [
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'a number or a text with unknown fields',
      create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'mixed.fuzz.example.com' },
        spec: {
          group: 'fuzz.example.com',
          names: { plural: 'mixed', kind: 'Mixed' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      }),
    ),
    found('rbac.authorization.k8s.io/v1 Role', 'managed fields that are null in an apply', {
      method: 'PATCH',
      path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/r?fieldManager=m&dryRun=All',
      type: APPLY,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r', managedFields: null },
      },
    }),
  ]
}
