import { CERTIFICATE_REQUEST } from './cluster-table-samples.ts'

/** Objects of one kind, and the field labels that tell them apart. */
export interface FieldSample {
  /** For a namespaced kind, with `~` for the test's namespace: `/api/v1/~/pods`. */
  readonly path: string
  /** By the last part of their names: `unset` has none of the labels' fields. */
  readonly objects: Readonly<Record<string, SampleObject>>
  /** Whether Kubernetes' own controllers come to the status of the objects by themselves. */
  readonly controlled?: true
  /** The values that each label is compared with. Each is also compared with the empty text. */
  readonly labels: Readonly<Record<string, readonly string[]>>
}

export interface SampleObject {
  readonly object: Readonly<Record<string, unknown>>
  /** Written through the status subresource afterwards. */
  readonly status?: Readonly<Record<string, unknown>>
}

const containers = [{ name: 'a', image: 'a' }]
const template = { metadata: { labels: { app: 'a' } }, spec: { containers } }
const about = {
  kind: 'Pod',
  namespace: '~',
  name: 'web',
  uid: 'uid-1',
  apiVersion: 'v1',
  resourceVersion: '7',
  fieldPath: 'spec.containers{web}',
}

/** The seven labels of what an event is about, below the field that names it in a version. */
function aboutLabels(field: string): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(about).map(([name, value]) => [`${field}.${name}`, [value]]))
}

/** Every native kind that has field labels besides its name and its namespace. */
export const fieldSamples: readonly FieldSample[] = [
  {
    path: '/api/v1/~/pods',
    objects: {
      set: {
        object: {
          spec: {
            containers,
            nodeName: 'node-1',
            restartPolicy: 'Never',
            schedulerName: 'own',
            serviceAccountName: 'robot',
            hostNetwork: true,
          },
        },
        status: {
          phase: 'Running',
          podIP: '10.0.0.1',
          podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
        },
      },
      nominated: { object: { spec: { containers } }, status: { nominatedNodeName: 'node-2' } },
      unset: { object: { spec: { containers } } },
    },
    labels: {
      'spec.nodeName': ['node-1'],
      'spec.host': ['node-1'],
      'spec.restartPolicy': ['Never', 'Always'],
      'spec.schedulerName': ['own', 'default-scheduler'],
      'spec.serviceAccountName': ['robot'],
      'spec.hostNetwork': ['true', 'false'],
      'status.phase': ['Running', 'Pending'],
      'status.podIP': ['10.0.0.1', 'fd00::1'],
      'status.podIPs': ['10.0.0.1'],
      'status.nominatedNodeName': ['node-2'],
    },
  },
  {
    path: '/api/v1/nodes',
    objects: {
      set: { object: { spec: { unschedulable: true } } },
      off: { object: { spec: { unschedulable: false } } },
      unset: { object: {} },
    },
    labels: { 'spec.unschedulable': ['true', 'false', 'False'] },
  },
  {
    path: '/api/v1/~/replicationcontrollers',
    controlled: true,
    objects: {
      set: { object: { spec: { replicas: 2, selector: { app: 'a' }, template } }, status: { replicas: 2 } },
      unset: {
        object: {
          spec: {
            replicas: 0,
            selector: { app: 'b' },
            template: { ...template, metadata: { labels: { app: 'b' } } },
          },
        },
      },
    },
    labels: { 'status.replicas': ['2', '0', '00'] },
  },
  {
    path: '/apis/batch/v1/~/jobs',
    objects: {
      set: {
        object: { spec: { suspend: true, template: { spec: { containers, restartPolicy: 'Never' } } } },
        status: { succeeded: 1 },
      },
      unset: {
        object: { spec: { suspend: true, template: { spec: { containers, restartPolicy: 'Never' } } } },
      },
    },
    labels: { 'status.successful': ['1', '0'] },
  },
  {
    path: '/api/v1/namespaces',
    objects: { unset: { object: {} } },
    labels: { 'status.phase': ['Active', 'Terminating'] },
  },
  {
    path: '/api/v1/~/secrets',
    objects: { set: { object: { type: 'example.com/own' } }, unset: { object: {} } },
    labels: { type: ['example.com/own', 'Opaque'] },
  },
  {
    path: '/api/v1/~/services',
    objects: {
      set: { object: { spec: { type: 'ExternalName', externalName: 'example.com' } } },
      headless: { object: { spec: { clusterIP: 'None', ports: [{ port: 80 }] } } },
      unset: { object: { spec: { ports: [{ port: 80 }] } } },
    },
    labels: { 'spec.type': ['ExternalName', 'ClusterIP'], 'spec.clusterIP': ['None'] },
  },
  {
    path: '/api/v1/~/events',
    objects: {
      set: {
        object: {
          involvedObject: about,
          reason: 'Started',
          source: { component: 'kubelet' },
          type: 'Normal',
          reportingComponent: 'own',
        },
      },
      reported: { object: { involvedObject: { namespace: '~' }, reportingComponent: 'own' } },
      unset: { object: { involvedObject: { namespace: '~' } } },
    },
    labels: {
      ...aboutLabels('involvedObject'),
      reason: ['Started'],
      reportingComponent: ['own'],
      source: ['kubelet', 'own'],
      type: ['Normal'],
    },
  },
  {
    path: '/apis/events.k8s.io/v1/~/events',
    objects: {
      'of-events-v1': {
        object: {
          regarding: about,
          reason: 'Started',
          type: 'Normal',
          action: 'Start',
          eventTime: '2020-01-01T00:00:00.000000Z',
          reportingController: 'example.com/own',
          reportingInstance: 'own-1',
        },
      },
    },
    labels: {
      ...aboutLabels('regarding'),
      reason: ['Started'],
      reportingController: ['example.com/own'],
      type: ['Normal'],
    },
  },
  {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    objects: {
      set: {
        object: {
          spec: { request: CERTIFICATE_REQUEST, signerName: 'example.com/own', usages: ['client auth'] },
        },
      },
      other: {
        object: {
          spec: { request: CERTIFICATE_REQUEST, signerName: 'example.com/other', usages: ['client auth'] },
        },
      },
    },
    labels: { 'spec.signerName': ['example.com/own', 'example.com/other'] },
  },
  {
    path: '/apis/resource.k8s.io/v1/resourceslices',
    objects: {
      set: {
        object: {
          spec: {
            driver: 'gpu.example.com',
            nodeName: 'node-1',
            pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
          },
        },
      },
      unset: {
        object: {
          spec: {
            driver: 'net.example.com',
            allNodes: true,
            pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
          },
        },
      },
    },
    labels: { 'spec.nodeName': ['node-1'], 'spec.driver': ['gpu.example.com', 'net.example.com'] },
  },
]
