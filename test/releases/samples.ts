import type { ApiRequest } from '@homeostat/api'

/** A request about an object. It must not depend on those before it. */
interface Sample {
  /** Default: POST. */
  readonly method?: ApiRequest['method']
  readonly path: string
  readonly body: object
  readonly contentType?: string
}

const DRIVERS = '/apis/storage.k8s.io/v1/csidrivers'
const PODS = '/api/v1/namespaces/default/pods'
const DRY = 'dryRun=All'
const APPLY = 'application/apply-patch+yaml'

const driver = (spec: object) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: 'sample.example.com' },
  spec,
})
const pod = (spec: object, container: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'sample' },
  spec: { containers: [{ name: 'a', image: 'b', ...container }], ...spec },
})
const LATER = { preventPodSchedulingIfMissing: true, serviceAccountTokenInSecrets: true }
const volume = (source: object) => ({ volumes: [{ name: 'v', projected: { sources: [source] } }] })

/** Objects with fields that are not in every release, and with fields whose feature is off by default in some. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'unknown fields, by default': { path: `${DRIVERS}?${DRY}`, body: driver(LATER) },
  'unknown fields, strictly': {
    path: `${DRIVERS}?${DRY}&fieldValidation=Strict`,
    body: driver(LATER),
  },
  'unknown fields, ignored': { path: `${DRIVERS}?${DRY}&fieldValidation=Ignore`, body: driver(LATER) },
  'unknown fields, applied': {
    method: 'PATCH',
    path: `${DRIVERS}/sample.example.com?${DRY}&fieldManager=test`,
    body: driver(LATER),
    contentType: APPLY,
  },
  'a scheduling group': {
    path: `${PODS}?${DRY}&fieldValidation=Strict`,
    body: pod({ schedulingGroup: { podGroupName: 'g' } }),
  },
  'annotations of a Pod certificate': {
    path: `${PODS}?${DRY}&fieldValidation=Strict`,
    body: pod(
      volume({
        podCertificate: {
          signerName: 'a.example.com/b',
          keyType: 'ED25519',
          credentialBundlePath: 'c',
          userAnnotations: { 'a.example.com/b': 'c' },
        },
      }),
    ),
  },
  'an apply of a kind that came later': {
    method: 'PATCH',
    path: `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/a?${DRY}&fieldManager=test`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'a' },
    },
    contentType: APPLY,
  },
  'a plain Pod': { path: `${PODS}?${DRY}`, body: pod({}) },
  'a stop signal': {
    path: `${PODS}?${DRY}`,
    body: pod({ os: { name: 'linux' } }, { lifecycle: { stopSignal: 'SIGUSR1' } }),
  },
  'a host name override': { path: `${PODS}?${DRY}`, body: pod({ hostnameOverride: 'other' }) },
  'restart rules of a container': {
    path: `${PODS}?${DRY}`,
    body: pod(
      { restartPolicy: 'Never' },
      {
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
      },
    ),
  },
  'a restart of all containers': {
    path: `${PODS}?${DRY}`,
    body: pod(
      { restartPolicy: 'Never' },
      {
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }],
      },
    ),
  },
  'resources of a Pod': {
    path: `${PODS}?${DRY}`,
    body: pod({ resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }),
  },
  'variables of a file': {
    path: `${PODS}?${DRY}`,
    body: pod(
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'A' } } }] },
    ),
  },
  'a volume of an image': {
    path: `${PODS}?${DRY}`,
    body: pod(
      { volumes: [{ name: 'v', image: { reference: 'a' } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/v' }] },
    ),
  },
  'a volume of an image, at a path': {
    path: `${PODS}?${DRY}`,
    body: pod(
      { volumes: [{ name: 'v', image: { reference: 'a' } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 's' }] },
    ),
  },
  'user namespaces': { path: `${PODS}?${DRY}`, body: pod({ hostUsers: false }) },
  'user namespaces on the host network': {
    path: `${PODS}?${DRY}`,
    body: pod({ hostUsers: false, hostNetwork: true }),
  },
  'groups that are added': {
    path: `${PODS}?${DRY}`,
    body: pod({
      securityContext: { supplementalGroupsPolicy: 'Strict', seLinuxChangePolicy: 'MountOption' },
    }),
  },
  'a toleration that compares numbers': {
    path: `${PODS}?${DRY}`,
    body: pod({ tolerations: [{ key: 'a', operator: 'Gt', value: '5' }] }),
  },
  'keys of labels in a spread': {
    path: `${PODS}?${DRY}`,
    body: {
      ...pod({
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b' } },
            matchLabelKeys: ['c'],
          },
        ],
      }),
      metadata: { name: 'sample', labels: { c: 'd' } },
    },
  },
  'a tolerance of an autoscaler': {
    path: `/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers?${DRY}`,
    body: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        behavior: { scaleDown: { tolerance: '0.05' }, scaleUp: { tolerance: '0' } },
      },
    },
  },
  'at most so many that are unavailable': {
    path: `/apis/apps/v1/namespaces/default/statefulsets?${DRY}`,
    body: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        serviceName: 's',
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
        updateStrategy: { rollingUpdate: { maxUnavailable: 2 } },
      },
    },
  },
  'a Deployment': {
    path: `/apis/apps/v1/namespaces/default/deployments?${DRY}`,
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
        podReplacementPolicy: 'Failed',
      },
    },
  },
  'a Job that another controller manages': {
    path: `/apis/batch/v1/namespaces/default/jobs?${DRY}`,
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: {
        managedBy: 'example.com/a',
        suspend: true,
        manualSelector: true,
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] },
        },
      },
    },
  },
  'a Service that prefers the same node': {
    path: `/api/v1/namespaces/default/services?${DRY}`,
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: 'None', ports: [{ port: 80 }], trafficDistribution: 'PreferSameNode' },
    },
  },
  'a class of devices with an extended resource': {
    path: `/apis/resource.k8s.io/v1/deviceclasses?${DRY}`,
    body: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'a' },
      spec: { extendedResourceName: 'example.com/gpu' },
    },
  },
  'how long images are cached by a driver': {
    path: `${DRIVERS}?${DRY}`,
    body: driver({ nodeAllocatableUpdatePeriodSeconds: 30 }),
  },
}
