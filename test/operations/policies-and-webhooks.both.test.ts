import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allow, deny, reviewAnswer, WebhookServer, type Behaviour } from '../webhooks/webhook-server.ts'
import { lines, recorded, startOperated, type OperatedServer } from './operated-server.ts'

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1'
const MAPS = '/api/v1/namespaces/default/configmaps?dryRun=All'
const RULE = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps', 'pods'],
}

/** Adds a step to the trace that objects carry. */
const trace =
  (step: string): Behaviour =>
  (review) => {
    const { data = {} } = review.request.object
    const value = { ...data, trace: `${data.trace ?? ''}${step} ` }
    const operations = [{ op: 'add', path: '/data', value }]
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
    return reviewAnswer(review, { allowed: true, patchType: 'JSONPatch', patch })
  }
const traced = (step: string): string =>
  `Object{data: {"trace": (has(object.data) && "trace" in object.data ? object.data.trace : "") + "${step} "}}`

/** The configuration for objects with the label of a case. */
interface Case {
  /** The mutating policies with the step that each adds; an expression stands for itself. */
  readonly mutating?: readonly {
    readonly step?: string
    readonly expression?: string
    readonly again?: boolean
  }[]
  readonly mutatingWebhooks?: readonly { readonly step: string; readonly again?: boolean }[]
  readonly validating?: string
  readonly validatingWebhook?: 'allow' | 'deny'
}

const cases: Readonly<Record<string, Case>> = {
  'a-policy-before-a-webhook': { mutating: [{ step: 'p' }], mutatingWebhooks: [{ step: 'w' }] },
  'a-policy-again': { mutating: [{ step: 'p', again: true }], mutatingWebhooks: [{ step: 'w' }] },
  'a-webhook-again': { mutating: [{ step: 'p' }], mutatingWebhooks: [{ step: 'w', again: true }] },
  'both-again': { mutating: [{ step: 'p', again: true }], mutatingWebhooks: [{ step: 'w', again: true }] },
  // Kubernetes promises no order of several policies, and has none.
  'a-policy-and-two-webhooks': {
    mutating: [{ step: 'p', again: true }],
    mutatingWebhooks: [{ step: 'w1', again: true }, { step: 'w2' }],
  },
  'a-policy-that-fails': {
    mutating: [{ expression: 'Object{data: {"a": object.data.none}}' }],
    mutatingWebhooks: [{ step: 'w' }],
  },
  'a-validating-policy-after-all': {
    mutating: [{ step: 'p', again: true }],
    mutatingWebhooks: [{ step: 'w' }],
    validating: 'object.data.trace == "p w p "',
  },
  'a-validating-policy-that-denies': { validating: 'false', validatingWebhook: 'deny' },
  'a-validating-webhook-that-denies': { validating: 'true', validatingWebhook: 'deny' },
  'both-allow': { validating: 'true', validatingWebhook: 'allow' },
  'a-mutating-webhook-and-a-validating-policy-that-denies': {
    mutatingWebhooks: [{ step: 'w' }],
    validating: '!has(object.data)',
    validatingWebhook: 'allow',
  },
}

let server: OperatedServer
let webhooks: WebhookServer
beforeAll(async () => {
  server = await startOperated([])
  const steps = ['w', 'w1', 'w2'].map((step) => [step, trace(step)] as const)
  webhooks = await WebhookServer.start({
    ...Object.fromEntries(steps),
    allow,
    deny: deny(),
    probe: deny({ code: 418 }),
  })
  await configure()
  const isInEffect = async (): Promise<void> => {
    expect((await create('probe-mutating')).status).toBe(418)
    expect((await create('probe-validating')).status).toBe(418)
    expect((await create('probe-policies')).text).toContain('the probe is in effect')
  }
  await vi.waitFor(isInEffect, { timeout: 60_000 })
})
afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

async function install(kind: string, body: object): Promise<void> {
  const { status, text } = await server.ask('POST', `${REGISTRATION}/${kind}`, { body })
  if (status !== 201) throw new Error(text)
}

const create = (of: string) =>
  server.ask('POST', MAPS, {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { of } } },
  })

async function policy(
  kind: 'mutating' | 'validating',
  name: string,
  of: string,
  spec: object,
): Promise<void> {
  const objectSelector = { matchLabels: { of } }
  const matchConstraints = { resourceRules: [RULE], objectSelector }
  await install(`${kind}admissionpolicies`, { metadata: { name }, spec: { matchConstraints, ...spec } })
  const validationActions = kind === 'validating' ? ['Deny'] : undefined
  await install(`${kind}admissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions },
  })
}

const mutations = (expression: string) => [
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
]

/** Installs all cases, and probes that come last. */
async function configure(): Promise<void> {
  const webhook = (name: string, of: string, path: string, more: object = {}) => ({
    name: `${name}.example.com`,
    clientConfig: { url: webhooks.url(path), caBundle: webhooks.caBundle },
    rules: [RULE],
    objectSelector: { matchLabels: { of } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  })
  const reinvocationPolicy = (again = false): string => (again ? 'IfNeeded' : 'Never')
  const mutating: object[] = []
  const validating: object[] = []
  for (const [of, one] of Object.entries(cases)) {
    for (const [index, { step = '', expression = traced(step), again }] of (one.mutating ?? []).entries()) {
      const spec = { mutations: mutations(expression), reinvocationPolicy: reinvocationPolicy(again) }
      await policy('mutating', `${of}-${index}`, of, spec)
    }
    for (const { step, again } of one.mutatingWebhooks ?? []) {
      mutating.push(webhook(`${of}-${step}`, of, step, { reinvocationPolicy: reinvocationPolicy(again) }))
    }
    if (one.validating) await policy('validating', of, of, { validations: [{ expression: one.validating }] })
    if (one.validatingWebhook) validating.push(webhook(of, of, one.validatingWebhook))
  }
  mutating.push(webhook('pod', 'pod', 'allow'))
  await policy('mutating', 'pod-without-tolerations', 'pod-without-tolerations', {
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/spec/tolerations"}]' },
      },
    ],
    reinvocationPolicy: 'Never',
  })
  mutating.push(webhook('pod-without-tolerations', 'pod-without-tolerations', 'allow'))
  await policy('mutating', 'zz-probe', 'probe-policies', {
    mutations: mutations('Object{metadata: Object.metadata{annotations: {"probed": "yes"}}}'),
    reinvocationPolicy: 'Never',
  })
  await policy('validating', 'zz-probe', 'probe-policies', {
    validations: [{ expression: '!has(object.metadata.annotations)', message: 'the probe is in effect' }],
  })
  await install('mutatingwebhookconfigurations', {
    metadata: { name: 'mutating' },
    webhooks: [...mutating, webhook('probe', 'probe-mutating', 'probe')],
  })
  await install('validatingwebhookconfigurations', {
    metadata: { name: 'validating' },
    webhooks: [...validating, webhook('probe', 'probe-validating', 'probe')],
  })
}

test.for(Object.keys(cases))('%s', async (of) => {
  webhooks.reviews.length = 0
  const { status, text } = await create(of)
  const { data, message } = JSON.parse(text)
  const reviews = webhooks.reviews.map(({ webhook, review }) => ({
    webhook,
    sees: review.request.object.data ?? null,
  }))
  await expect(lines({ status, data, message, reviews })).toMatchFileSnapshot(
    recorded(`policies-and-webhooks-${of}`),
  )
})

test.for([
  ['pod', {}],
  ['pod', { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] }],
  ['pod', { tolerations: [{ operator: 'Exists' }], priority: 0 }],
  ['pod-without-tolerations', {}],
] as const)('%s with %j is complete when webhooks see it', async ([of, more], { task }) => {
  webhooks.reviews.length = 0
  const containers = [{ name: 'a', image: 'b' }]
  const body = {
    metadata: { name: 'a', labels: { of } },
    spec: { automountServiceAccountToken: false, containers, ...more },
  }
  const { status, text } = await server.ask('POST', '/api/v1/namespaces/default/pods?dryRun=All', { body })
  const filledIn = ({ tolerations, priority, preemptionPolicy }: any) => ({
    tolerations,
    priority,
    preemptionPolicy,
  })
  const { spec, message } = JSON.parse(text)
  const seen = webhooks.reviews.map(({ review }) => filledIn(review.request.object.spec))
  const index = task.name.includes('not-ready') ? 2 : task.name.includes('priority') ? 3 : 1
  await expect(lines({ status, message, stored: filledIn(spec), seen })).toMatchFileSnapshot(
    recorded(`webhooks-of-a-${of}-${index}`),
  )
})
