import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { TreeObject } from '../json-tree.ts'
import { container, create, found, labels, NAMESPACED, template } from './found-case.ts'

/** A text that is longer in bytes than in letters. */
function letters(count: number): string {
  return 'é'.repeat(count)
}

/** Limits of texts, which count bytes, and forms of names. */
export function lengths(): FuzzCase[] {
  const storage = '/apis/storage.k8s.io/v1'
  const events = '/apis/events.k8s.io/v1/namespaces/{ns}/events'
  const event = {
    metadata: { name: 'e', namespace: '{ns}' },
    eventTime: '2020-01-01T00:00:00.000000Z',
    reportingController: 'a.b/c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
  }
  return [
    found(
      'storage.k8s.io/v1 CSINode',
      'long names and ids of drivers',
      ...[
        { name: letters(32), nodeID: 'n' },
        { name: 'a', nodeID: letters(130) },
        { name: 'a', nodeID: letters(128) },
      ].map((driver) =>
        create(`${storage}/csinodes`, { metadata: { name: 'n' }, spec: { drivers: [driver] } }),
      ),
    ),
    found(
      'events.k8s.io/v1 Event',
      'long actions, reasons and notes',
      ...[
        { action: letters(65) },
        { reason: letters(65) },
        { reportingInstance: letters(65) },
        { note: letters(513) },
        { action: letters(64), reason: letters(64), note: letters(512) },
      ].map((part) => create(events, { ...event, ...part })),
    ),
    found(
      'networking.k8s.io/v1 IngressClass',
      'a long controller',
      create('/apis/networking.k8s.io/v1/ingressclasses', {
        metadata: { name: 'c' },
        spec: { controller: `a.b/${letters(130)}` },
      }),
    ),
    found(
      'batch/v1 Job',
      'a long manager',
      create('/apis/batch/v1/namespaces/{ns}/jobs', {
        metadata: { name: 'j' },
        spec: { managedBy: letters(35), template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
      }),
    ),
    found('v1 Pod', 'long names of hosts, users and volumes', ...pods()),
    ...names(),
    found(
      'v1 ConfigMap',
      'a long subresource in managed fields',
      create(`${NAMESPACED}/configmaps`, {
        metadata: {
          name: 'm',
          managedFields: [{ manager: 'm', operation: 'Update', subresource: letters(130) }],
        },
      }),
    ),
  ]
}

/** Pods with long texts; the length of the name of an iSCSI volume counts also where the volume has two sources. */
function pods(): FuzzRequest[] {
  const disk = (iscsi: TreeObject, more: TreeObject = {}): TreeObject => ({
    volumes: [{ name: 'a'.repeat(50), iscsi: { iqn: 'iqn.2001-04.a:b', lun: 0, ...iscsi }, ...more }],
  })
  const specs: TreeObject[] = [
    { hostnameOverride: letters(33) },
    { dnsConfig: { searches: Array.from({ length: 17 }, () => letters(62)) } },
    { securityContext: { windowsOptions: { runAsUserName: letters(53) } } },
    { securityContext: { windowsOptions: { runAsUserName: `${letters(128)}\\a` } } },
    disk({ targetPortal: letters(7), initiatorName: 'iqn.2001-04.a:c' }),
    disk({ targetPortal: 'a'.repeat(14), initiatorName: 'x' }, { emptyDir: {} }),
    disk({ targetPortal: 'a'.repeat(14) }, { emptyDir: {} }),
  ]
  return specs.map((spec) =>
    create(`${NAMESPACED}/pods`, {
      metadata: { name: 'p', labels },
      spec: { containers: [container], ...spec },
    }),
  )
}

/** Names that cannot stand in a path, names that are too long, and beginnings of names. */
function names(): FuzzCase[] {
  const request = { request: 'YQ==', signerName: 'a.b/c', usages: ['client auth'] }
  const parentRef = { group: '', resource: 'services', namespace: 'n', name: 's' }
  const kinds: [kind: string, path: string, object: TreeObject][] = [
    [
      'certificates.k8s.io/v1 CertificateSigningRequest',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      { spec: request },
    ],
    ['policy/v1 PodDisruptionBudget', '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets', {}],
    ['rbac.authorization.k8s.io/v1 ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {}],
    ['resource.k8s.io/v1 DeviceClass', '/apis/resource.k8s.io/v1/deviceclasses', {}],
    ['v1 ConfigMap', `${NAMESPACED}/configmaps`, {}],
    ['networking.k8s.io/v1 IPAddress', '/apis/networking.k8s.io/v1/ipaddresses', { spec: { parentRef } }],
  ]
  const refused = ['.', '..', '/', 'a/b', '%']
  return kinds.map(([kind, path, object]) =>
    found(
      kind,
      'names and beginnings of names that are refused',
      ...refused.map((name) => create(path, { ...object, metadata: { name } })),
      ...refused.map((generateName) => create(path, { ...object, metadata: { name: 'a', generateName } })),
      create(path, { ...object, metadata: { name: 'a'.repeat(254) } }),
      create(path, { ...object, metadata: { name: letters(130) } }),
      ...(kind.endsWith('IPAddress')
        ? [create(path, { ...object, metadata: { generateName: '192.0.2.9' } })]
        : []),
    ),
  )
}
