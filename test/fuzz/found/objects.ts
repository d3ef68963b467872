import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import { again, number } from '../json-tree.ts'
import { NAMESPACED, container, labels, template, found, create } from './found-case.ts'

/** Rules that are the same for all objects: owners of fields, metadata, deletion. */
export function objects(): FuzzCase[] {
  return [...owners(), ...objectWrites()]
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

/** Writes of objects without much of their own. */
function objectWrites(): FuzzCase[] {
  return [
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
    found(
      'v1 Namespace',
      'a finalize with managed fields that are malformed',
      ...[
        [{}],
        [{ operation: 'x' }],
        [{ manager: 'a', operation: 'Update', apiVersion: 'v1', fieldsType: 'x' }],
        [
          {
            manager: 'a',
            operation: 'Update',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { x: {} },
          },
        ],
      ].map((managedFields) => ({
        method: 'PUT' as const,
        path: '/api/v1/namespaces/default/finalize?dryRun=All',
        body: { metadata: { name: 'default', managedFields } },
      })),
    ),
    found(
      'v1 Node',
      'amounts below zero of resources with and without a name',
      ...['capacity', 'allocatable'].map((list) =>
        create('/api/v1/nodes', {
          metadata: { name: 'q' },
          status: { [list]: { '': '-1', 'example.com/a': '-1' } },
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
  ]
}
