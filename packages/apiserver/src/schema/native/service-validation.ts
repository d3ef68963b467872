import { labelKeyProblems } from '@homeostat/api'
import { isNetwork } from '../addresses.ts'
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  type FieldError,
} from '../field-error.ts'
import { RawJson } from '../go-text.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { labelProblems, subdomainProblems } from '../name-syntax.ts'
import { validateLabels } from '../object-meta.ts'
import { address, eachObject, named, oneOf, port, portOrName } from './checks.ts'

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** What is wrong with a Service. */
export function validateService(service: JsonObject): FieldError[] {
  const spec = objectOf(service['spec'])
  const { type } = spec
  const ports = listOf(spec['ports'])
  const headless = clusterAddresses(spec)[0] === 'None'
  const errors: FieldError[] = []
  if (ports.length === 0 && !headless && type !== 'ExternalName') errors.push(requiredValue('spec.ports'))
  errors.push(...typeErrors(spec), ...portErrors(spec, ports, headless))
  errors.push(
    ...validateLabels(spec['selector'], 'spec.selector'),
    ...oneOf(spec['sessionAffinity'], ['ClientIP', 'None'], 'spec.sessionAffinity'),
    ...oneOf(type, TYPES, 'spec.type'),
    ...oneOf(spec['internalTrafficPolicy'], ['Cluster', 'Local'], 'spec.internalTrafficPolicy'),
    ...oneOf(spec['ipFamilyPolicy'], POLICIES, 'spec.ipFamilyPolicy'),
    ...listOf(spec['ipFamilies']).flatMap((one, index) =>
      oneOf(one, ['IPv4', 'IPv6'], `spec.ipFamilies[${index}]`),
    ),
    ...listOf(spec['externalIPs']).flatMap((one, index) => address(one, `spec.externalIPs[${index}]`)),
    ...externalErrors(spec),
  )
  return errors
}

/** The addresses that a Service asks for, be it by the old field or the new. */
function clusterAddresses(spec: JsonObject): readonly unknown[] {
  const many = listOf(spec['clusterIPs'])
  if (many.length > 0) return many
  return spec['clusterIP'] ? [spec['clusterIP']] : []
}

function typeErrors(spec: JsonObject): FieldError[] {
  const { type, externalName } = spec
  const addresses = clusterAddresses(spec)
  const first = addresses[0]
  if (type === 'ExternalName') {
    const errors: FieldError[] = []
    if (addresses.length > 0) {
      errors.push(forbiddenValue('spec.clusterIPs', 'may not be set for ExternalName services'))
    }
    const name = textOf(externalName ?? '').replace(/\.$/, '')
    if (name === '') errors.push(requiredValue('spec.externalName'))
    else errors.push(...named(name, 'spec.externalName', subdomainProblems))
    return errors
  }
  if ((type === 'LoadBalancer' || type === 'NodePort') && first === 'None') {
    return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
  }
  if (first === 'None') return []
  return addresses.flatMap((one, index) => address(one, `spec.clusterIPs[${index}]`))
}

function portErrors(spec: JsonObject, ports: readonly unknown[], headless: boolean): FieldError[] {
  const names = new Set<string>()
  const errors = eachObject(ports, 'spec.ports', (item, at) =>
    validatePort(item, at, ports.length > 1, headless, names),
  )
  const seen = new Set<string>()
  const seenNodePorts = new Set<string>()
  for (const [index, item] of ports.entries()) {
    const { port: number, protocol, nodePort } = objectOf(item)
    const at = `spec.ports[${index}]`
    if (seen.has(`${textOf(protocol)}/${textOf(number)}`))
      errors.push(duplicateValue(at, portText(protocol, number)))
    seen.add(`${textOf(protocol)}/${textOf(number)}`)
    if (!nodePort) continue
    if (spec['type'] === 'ClusterIP') {
      errors.push(forbiddenValue(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"))
    }
    const taken = `${textOf(protocol)}/${textOf(nodePort)}`
    if (seenNodePorts.has(taken)) errors.push(duplicateValue(`${at}.nodePort`, nodePort))
    seenNodePorts.add(taken)
  }
  return errors
}

function portText(protocol: unknown, number: unknown): RawJson {
  return RawJson.object(
    ['Name', ''],
    ['Protocol', protocol],
    ['AppProtocol', null],
    ['Port', number],
    ['TargetPort', 0],
    ['NodePort', 0],
  )
}

function validatePort(
  item: JsonObject,
  field: string,
  several: boolean,
  headless: boolean,
  names: Set<string>,
): FieldError[] {
  const errors: FieldError[] = []
  const { name = '', protocol, targetPort, appProtocol } = item
  if (name === '') {
    if (several) errors.push(requiredValue(`${field}.name`))
  } else {
    errors.push(...named(name, `${field}.name`, labelProblems))
    if (names.has(String(name))) errors.push(duplicateValue(`${field}.name`, name))
    names.add(String(name))
  }
  errors.push(...port(item['port'] ?? 0, `${field}.port`))
  if (!protocol) errors.push(requiredValue(`${field}.protocol`))
  else errors.push(...oneOf(protocol, PROTOCOLS, `${field}.protocol`))
  errors.push(...portOrName(targetPort, `${field}.targetPort`))
  if (typeof appProtocol === 'string') {
    for (const problem of labelKeyProblems(appProtocol)) {
      errors.push(invalidValue(`${field}.appProtocol`, appProtocol, problem))
    }
  }
  return headless && errors.length === 0 ? [] : errors
}

function externalErrors(spec: JsonObject): FieldError[] {
  const { type, externalTrafficPolicy } = spec
  const errors: FieldError[] = []
  const reachable = type === 'LoadBalancer' || type === 'NodePort' || listOf(spec['externalIPs']).length > 0
  if (externalTrafficPolicy !== undefined) {
    const field = 'spec.externalTrafficPolicy'
    if (!reachable) {
      errors.push(
        invalidValue(field, externalTrafficPolicy, 'may only be set for externally-accessible services'),
      )
    } else {
      errors.push(...oneOf(externalTrafficPolicy, ['Cluster', 'Local'], field))
    }
  }
  const ranges = listOf(spec['loadBalancerSourceRanges'])
  if (ranges.length === 0) return errors
  // The field is named so in the server's messages.
  const field = 'spec.LoadBalancerSourceRanges'
  if (type !== 'LoadBalancer')
    errors.push(forbiddenValue(field, "may only be used when `type` is 'LoadBalancer'"))
  for (const [index, range] of ranges.entries()) {
    if (isNetwork(String(range).trim())) continue
    const detail = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
    errors.push(invalidValue(`${field}[${index}]`, range, detail))
  }
  return errors
}

/** An address, once given, stays, as long as the type of the Service needs one. */
export function validateServiceUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(service['spec'])
  const before = objectOf(old['spec'])
  if (spec['type'] === 'ExternalName' || before['type'] === 'ExternalName') return []
  // Who changes the old field alone means the new one as well.
  const changed = spec['clusterIP'] !== before['clusterIP'] && spec['clusterIP'] !== undefined
  const now = changed ? [spec['clusterIP'], ...clusterAddresses(spec).slice(1)] : clusterAddresses(spec)
  const first = clusterAddresses(before)[0]
  if (first === undefined || now[0] === first) return []
  return [invalidValue('spec.clusterIPs[0]', now, 'may not change once set')]
}
