import type { FuzzCase } from '../fuzz-case.ts'
import { number, type Tree } from '../json-tree.ts'
import {
  APPLY,
  STRATEGIC,
  MERGE,
  NAMESPACED,
  container,
  labels,
  template,
  found,
  create,
  store,
} from './found-case.ts'

/** Objects that are refused, and warnings about those that are not. */
export function refusals(): FuzzCase[] {
  return [...refused(), ...warnings()]
}

function refused(): FuzzCase[] {
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
      'batch/v1 Job',
      'a selector that is to be generated from now on, and no template',
      store('/apis/batch/v1/namespaces/{ns}/jobs', {
        metadata: { name: 'manual' },
        spec: {
          manualSelector: true,
          selector: {},
          template: { spec: { containers: [container], restartPolicy: 'Never' } },
        },
      }),
      {
        method: 'PUT',
        path: '/apis/batch/v1/namespaces/{ns}/jobs/manual',
        body: { metadata: { name: 'manual' }, spec: { selector: {} } },
      },
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
