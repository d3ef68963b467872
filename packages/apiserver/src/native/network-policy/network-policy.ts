import {
  eachObject,
  ensureObject,
  named,
  network,
  networkWarnings,
  objectsIn,
  port,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  hasSentEmpty,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  listOf,
  networkOf,
  objectOf,
  portNameProblems,
  requiredValue,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { networkPolicyPrinter } from './table.ts'

const TYPES = ['Ingress', 'Egress']

/** NetworkPolicies. */
export const networkPolicy: NativeKind = {
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  generation: true,
  // Kubernetes compares a spec in which a list or map was sent empty with the stored one, which leaves it out.
  counts: (object) => hasSentEmpty(object['spec']),
  table: networkPolicyPrinter,
  default(object) {
    const spec = ensureObject(object, 'spec')
    for (const rule of [...objectsIn(spec['ingress']), ...objectsIn(spec['egress'])]) {
      for (const one of objectsIn(rule['ports'])) one['protocol'] ??= 'TCP'
    }
    if (listOf(spec['policyTypes']).length > 0) return
    spec['policyTypes'] = listOf(spec['egress']).length > 0 ? TYPES : ['Ingress']
  },
  validate(object, old) {
    const spec = objectOf(object['spec'])
    const before = old ? networksOf(objectOf(old['spec'])) : []
    const errors = validateLabelSelector(spec['podSelector'], 'spec.podSelector')
    for (const [kind, peers] of [
      ['ingress', 'from'],
      ['egress', 'to'],
    ] as const) {
      addAll(
        errors,
        eachObject(spec[kind], `spec.${kind}`, (rule, at) => [
          ...eachObject(rule['ports'], `${at}.ports`, portErrors),
          ...eachObject(rule[peers], `${at}.${peers}`, (peer, where) => peerErrors(peer, where, before)),
        ]),
      )
    }
    const types = listOf(spec['policyTypes'])
    if (types.length > TYPES.length) {
      return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')]
    }
    for (const [index, type] of types.entries()) {
      if (TYPES.includes(textOf(type))) continue
      errors.push(unsupportedValue(`spec.policyTypes[${index}]`, type, TYPES))
    }
    return errors
  },
  warnings(object) {
    const spec = objectOf(object['spec'])
    return [...ruleWarnings(spec, 'ingress', 'from'), ...ruleWarnings(spec, 'egress', 'to')]
  },
}

function ruleWarnings(spec: JsonObject, kind: string, peers: string): string[] {
  return objectsIn(spec[kind]).flatMap((rule, outer) =>
    objectsIn(rule[peers]).flatMap((peer, index) => {
      const { cidr, except } = objectOf(peer['ipBlock'])
      const at = `spec.${kind}[${outer}].${peers}[${index}].ipBlock`
      return [
        ...networkWarnings(cidr, `${at}.cidr`),
        ...listOf(except).flatMap((one, place) => networkWarnings(one, `${at}.except[${place}]`)),
      ]
    }),
  )
}

function networksOf(spec: JsonObject): unknown[] {
  const rules = [...objectsIn(spec['ingress']), ...objectsIn(spec['egress'])]
  return rules
    .flatMap((rule) => [...objectsIn(rule['from']), ...objectsIn(rule['to'])])
    .flatMap((peer) => {
      const { cidr, except } = objectOf(peer['ipBlock'])
      return [cidr, ...listOf(except)]
    })
}

function portErrors(item: JsonObject, field: string): FieldError[] {
  const { protocol, port: number, endPort } = item
  const errors: FieldError[] = []
  if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(textOf(protocol))) {
    errors.push(unsupportedValue(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']))
  }
  const refuse = (detail: string): void => void errors.push(invalidValue(`${field}.endPort`, endPort, detail))
  if (isNumber(number)) {
    addAll(errors, port(number, `${field}.port`))
    if (!isNumber(endPort)) return errors
    if (endPort < number) {
      errors.push(invalidValue(`${field}.endPort`, number, 'must be greater than or equal to `port`'))
    }
    return [...errors, ...port(endPort, `${field}.endPort`)]
  }
  if (number === undefined) {
    if (endPort !== undefined) refuse('may not be specified when `port` is not specified')
    return errors
  }
  if (endPort !== undefined) refuse('may not be specified when `port` is non-numeric')
  return [...errors, ...named(number, `${field}.port`, portNameProblems)]
}

function peerErrors(peer: JsonObject, field: string, before: readonly unknown[]): FieldError[] {
  const { ipBlock } = peer
  const errors: FieldError[] = []
  let count = 0
  for (const name of ['podSelector', 'namespaceSelector']) {
    if (!isObject(peer[name])) continue
    count++
    addAll(errors, validateLabelSelector(peer[name], `${field}.${name}`))
  }
  if (isObject(ipBlock)) addAll(errors, blockErrors(ipBlock, `${field}.ipBlock`, before))
  if (count === 0 && !isObject(ipBlock)) errors.push(requiredValue(field, 'must specify a peer'))
  if (count > 0 && isObject(ipBlock)) {
    errors.push(forbiddenValue(field, 'may not specify both ipBlock and another peer'))
  }
  return errors
}

function blockErrors(block: JsonObject, field: string, before: readonly unknown[]): FieldError[] {
  const cidr = textOf(block['cidr'] ?? '')
  if (cidr === '') return [requiredValue(`${field}.cidr`)]
  const errors = network(cidr, `${field}.cidr`, before)
  const whole = networkOf(cidr)
  if (!whole) return errors
  for (const [index, except] of listOf(block['except']).entries()) {
    const at = `${field}.except[${index}]`
    addAll(errors, network(except, at, before))
    const part = networkOf(textOf(except))
    if (!part) continue
    const inside =
      part.bits.length === whole.bits.length && part.bits.startsWith(whole.bits.slice(0, whole.length))
    if (inside && part.length > whole.length) continue
    errors.push(invalidValue(at, except, 'must be a strict subset of `cidr`'))
  }
  return errors
}
