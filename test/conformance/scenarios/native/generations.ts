import { scenario, type RequestOptions, type RequestStep, type Scenario } from '../../scenario.ts'
import { apply, create, merge, remove, replace, strategic } from '../../steps.ts'
import { of } from './native-objects.ts'

const options: RequestOptions = { show: ({ metadata }) => metadata?.generation as unknown }

/** Writes of the same object, with all that is empty in it. */
function again(path: string, object: object, patch: object): RequestStep[] {
  const collection = path.slice(0, path.lastIndexOf('/'))
  return [
    create(collection, object, options),
    replace(path, object, options),
    replace(path, object, options),
    merge(path, { metadata: { labels: { a: 'b' } } }, options),
    merge(path, patch, options),
    strategic(path, patch, options),
    apply(`${path}?force=true`, object, options),
    apply(`${path}?force=true`, object, options),
    merge(path, { metadata: { labels: { a: 'c' } } }, options),
    remove(path, undefined, { show: ({ kind }) => kind as unknown }),
  ]
}

const policies = '/apis/networking.k8s.io/v1/~/networkpolicies'
const policy = (spec: object): object =>
  of('networking.k8s.io/v1', 'NetworkPolicy', 'a', { spec: { podSelector: {}, ...spec } })

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const hook = (more: object): object => ({
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com/' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  ...more,
})
const hooks = (kind: string, webhooks: readonly object[]): object =>
  of('admissionregistration.k8s.io/v1', kind, '{ns}', { webhooks })

/** Generations of objects that are written again with lists and maps that are empty. */
export const generations: readonly Scenario[] = [
  ...Object.entries({
    'an empty list of rules': { ingress: [] },
    'an empty list in a rule': { egress: [{ to: [], ports: [{ port: 1 }] }] },
    'an empty map of labels': { podSelector: { matchLabels: {} } },
    'no empty list': { ingress: [{ from: [{ podSelector: {} }] }] },
  }).map(([title, spec]) =>
    scenario(
      'B generation',
      `a NetworkPolicy is written again with ${title}`,
      ...again(`${policies}/a`, policy(spec), { spec }),
    ),
  ),
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].flatMap((kind) =>
    Object.entries({
      'an empty list of rules': hook({ rules: [] }),
      'empty lists of conditions and labels': hook({
        matchConditions: [],
        namespaceSelector: { matchLabels: {}, matchExpressions: [] },
      }),
      'an empty list in a rule': hook({
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: [] }],
      }),
    }).map(([title, webhook]) =>
      scenario(
        'B generation',
        `a ${kind} is written again with ${title}`,
        ...again(`${ADMISSION}/${kind.toLowerCase()}s/{ns}`, hooks(kind, [webhook]), { webhooks: [webhook] }),
      ),
    ),
  ),
]
