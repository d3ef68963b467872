import { leases } from './objects.ts'
import { scenario, type RequestOptions, type Scenario, type Step } from './scenario.ts'
import { create, remove } from './steps.ts'

export type Fields = Readonly<Record<string, unknown>>

const group = '/apis/admissionregistration.k8s.io/v1'
/** The collections of policies and bindings, by their kinds. */
const collections = {
  Validating: [`${group}/validatingadmissionpolicies`, `${group}/validatingadmissionpolicybindings`],
  Mutating: [`${group}/mutatingadmissionpolicies`, `${group}/mutatingadmissionpolicybindings`],
} as const
type PolicyKind = keyof typeof collections

const done: RequestOptions = { show: () => 'done' }
const apiVersion = 'admissionregistration.k8s.io/v1'

/** Which requests a policy is for. */
export const rule = (resources: readonly string[], more: Fields = {}): Fields => ({
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['CREATE', 'UPDATE'],
  resources,
  ...more,
})
export const rules = (resources: readonly string[], more: Fields = {}): Fields => ({
  resourceRules: [rule(resources, more)],
})

const policy = (kind: PolicyKind, name: string, spec: Fields): Fields => ({
  apiVersion,
  kind: `${kind}AdmissionPolicy`,
  metadata: { name },
  spec: { matchConstraints: rules(['configmaps']), ...spec },
})

/** A binding for the namespace of the scenario. */
const binding = (kind: PolicyKind, name: string, policyName: string, spec: Fields = {}): Fields => {
  const { matchResources, ...more } = spec
  return {
    apiVersion,
    kind: `${kind}AdmissionPolicyBinding`,
    metadata: { name },
    spec: {
      policyName,
      matchResources: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
        ...(matchResources as Fields | undefined),
      },
      ...(kind === 'Validating' && { validationActions: ['Deny'] }),
      ...more,
    },
  }
}

const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'probe' } }
/** A request that is answered with 422 once all policies that were made before are in effect. */
const probe = (): Step => create(`${leases}?dryRun=All`, lease, { until: 422, show: () => 'waiting' })
const onLeases = { matchConstraints: rules(['leases']) }

/** Makes a policy and its binding. */
export function bound(kind: PolicyKind, spec: Fields, bindingSpec: Fields = {}, suffix = ''): Step[] {
  const [policies, bindings] = collections[kind]
  const name = `{ns}-${kind.toLowerCase()}${suffix}`
  return [
    create(policies, policy(kind, name, spec), done),
    create(bindings, binding(kind, name, name, bindingSpec), done),
  ]
}

/** Waits until the policies that were made are in effect. */
export function inEffect(kind: PolicyKind): Step[] {
  const [policies, bindings] = collections.Validating
  const marker = policy('Validating', '{ns}-marker', {
    ...onLeases,
    validations: [
      {
        expression: kind === 'Validating' ? 'false' : '!has(object.metadata.labels)',
        message: 'in effect',
      },
    ],
  })
  const steps = [
    create(policies, marker, done),
    create(bindings, binding('Validating', '{ns}-marker', '{ns}-marker'), done),
  ]
  if (kind === 'Validating') return [...steps, probe()]
  const marking = {
    ...onLeases,
    reinvocationPolicy: 'Never',
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'marked': 'yes'}}}" },
      },
    ],
  }
  return [...steps, ...bound('Mutating', marking, {}, '-marker'), probe()]
}

/** Takes policies out of effect. */
export function unbound(kind: PolicyKind, suffixes: readonly string[] = ['']): Step[] {
  const names = suffixes.map((suffix) => `${collections[kind][1]}/{ns}-${kind.toLowerCase()}${suffix}`)
  const markers = [
    `${collections.Validating[1]}/{ns}-marker`,
    ...(kind === 'Mutating' ? [`${collections.Mutating[1]}/{ns}-mutating-marker`] : []),
  ]
  return [...names, ...markers].map((path) => remove(path, undefined, done))
}

/** A scenario with one policy that is in effect. */
export function withPolicy(
  kind: PolicyKind,
  title: string,
  spec: Fields,
  bindingSpec: Fields,
  ...steps: readonly Step[]
): Scenario {
  return scenario(
    'B native kinds',
    title,
    ...bound(kind, spec, bindingSpec),
    ...inEffect(kind),
    ...steps,
    ...unbound(kind),
  )
}

/** A policy that is written, and what the server says to it. */
export function written(kind: PolicyKind, title: string, spec: Fields): Scenario {
  const [policies] = collections[kind]
  return scenario(
    'B native kinds',
    title,
    create(`${policies}?dryRun=All`, policy(kind, '{ns}-written', spec), {
      show: ({ spec: found }) => found as unknown,
    }),
  )
}
