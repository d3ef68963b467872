import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import { number } from '../json-tree.ts'
import { APPLY, MERGE, NAMESPACED, container, labels, template, found, create, store } from './found-case.ts'

/** Pods and what makes them. */
export function workloads(): FuzzCase[] {
  return [scales(), addresses(), percentages(), jobLabels(), ...workloadWrites()]
}

/** Rolling updates of as many Pods as texts say that are no percentages, or percentages below 0. */
function percentages(): FuzzCase {
  const texts = ['-1%', '5', '-5', '+5', '5x', '', '%', '0%', '00%', '5%', '101%', '5%\n', '1.5%']
  const update = (path: string, field: string, rollingUpdate: object): FuzzRequest =>
    create(`/apis/apps/v1/namespaces/{ns}/${path}`, {
      metadata: { name: 'rolled' },
      spec: { selector: { matchLabels: labels }, template, [field]: { rollingUpdate } },
    })
  return found(
    'apps/v1 DaemonSet',
    'texts for numbers of Pods, also of Deployments and StatefulSets',
    ...texts.flatMap((text) => [
      update('daemonsets', 'updateStrategy', { maxSurge: text, maxUnavailable: 1 }),
      update('daemonsets', 'updateStrategy', { maxSurge: 0, maxUnavailable: text }),
      update('deployments', 'strategy', { maxSurge: 0, maxUnavailable: text }),
      update('deployments', 'strategy', { maxSurge: text, maxUnavailable: 0 }),
      update('statefulsets', 'updateStrategy', { maxUnavailable: text }),
    ]),
  )
}

/** Labels of Jobs that are like those of their templates: only labels that were not sent follow the template. */
function jobLabels(): FuzzCase {
  const spec = { ...template.spec, restartPolicy: 'Never' }
  return found(
    'batch/v1 Job',
    'labels like those of the template',
    ...[undefined, {}, labels, { x: 'y' }].flatMap((own) =>
      [undefined, labels].map((inTemplate) =>
        create('/apis/batch/v1/namespaces/{ns}/jobs', {
          metadata: { name: 'labelled', ...(own && { labels: own }) },
          spec: { template: { metadata: inTemplate && { labels: inTemplate }, spec } },
        }),
      ),
    ),
  )
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

/** Addresses in the status of a Pod, of no, one or several families. */
function addresses(): FuzzCase {
  const lists: readonly (readonly (string | undefined)[])[] = [
    ['1.2.3.4', '5.6.7.8'],
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4', '::1', '::2'],
    [undefined, undefined],
    ['1.2.3.4', undefined, '1.2.3.4'],
    ['1.2.3.4', 'x'],
    ['x', 'x', '::1'],
    ['01.2.3.4', '::1'],
    ['1.2.3.4', '::ffff:1.2.3.4'],
    ['x'],
  ]
  const metadata = { name: 'addressed' }
  const pods = `${NAMESPACED}/pods`
  const ips = (list: readonly (string | undefined)[]) => list.map((ip) => (ip === undefined ? {} : { ip }))
  return found(
    'v1 Pod',
    'addresses in a status',
    store(pods, { metadata, spec: { containers: [container] } }),
    ...lists.flatMap((list): FuzzRequest[] =>
      [{ podIPs: ips(list) }, { hostIP: list[0] ?? '', hostIPs: ips(list) }].map((status) => ({
        method: 'PUT',
        path: `${pods}/addressed/status?dryRun=All`,
        body: { metadata, spec: { containers: [container] }, status },
      })),
    ),
  )
}

/** Writes of Pods and of what makes them. */
function workloadWrites(): FuzzCase[] {
  const cronJobs = '/apis/batch/v1/namespaces/{ns}/cronjobs'
  const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets'
  const pod = { metadata: { name: 'resized' }, spec: { containers: [container] } }
  return [
    found(
      'v1 Pod',
      'the second of several paths in a projected volume, which is wrong',
      ...['configMap', 'secret', 'downwardAPI'].map((kind) =>
        create(`${NAMESPACED}/pods`, {
          metadata: { name: 'projected' },
          spec: {
            containers: [container],
            volumes: [
              {
                name: 'v',
                projected: { sources: [{ [kind]: { name: 's', items: [{ key: 'a', path: 'b' }, {}] } }] },
              },
              {
                name: 'w',
                projected: { sources: [{}, { [kind]: { items: [{}, { path: '/a/../b' }, { path: 'b' }] } }] },
              },
            ],
          },
        }),
      ),
    ),
    found(
      'v1 Pod',
      'fractions of huge pages',
      ...['0.1m', '1m', '-0.5', '2097152.5', '2097151.5', '4Mi'].map((amount) =>
        create(`${NAMESPACED}/pods`, {
          metadata: { name: 'huge' },
          spec: {
            containers: [{ ...container, resources: { limits: { 'hugepages-2Mi': amount, cpu: '1' } } }],
          },
        }),
      ),
      ...['1m', '1500m', '0'].map((size) =>
        create(`${NAMESPACED}/pods`, {
          metadata: { name: 'huge' },
          spec: {
            containers: [{ ...container, resources: { limits: { [`hugepages-${size}`]: '2', cpu: '1' } } }],
          },
        }),
      ),
    ),
    found(
      'v1 PersistentVolume',
      'negative fractions of storage',
      ...['-0.5', '-1500m', '-1'].map((storage) =>
        create('/api/v1/persistentvolumes', {
          metadata: { name: 'v' },
          spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
        }),
      ),
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
  ]
}
