import { afterAll, beforeAll, expect, test } from 'vitest'
import { VALIDATED } from '../scripts/generate-kinds/field-enums.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** The values that the types of native fields allow although Go's types do not list them, asked of the servers. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const meta = { name: 'a', labels: { app: 'web' } }
const selector = { matchLabels: { app: 'web' } }

/** A Deployment, so that no ServiceAccount is needed for its Pods. */
function withPod(spec: object, container: object = {}): Sample {
  const containers = [{ name: 'a', image: 'a', ...container }]
  const template = { metadata: { labels: meta.labels }, spec: { containers, ...spec } }
  return ['apis/apps/v1/namespaces/*/deployments', 'Deployment', { spec: { selector, template } }]
}

function claimsOf(policy: object): Sample {
  const template = { metadata: { labels: meta.labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  const spec = { selector, serviceName: 'a', template, persistentVolumeClaimRetentionPolicy: policy }
  return ['apis/apps/v1/namespaces/*/statefulsets', 'StatefulSet', { spec }]
}

function scaler(spec: object): Sample {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }
  const path = 'apis/autoscaling/v2/namespaces/*/horizontalpodautoscalers'
  return [path, 'HorizontalPodAutoscaler', { spec: { maxReplicas: 2, scaleTargetRef, ...spec } }]
}

function flow(rule: object, spec: object = {}): Sample {
  const rules = [
    { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }], ...rule },
  ]
  const priorityLevelConfiguration = { name: 'a' }
  const body = { spec: { priorityLevelConfiguration, matchingPrecedence: 5, rules, ...spec } }
  return ['apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', 'FlowSchema', body]
}

function level(spec: object): Sample {
  const path = 'apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
  return [path, 'PriorityLevelConfiguration', { spec }]
}

type Sample = readonly [path: string, kind: string, body: object]

const mounted = { name: 'v', mountPath: '/v', readOnly: true }
const metricOf = (type: string) => ({
  type,
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } },
})
const exits = (operator: string) => [{ action: 'Restart', exitCodes: { operator, values: [1] } }]

/** For each field an object with a value there, and where a cause names it. */
const SAMPLES: Readonly<Record<string, readonly [field: string, sample: (value: string) => Sample]>> = {
  'admissionregistration_v1_ParamRef.parameterNotFoundAction': [
    'spec.paramRef.parameterNotFoundAction',
    (value) => [
      'apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
      'ValidatingAdmissionPolicyBinding',
      {
        spec: {
          policyName: 'p',
          validationActions: ['Deny'],
          paramRef: { name: 'a', parameterNotFoundAction: value },
        },
      },
    ],
  ],
  'apps_v1_StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted': [
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted',
    (whenDeleted) => claimsOf({ whenDeleted, whenScaled: 'Retain' }),
  ],
  'apps_v1_StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled': [
    'spec.persistentVolumeClaimRetentionPolicy.whenScaled',
    (whenScaled) => claimsOf({ whenDeleted: 'Retain', whenScaled }),
  ],
  'autoscaling_v2_HPAScalingPolicy.type': [
    'spec.behavior.scaleUp.policies[0].type',
    (type) => scaler({ behavior: { scaleUp: { policies: [{ type, value: 1, periodSeconds: 1 }] } } }),
  ],
  'autoscaling_v2_HPAScalingRules.selectPolicy': [
    'spec.behavior.scaleUp.selectPolicy',
    (selectPolicy) => scaler({ behavior: { scaleUp: { selectPolicy } } }),
  ],
  'autoscaling_v2_MetricSpec.type': ['spec.metrics[0].type', (type) => scaler({ metrics: [metricOf(type)] })],
  'autoscaling_v2_MetricTarget.type': [
    'spec.metrics[0].resource.target.type',
    (type) => {
      const target = { type, averageUtilization: 1 }
      return scaler({ metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] })
    },
  ],
  'core_v1_Container.restartPolicy': [
    'spec.template.spec.containers[0].restartPolicy',
    (restartPolicy) => withPod({}, { restartPolicy }),
  ],
  'core_v1_ContainerResizePolicy.resourceName': [
    'spec.template.spec.containers[0].resizePolicy',
    (resourceName) => withPod({}, { resizePolicy: [{ resourceName, restartPolicy: 'NotRequired' }] }),
  ],
  'core_v1_ContainerResizePolicy.restartPolicy': [
    'spec.template.spec.containers[0].resizePolicy',
    (restartPolicy) => withPod({}, { resizePolicy: [{ resourceName: 'cpu', restartPolicy }] }),
  ],
  'core_v1_ContainerRestartRule.action': [
    'spec.template.spec.containers[0].restartPolicyRules[0].action',
    (action) => {
      const exitCodes = { operator: 'In', values: [1] }
      return withPod({}, { restartPolicy: 'Never', restartPolicyRules: [{ action, exitCodes }] })
    },
  ],
  'core_v1_ContainerRestartRuleOnExitCodes.operator': [
    'spec.template.spec.containers[0].restartPolicyRules[0].exitCodes.operator',
    (operator) => withPod({}, { restartPolicy: 'Never', restartPolicyRules: exits(operator) }),
  ],
  'core_v1_PodOS.name': ['spec.template.spec.os', (name) => withPod({ os: { name } })],
  'core_v1_VolumeMount.recursiveReadOnly': [
    'spec.template.spec.containers[0].volumeMounts.recursiveReadOnly',
    (recursiveReadOnly) =>
      withPod(
        { volumes: [{ name: 'v', emptyDir: {} }] },
        { volumeMounts: [{ ...mounted, recursiveReadOnly }] },
      ),
  ],
  'flowcontrol_v1_FlowDistinguisherMethod.type': [
    'spec.distinguisherMethod.type',
    (type) => flow({ subjects: [{ kind: 'User', user: { name: 'a' } }] }, { distinguisherMethod: { type } }),
  ],
  'flowcontrol_v1_Subject.kind': [
    'spec.rules[0].subjects[0].kind',
    (kind) => flow({ subjects: [{ kind, user: { name: 'a' } }] }),
  ],
  'flowcontrol_v1_LimitResponse.type': [
    'spec.limited.limitResponse.type',
    (type) => level({ type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type } } }),
  ],
  'flowcontrol_v1_PriorityLevelConfigurationSpec.type': ['spec.type', (type) => level({ type })],
  'storage_v1_CSIDriverSpec.fsGroupPolicy': [
    'spec.fsGroupPolicy',
    (fsGroupPolicy) => ['apis/storage.k8s.io/v1/csidrivers', 'CSIDriver', { spec: { fsGroupPolicy } }],
  ],
  'storage_v1_CSIDriverSpec.volumeLifecycleModes': [
    'spec.volumeLifecycleModes',
    (mode) => ['apis/storage.k8s.io/v1/csidrivers', 'CSIDriver', { spec: { volumeLifecycleModes: [mode] } }],
  ],
}

/** Fields that only a status has, one that a server forbids whatever its value is, and those whose values Kubernetes' own types give. */
const ELSEWHERE = [
  'autoscaling_v2_MetricStatus.type',
  'core_v1_EphemeralContainer.restartPolicy',
  'core_v1_LoadBalancerIngress.ipMode',
  'core_v1_VolumeMountStatus.recursiveReadOnly',
  'meta_v1_LabelSelectorRequirement.operator',
  'meta_v1_FieldSelectorRequirement.operator',
  'meta_v1_DeleteOptions.propagationPolicy',
  'rbac_v1_RoleRef.kind',
  'rbac_v1_Subject.kind',
]

/** The server's message about the field, where it refuses the value. */
async function refusalOf(field: string, [path, kind, body]: Sample): Promise<string | undefined> {
  const apiVersion = /^apis\/([^/]+\/[^/]+)/.exec(path)![1]
  const url = `/${path.replace('*', server.namespace)}?dryRun=All`
  const answer = await server.call('POST', url, { body: { apiVersion, kind, metadata: meta, ...body } })
  const { details } = answer.body as { details?: { causes?: { field?: string; message: string }[] } }
  return details?.causes?.find((cause) => cause.field === field)?.message
}

test('every field has a sample', () => {
  expect([...Object.keys(SAMPLES), ...ELSEWHERE].toSorted()).toEqual(Object.keys(VALIDATED).toSorted())
})

test.each(Object.keys(SAMPLES))('%s takes the values of its type, and no others', async (name) => {
  const [field, sample] = SAMPLES[name]!
  const values = VALIDATED[name]!
  const refusal = await refusalOf(field, sample('Wrong'))
  const named = values.map((value) => expect.stringContaining(value) as string)
  for (const value of named) expect(refusal).toEqual(value)
  const supported = /supported values: (.*)$/.exec(refusal ?? '')?.[1]
  if (supported !== undefined) {
    expect(
      supported
        .split(', ')
        .map((value) => value.replaceAll('"', ''))
        .toSorted(),
    ).toEqual(values.toSorted())
  }
  for (const value of values) {
    expect((await refusalOf(field, sample(value))) ?? '').not.toMatch(/Unsupported value|must be either/)
  }
})
