import { address, eachObject, named, objectsIn, port, requiredName } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  isAddress,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  portNameProblems,
  requiredValue,
  shownAsSent,
  subdomainProblems,
  textOf,
  unsupportedValue,
  wildcardProblems,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { referenceErrors } from '../ingress-class/reference-validation.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { hostnameErrors } from '../service/service-validation.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { ingressWarnings } from './ingress-warnings.ts'
import { ingressPrinter } from './table.ts'

type NameCheck = (name: string) => string[]

const CLASS = 'kubernetes.io/ingress.class'

/** Ingresses. */
export const ingress: NativeKind = {
  group: 'networking.k8s.io',
  kind: 'Ingress',
  ...generationAndStatus,
  warnings: ingressWarnings,
  table: ingressPrinter,
  updateSteps: ['metadata change', 'metadata', 'object'],
  validate: (object, old) => ingressErrors(object, old, labelProblems),
  validateStatus(object, old) {
    const before = objectsIn(objectOf(objectOf(old['status'])['loadBalancer'])['ingress']).map(({ ip }) => ip)
    const { ingress: all } = objectOf(objectOf(object['status'])['loadBalancer'])
    return eachObject(all, 'status.loadBalancer.ingress', ({ ip, hostname }, at) => [
      ...(ip ? address(ip, `${at}.ip`, before) : []),
      ...hostnameErrors(hostname, `${at}.hostname`),
    ])
  },
}

/** Validates an Ingress. `serviceNames` says what is wrong with the name of a backend's Service. */
export function ingressErrors(
  object: JsonObject,
  old: JsonObject | undefined,
  serviceNames: NameCheck,
): FieldError[] {
  const spec = objectOf(object['spec'])
  const rules = listOf(spec['rules'])
  const errors: FieldError[] = []
  if (rules.length === 0 && !isObject(spec['defaultBackend'])) {
    const detail = 'either `defaultBackend` or `rules` must be specified'
    errors.push(invalidValue('spec', shownAsSent(spec, 'rules', []), detail))
  }
  if (isObject(spec['defaultBackend']))
    addAll(errors, backendErrors(spec['defaultBackend'], 'spec.defaultBackend', serviceNames))
  addAll(
    errors,
    eachObject(rules, 'spec.rules', (rule, at) => ruleErrors(rule, at, serviceNames)),
    eachObject(spec['tls'], 'spec.tls', tlsErrors),
  )
  const { ingressClassName } = spec
  if (ingressClassName !== undefined) {
    addAll(errors, named(ingressClassName, 'spec.ingressClassName', subdomainProblems))
  }
  const annotation = objectOf(objectOf(object['metadata'])['annotations'])[CLASS]
  if (!old && annotation !== undefined && ingressClassName !== undefined && annotation !== ingressClassName) {
    const detail = 'must match `ingressClassName` when both are specified'
    errors.push(invalidValue(`annotations.${CLASS}`, annotation, detail))
  }
  return errors
}

function hostErrors(host: string, field: string): FieldError[] {
  return named(host, field, host.includes('*') ? wildcardProblems : subdomainProblems)
}

function ruleErrors(rule: JsonObject, field: string, serviceNames: NameCheck): FieldError[] {
  const host = textOf(rule['host'] ?? '')
  const errors: FieldError[] = []
  if (host !== '') {
    if (isAddress(host)) {
      errors.push(invalidValue(`${field}.host`, host, 'must be a DNS name, not an IP address'))
    }
    addAll(errors, hostErrors(host, `${field}.host`))
  }
  if (!isObject(rule['http'])) return errors
  const paths = listOf(rule['http']['paths'])
  if (paths.length === 0) errors.push(requiredValue(`${field}.http.paths`))
  const found = eachObject(paths, `${field}.http.paths`, (item, at) => pathErrors(item, at, serviceNames))
  return [...errors, ...found]
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix']

const SEQUENCES = ['//', '/./', '/../', '%2f', '%2F']

function pathErrors(item: JsonObject, field: string, serviceNames: NameCheck): FieldError[] {
  const { pathType } = item
  const path = textOf(item['path'] ?? '')
  if (pathType === undefined || pathType === null)
    return [requiredValue(`${field}.pathType`, 'pathType must be specified')]
  const refuse = (detail: string): FieldError => invalidValue(`${field}.path`, path, detail)
  const errors: FieldError[] = []
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) errors.push(refuse('must be an absolute path'))
    for (const part of SEQUENCES) if (path.includes(part)) errors.push(refuse(`must not contain '${part}'`))
    for (const end of ['/..', '/.']) if (path.endsWith(end)) errors.push(refuse(`cannot end with '${end}'`))
  } else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) errors.push(refuse('must be an absolute path'))
  } else errors.push(unsupportedValue(`${field}.pathType`, pathType, PATH_TYPES))
  return [...errors, ...backendErrors(objectOf(item['backend']), `${field}.backend`, serviceNames)]
}

function backendErrors(backend: JsonObject, field: string, serviceNames: NameCheck): FieldError[] {
  const { resource, service } = backend
  if (isObject(resource) && isObject(service)) {
    return [invalidValue(field, '', 'cannot set both resource and service backends')]
  }
  if (isObject(resource)) return referenceErrors(resource, `${field}.resource`)
  if (!isObject(service)) return [invalidValue(field, '', 'resource or service backend is required')]
  const errors = requiredName(service['name'], `${field}.service.name`, serviceNames)
  const { name, number } = objectOf(service['port'])
  if (name && number) errors.push(invalidValue(field, '', 'cannot set both port name & port number'))
  else if (name) addAll(errors, named(name, `${field}.service.port.name`, portNameProblems))
  else if (number) addAll(errors, port(number, `${field}.service.port.number`))
  else errors.push(requiredValue(field, 'port name or number is required'))
  return errors
}

function tlsErrors(tls: JsonObject, field: string): FieldError[] {
  const { secretName } = tls
  return [
    ...listOf(tls['hosts']).flatMap((host, index) => hostErrors(textOf(host), `${field}.hosts[${index}]`)),
    ...(secretName ? named(secretName, `${field}.secretName`, subdomainProblems) : []),
  ]
}
