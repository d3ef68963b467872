import { eachObject, named } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  isObject,
  label1035Problems,
  objectOf,
  portProblems,
  requiredValue,
  segmentProblems,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { apiServiceStrategy } from './api-service-strategy.ts'
import { apiServicePrinter } from './table.ts'

/** APIServices. */
export const apiService: NativeKind = {
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  ...apiServiceStrategy,
  table: apiServicePrinter,
  plainFinalizers: true,
  updateSteps: ['metadata change', 'object'],
  default(object) {
    const { service } = objectOf(object['spec'])
    if (isObject(service)) service['port'] ??= 443
  },
  validate(object) {
    const spec = objectOf(object['spec'])
    const { service, caBundle, insecureSkipTLSVerify } = spec
    const group = textOf(spec['group'] ?? '')
    const version = textOf(spec['version'] ?? '')
    const errors = nameErrors(textOf(objectOf(object['metadata'])['name'] ?? ''), `${version}.${group}`)
    if (group === '' && version !== 'v1') {
      const detail = 'only v1 may have an empty group and it better be legacy kube'
      errors.push(requiredValue('spec.group', detail))
    }
    if (group !== '') addAll(errors, named(group, 'spec.group', subdomainProblems))
    addAll(errors, named(version, 'spec.version', label1035Problems))
    for (const [name, most] of [
      ['groupPriorityMinimum', 20_000],
      ['versionPriority', 1_000],
    ] as const) {
      const value = Number(spec[name] ?? 0)
      if (value > 0 && value <= most) continue
      errors.push(invalidValue(`spec.${name}`, value, `must be positive and less than ${most}`))
    }
    if (!isObject(service)) {
      if (caBundle) {
        const shown = `${atob(textOf(caBundle)).length} bytes`
        errors.push(invalidValue('spec.caBundle', shown, 'local APIServices may not have a caBundle'))
      }
      if (insecureSkipTLSVerify === true) {
        const detail = 'local APIServices may not have insecureSkipTLSVerify'
        errors.push(invalidValue('spec.insecureSkipTLSVerify', true, detail))
      }
      return errors
    }
    for (const name of ['namespace', 'name']) {
      if (!service[name]) errors.push(requiredValue(`spec.service.${name}`))
    }
    const problems = portProblems(service['port'] ?? 0)
    if (problems.length > 0) {
      const detail = `port is not valid: ${problems.join(', ')}`
      errors.push(invalidValue('spec.service.port', service['port'] ?? 0, detail))
    }
    if (insecureSkipTLSVerify === true && caBundle) {
      const detail = 'may not be true if caBundle is present'
      errors.push(invalidValue('spec.insecureSkipTLSVerify', true, detail))
    }
    return errors
  },
  validateStatus: (object) =>
    eachObject(objectOf(object['status'])['conditions'], 'status.conditions', ({ status }, at) => {
      const allowed = ['True', 'False', 'Unknown']
      return allowed.includes(textOf(status)) ? [] : [unsupportedValue(`${at}.status`, status ?? '', allowed)]
    }),
}

function nameErrors(name: string, expected: string): FieldError[] {
  if (name === '' || segmentProblems(name).length > 0 || name === expected) return []
  const detail = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`
  return [invalidValue('metadata.name', name, detail)]
}
