import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  type JsonObject,
  listOf,
  objectOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { isHeadless, needsHealthCheck, validateBalancerClass } from './service-validation.ts'

/** Validates that a Service keeps its addresses as long as its type needs them. */
export function validateServiceUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(service['spec'])
  const before = objectOf(old['spec'])
  const errors = [...addressErrors(spec, before), ...familyErrors(spec, before)]
  const both = spec['type'] === 'LoadBalancer' && before['type'] === 'LoadBalancer'
  if (both && spec['loadBalancerClass'] !== before['loadBalancerClass']) {
    const shown = spec['loadBalancerClass'] ?? null
    errors.push(invalidValue('spec.loadBalancerClass', shown, 'may not change once set'))
  }
  addAll(errors, validateBalancerClass(spec))
  const checked = needsHealthCheck(spec) && needsHealthCheck(before)
  if (checked && spec['healthCheckNodePort'] !== before['healthCheckNodePort']) {
    errors.push(forbiddenValue('spec.healthCheckNodePort', 'field is immutable'))
  }
  return errors
}

function addressErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  if (spec['type'] === 'ExternalName' || before['type'] === 'ExternalName') return []
  if (isHeadless(spec) && isHeadless(before)) return []
  const now = listOf(spec['clusterIPs'])
  const old = listOf(before['clusterIPs'])
  const refuse = (index: number, detail: string): FieldError =>
    invalidValue(`spec.clusterIPs[${index}]`, now, detail)
  if (now.length === old.length) {
    return old.flatMap((ip, index) => (ip === now[index] ? [] : [refuse(index, 'may not change once set')]))
  }
  if (old.length < now.length) {
    return old.length > 0 && now[0] !== old[0] ? [refuse(0, 'may not change once set')] : []
  }
  if (now.length === 0) return [refuse(0, 'primary clusterIP can not be unset')]
  const errors = now[0] === old[0] ? [] : [refuse(0, 'may not change once set')]
  if (now.length !== 1 || spec['ipFamilyPolicy'] === 'SingleStack') return errors
  const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP"
  return [...errors, invalidValue('spec.ipFamilyPolicy', spec['ipFamilyPolicy'] ?? null, detail)]
}

function familyErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  if (spec['type'] === 'ExternalName' || before['type'] === 'ExternalName') return []
  if (isHeadless(spec) || isHeadless(before)) return []
  const now = listOf(spec['ipFamilies'])
  const old = listOf(before['ipFamilies'])
  const field = 'spec.ipFamilies[0]'
  if (now.length === old.length) {
    return old.flatMap((family, index) =>
      family === now[index] ? [] : [invalidValue(field, now, 'may not change once set')],
    )
  }
  const errors: FieldError[] = []
  if (now.length > 0 && old.length > 0 && now[0] !== old[0]) {
    errors.push(invalidValue(field, listOf(spec['clusterIPs']), 'may not change once set'))
  }
  if (old.length < now.length || now.length !== 1 || spec['ipFamilyPolicy'] === 'SingleStack') return errors
  const detail = "must be set to 'SingleStack' when releasing the secondary ipFamily"
  return [...errors, invalidValue('spec.ipFamilyPolicy', spec['ipFamilyPolicy'] ?? null, detail)]
}
