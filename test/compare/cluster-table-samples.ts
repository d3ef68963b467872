import type { TableSample } from './table-sample.ts'

const template = {
  metadata: { labels: { app: 'web', tier: 'front' } },
  spec: {
    containers: [
      { name: 'web', image: 'registry.example/app:1' },
      { name: 'log', image: 'registry.example/log:1' },
    ],
  },
}

/** A request for a certificate of the name `me`, in base64. */
export const CERTIFICATE_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1VqQ0NBVG9DQVFBd0RURUxNQWtHQTFVRUF3d0NiV1V3Z2dFaU1BMEdDU3FHU0liM0RRRUJBUVVBQTRJQgpEd0F3Z2dFS0FvSUJBUURyQTB4UXllVm1KNkVJQUZiUFBMWjkwRHQ0RWpCM2xJQnF1WCsvL2k5WjFJK01GT1pWCmpNZ3JjcDZlelBhT1JqUlNveEkyaHJrOWZTQUtnQmpDK2YydSs5anNOS1JDak03VUlEcDVkamJrSzExdHhOMTUKSTRpbmhmQzNoY1FtWWVqTEpPMzlFSHpyblFiOXhSUzFuVG5tMTVlWWp0R0hWaVBab2ZjclJNb0ltWjFmdnI0dQprcStBQjNOQWxET2JycmhmTUh6SkVGa0p4U0t2NEtmME5FekNxRUpubkJlNVNITXBCRmxxS3gvdkNWN1RwdlN2Cm43ZGlaQ0JPdmxKWC9KQjJZSWVVYm4ybTQxNVBESVFTa3hoSXR4dzE1eWVxNUxyTWhTUmMwUGZmaEtGNnlpQTAKcURjdHdZa1N6RjkxUXZxV1BiQXB2THlxZDd2ZjJWNEUxc2ZKQWdNQkFBR2dBREFOQmdrcWhraUc5dzBCQVFzRgpBQU9DQVFFQU1yQzJKMEc5U0tmUFdjT1BlbDFKYWV0QndIY21xTVBwL0l4UlZ5eE00OW1yWUpXWFdsV0wxandmCmc5VnZhL0tFcVpwNjQ1ZDl6VmVLQXNzR3JzYUdKU1hEazJNdFVoZE5yc2tOTGFTcXZWcUYzdW5xN0t5ek9JcFkKcjJoeVc0WDd6NHp5aFg0K05QOGhXbDhXaHRSQzgzZXJJR25ZNkVhVHg1SjJhazJ0K2FDd3U3TjBpYkFSR0E1SgpzeTZCTEQ1aEllRjhCSTFjUk9qWVN5WjRqMm0yaW42emVwVGlPNzhUWXpiTkdSbXVuVmJMNyt6dVdwU0lZb2tpCnRVOVFKQ29JOS96a2hWazlyd3dhdlc1RTVQbjNsdVE5aGhDS3NHZDEyRVFBUkVWQWhzc2ltbjVCZ3hSSGtJZkoKUHUybEVEK0ZZQ29aYzVzdVozTGlpT2ljWVNLOXl3PT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

/** Makes the samples of one group. */
function of(
  group: string,
  namespaced: boolean,
  samples: readonly (readonly [title: string, plural: string, object: object, status?: object])[],
  version = 'v1',
): TableSample[] {
  return samples.map(([title, plural, object, status]) => ({
    title,
    group,
    version,
    plural,
    namespaced,
    object: object as Record<string, unknown>,
    ...(status && { status: status as Record<string, unknown> }),
  }))
}

const workloads = of('', true, [
  [
    'replicationcontroller',
    'replicationcontrollers',
    { spec: { replicas: 3, selector: { app: 'web' }, template } },
    { replicas: 2, readyReplicas: 1 },
  ],
  ['podtemplate', 'podtemplates', { template }],
  ['limitrange', 'limitranges', { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } }],
  [
    'resourcequota',
    'resourcequotas',
    { spec: { hard: { pods: '10', 'limits.cpu': '4', 'requests.cpu': '2' } } },
    {
      hard: { pods: '10', 'limits.cpu': '4', 'requests.cpu': '2' },
      used: { pods: '3', 'limits.cpu': '1500m' },
    },
  ],
  ['resourcequota-new', 'resourcequotas', { spec: { hard: { pods: '10' } } }],
])

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const average = (value: string) => ({ type: 'AverageValue', averageValue: value })
const metrics = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
  { type: 'Pods', pods: { metric: { name: 'queries' }, target: average('1k') } },
  { type: 'External', external: { metric: { name: 'jobs' }, target: average('30') } },
]
const budget = { matchLabels: { app: 'web' } }
const autoscaling = [
  ...of(
    'autoscaling',
    true,
    [
      [
        'horizontalpodautoscaler',
        'horizontalpodautoscalers',
        { spec: { scaleTargetRef: target, minReplicas: 2, maxReplicas: 5, metrics } },
        {
          currentReplicas: 3,
          desiredReplicas: 4,
          currentMetrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', current: { averageUtilization: 70, averageValue: '7m' } },
            },
            { type: 'Pods', pods: { metric: { name: 'queries' }, current: { averageValue: '900' } } },
          ],
        },
      ],
      [
        'horizontalpodautoscaler-values',
        'horizontalpodautoscalers',
        {
          spec: {
            scaleTargetRef: target,
            maxReplicas: 5,
            metrics: [
              {
                type: 'Object',
                object: {
                  describedObject: { kind: 'Service', name: 'web' },
                  metric: { name: 'hits' },
                  target: { type: 'Value', value: '7' },
                },
              },
              {
                type: 'ContainerResource',
                containerResource: { name: 'memory', container: 'web', target: average('10Mi') },
              },
            ],
          },
        },
        { desiredReplicas: 1 },
      ],
    ],
    'v2',
  ),
  ...of('autoscaling', true, [
    [
      'horizontalpodautoscaler-of-version-1',
      'horizontalpodautoscalers',
      { spec: { scaleTargetRef: target, maxReplicas: 5, targetCPUUtilizationPercentage: 60 } },
    ],
  ]),
  ...of('policy', true, [
    ['poddisruptionbudget', 'poddisruptionbudgets', { spec: { minAvailable: '50%', selector: budget } }],
    [
      'poddisruptionbudget-allowing',
      'poddisruptionbudgets',
      { spec: { maxUnavailable: 1, selector: budget } },
      { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
    ],
  ]),
]

const networking = of('networking.k8s.io', false, [
  ['ingressclass', 'ingressclasses', { spec: { controller: 'example.com/proxy' } }],
  [
    'ingressclass-default',
    'ingressclasses',
    {
      metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: {
        controller: 'example.com/proxy',
        parameters: { apiGroup: 'example.com', kind: 'Config', name: 'proxy' },
      },
    },
  ],
  ['servicecidr', 'servicecidrs', { spec: { cidrs: ['10.111.0.0/24'] } }],
])

const storage = [
  ...of('storage.k8s.io', false, [
    ['csidriver', 'csidrivers', { spec: {} }],
    [
      'csidriver-full',
      'csidrivers',
      {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          storageCapacity: true,
          requiresRepublish: true,
          tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
          volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        },
      },
    ],
    [
      'csinode',
      'csinodes',
      { spec: { drivers: [{ name: 'a.example.com', nodeID: 'n', topologyKeys: [] }] } },
    ],
    [
      'volumeattachment',
      'volumeattachments',
      { spec: { attacher: 'a.example.com', nodeName: 'node-1', source: { persistentVolumeName: 'disk' } } },
      { attached: true },
    ],
    [
      'volumeattributesclass',
      'volumeattributesclasses',
      { driverName: 'a.example.com', parameters: { iops: '1' } },
    ],
  ]),
  ...of('storage.k8s.io', true, [
    ['csistoragecapacity', 'csistoragecapacities', { storageClassName: 'fast', capacity: '10Gi' }],
    ['csistoragecapacity-unset', 'csistoragecapacities', { storageClassName: 'fast' }],
  ]),
]

const cluster = [
  ...of('scheduling.k8s.io', false, [
    ['priorityclass', 'priorityclasses', { value: 1000, preemptionPolicy: 'Never' }],
  ]),
  ...of('node.k8s.io', false, [['runtimeclass', 'runtimeclasses', { handler: 'gvisor' }]]),
  ...of('certificates.k8s.io', false, [
    [
      'certificatesigningrequest',
      'certificatesigningrequests',
      {
        spec: {
          request: CERTIFICATE_REQUEST,
          signerName: 'example.com/signer',
          expirationSeconds: 86_400,
          usages: ['client auth'],
        },
      },
    ],
  ]),
  ...of('flowcontrol.apiserver.k8s.io', false, [
    [
      'flowschema',
      'flowschemas',
      { spec: { priorityLevelConfiguration: { name: 'none' }, matchingPrecedence: 77 } },
    ],
  ]).map((sample) => ({ ...sample, judgedBy: 'Dangling' })),
  ...of('flowcontrol.apiserver.k8s.io', false, [
    [
      'prioritylevelconfiguration',
      'prioritylevelconfigurations',
      {
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: {} }, nominalConcurrencyShares: 7 },
        },
      },
    ],
    [
      'prioritylevelconfiguration-rejecting',
      'prioritylevelconfigurations',
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
    ],
  ]),
]

const webhook = {
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://example.com/hook' },
}
const policy = {
  matchConstraints: {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  },
}
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
const denying = { policyName: 'none', validationActions: ['Deny'] }
const admission = of('admissionregistration.k8s.io', false, [
  ['mutatingwebhookconfiguration', 'mutatingwebhookconfigurations', { webhooks: [webhook] }],
  ['validatingwebhookconfiguration', 'validatingwebhookconfigurations', { webhooks: [webhook] }],
  [
    'validatingadmissionpolicy',
    'validatingadmissionpolicies',
    { spec: { ...policy, paramKind, validations: [{ expression: 'true' }, { expression: '1 < 2' }] } },
  ],
  [
    'validatingadmissionpolicy-without-parameters',
    'validatingadmissionpolicies',
    { spec: { ...policy, validations: [{ expression: 'true' }] } },
  ],
  ['validatingadmissionpolicybinding', 'validatingadmissionpolicybindings', { spec: denying }],
  [
    'validatingadmissionpolicybinding-of-a-name',
    'validatingadmissionpolicybindings',
    { spec: { ...denying, paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } } },
  ],
  [
    'validatingadmissionpolicybinding-of-a-namespace',
    'validatingadmissionpolicybindings',
    { spec: { ...denying, paramRef: { name: 'a', namespace: 'n', parameterNotFoundAction: 'Allow' } } },
  ],
  [
    'validatingadmissionpolicybinding-of-a-selector',
    'validatingadmissionpolicybindings',
    {
      spec: {
        ...denying,
        paramRef: {
          selector: {
            matchLabels: { b: '2', a: '1' },
            matchExpressions: [{ key: 'c', operator: 'In', values: ['x', 'y'] }],
          },
          parameterNotFoundAction: 'Allow',
        },
      },
    },
  ],
  [
    'mutatingadmissionpolicy',
    'mutatingadmissionpolicies',
    {
      spec: {
        ...policy,
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
          },
        ],
      },
    },
  ],
  ['mutatingadmissionpolicybinding', 'mutatingadmissionpolicybindings', { spec: { policyName: 'none' } }],
])

const requests = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } }
const devices = [
  ...of('resource.k8s.io', false, [
    ['deviceclass', 'deviceclasses', { spec: {} }],
    [
      'resourceslice',
      'resourceslices',
      {
        spec: {
          driver: 'gpu.example.com',
          nodeName: 'node-1',
          pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
        },
      },
    ],
  ]),
  ...of('resource.k8s.io', true, [
    ['resourceclaim', 'resourceclaims', { spec: requests }],
    ['resourceclaimtemplate', 'resourceclaimtemplates', { spec: { spec: requests } }],
  ]),
]

const extensions = of('apiregistration.k8s.io', false, [
  [
    'v1.apiservice.example.com',
    'apiservices',
    {
      spec: {
        group: 'apiservice.example.com',
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'tables', name: 'api' },
      },
    },
  ],
]).map((sample) => ({ ...sample, judgedBy: 'Available' }))

/** The kinds beyond the everyday ones: of the cluster, its extensions, its storage and devices. */
export const clusterSamples: readonly TableSample[] = [
  ...workloads,
  ...autoscaling,
  ...networking,
  ...storage,
  ...cluster,
  ...admission,
  ...devices,
  ...extensions,
]
