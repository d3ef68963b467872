import type { FuzzCase } from '../fuzz-case.ts'
import { number, type TreeObject } from '../json-tree.ts'
import {
  APPLY,
  container,
  create,
  DEFINITIONS,
  found,
  MERGE,
  NAMESPACED,
  patch,
  store,
  STRATEGIC,
} from './found-case.ts'

const LONG_NUMBERS = {
  metadata: { name: 'longs.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    names: { plural: 'longs', kind: 'Long' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}

/** Changes of stored objects, and the beginnings of names. */
export function changes(): FuzzCase[] {
  const revisions = '/apis/apps/v1/namespaces/{ns}/controllerrevisions'
  return [
    ...ofWholeObjects(),
    found(
      'apps/v1 ControllerRevision',
      'numbers instead of data',
      store(revisions, { metadata: { name: 'changed' }, revision: 1, data: {} }),
      ...['1e-7', '1', '1.5', '1e21'].map((text) =>
        patch(`${revisions}/changed`, MERGE, { data: number(text) }),
      ),
    ),
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'long numbers in changed metadata',
      store(DEFINITIONS, LONG_NUMBERS),
      ...['-9007199254740993', '9007199254740993'].map((text) =>
        patch(`${DEFINITIONS}/longs.fuzz.example.com`, MERGE, {
          metadata: { deletionGracePeriodSeconds: number(text), generation: number(text) },
        }),
      ),
    ),
    found(
      'v1 ConfigMap',
      'managed fields that are nulls, applied',
      ...['a', 'b'].flatMap((name) =>
        [[null], [{}, null], [{}]].map((managedFields) => ({
          method: 'PATCH' as const,
          path: `${NAMESPACED}/configmaps/a?dryRun=All&fieldManager=m`,
          type: APPLY,
          body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, managedFields } },
        })),
      ),
    ),
    found(
      'v1 Pod',
      'scheduling gates that stand twice',
      store(`${NAMESPACED}/pods`, { metadata: { name: 'changed' }, spec: { containers: [container] } }),
      patch(`${NAMESPACED}/pods/changed`, STRATEGIC, { spec: { schedulingGates: [{}, null] } }),
      patch(`${NAMESPACED}/pods/changed`, MERGE, {
        spec: { schedulingGates: ['a', 'b', 'a'].map((name) => ({ name })) },
      }),
    ),
    found(
      'v1 Pod',
      'sources of variables whose names end in a dash',
      ...['a-', 'a.-', '-', 'A-', 'a.b-'].map((name) =>
        create(`${NAMESPACED}/pods`, {
          metadata: { name: 'q' },
          spec: {
            containers: [
              { name: 'c', image: 'i', envFrom: [{ configMapRef: { name } }, { secretRef: { name } }] },
            ],
          },
        }),
      ),
    ),
  ]
}

/** Kinds of which Kubernetes validates the whole metadata and spec again when something else changes. */
function ofWholeObjects(): FuzzCase[] {
  const templates = '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaimtemplates'
  const attachments = '/apis/storage.k8s.io/v1/volumeattachments'
  const addresses = '/apis/networking.k8s.io/v1/ipaddresses'
  const networks = '/apis/networking.k8s.io/v1/servicecidrs'
  const changed = (path: string): ReturnType<typeof patch>[] =>
    [
      { metadata: { generateName: 'A' } },
      { metadata: { generateName: 'A', finalizers: ['a'], labels: { '-': 'a' } } },
      { metadata: { annotations: { a: 'b' } } },
    ].map((body: TreeObject) => patch(path, MERGE, body))
  return [
    found(
      'resource.k8s.io/v1 ResourceClaimTemplate',
      'changed metadata',
      store(templates, {
        metadata: { name: 'changed' },
        spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
      }),
      ...changed(`${templates}/changed`),
      patch(`${templates}/changed`, MERGE, { spec: { spec: { devices: { requests: [{ name: 'B' }] } } } }),
    ),
    found(
      'storage.k8s.io/v1 VolumeAttachment',
      'changed metadata and status',
      store(attachments, {
        metadata: { name: 'changed' },
        spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } },
      }),
      ...changed(`${attachments}/changed`),
      ...changed(`${attachments}/changed/status`),
      ...attachmentStatus().map((status) => patch(`${attachments}/changed/status`, MERGE, { status })),
    ),
    found(
      'networking.k8s.io/v1 IPAddress',
      'changed metadata',
      store(addresses, {
        metadata: { name: '192.0.2.7' },
        spec: { parentRef: { group: '', resource: 'services', namespace: 'n', name: 's' } },
      }),
      ...changed(`${addresses}/192.0.2.7`),
      patch(`${addresses}/192.0.2.7`, MERGE, { spec: { parentRef: { name: '', resource: '/' } } }),
      { method: 'DELETE', path: `${addresses}/192.0.2.7` },
    ),
    found(
      'networking.k8s.io/v1 ServiceCIDR',
      'changed networks, metadata and status',
      // Parts of the servers' own range, so that Services get no other addresses.
      store(networks, { metadata: { name: 'changed' }, spec: { cidrs: ['10.96.201.0/24'] } }),
      ...changed(`${networks}/changed`),
      ...changed(`${networks}/changed/status`),
      ...[
        ['10.96.202.0/24'],
        ['10.96.201.0/24', 'fd00::/64'],
        ['10.96.201.0/24', '10.96.202.0/24'],
        ['10.96.202.0/24', 'FD00::/64'],
        ['10.96.201.0/24', 'fd00::/64', 'fd01::/64'],
        [],
      ].map((cidrs) => patch(`${networks}/changed`, MERGE, { spec: { cidrs } })),
      patch(`${networks}/changed/status`, MERGE, {
        metadata: { annotations: { a: 'b' }, generateName: 'c' },
        spec: { cidrs: [] },
      }),
      { method: 'DELETE', path: `${networks}/changed` },
    ),
  ]
}

function attachmentStatus(): TreeObject[] {
  const long = 'a'.repeat(1025)
  const error = { message: long, errorCode: -1 }
  return [
    { attached: false, attachError: error, detachError: error },
    { attached: true, attachError: { message: long.slice(1), errorCode: 0 } },
    { attached: true, attachError: { message: 'ä'.repeat(513) }, attachmentMetadata: { a: long } },
    { attached: true, attachmentMetadata: { a: 'b'.repeat(256 * 1024) } },
  ]
}
