import {
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  kindNameProblem,
  label1035Problems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { approvalErrors } from './api-approval.ts'
import { hasDefault, schemasHave, versionErrors } from './version-validation.ts'
import { writeDefaultsMetadata } from './defaults-metadata.ts'

/** Sets the defaults of a CRD, in place. */
export function defaultCustomResourceDefinition(definition: JsonObject): void {
  const spec = definition['spec']
  if (!isObject(spec)) return
  const { names, conversion } = spec
  if (isObject(names)) {
    const kind = textOf(names['kind'] ?? '')
    names['singular'] ||= kind.toLowerCase()
    if (kind !== '') names['listKind'] ||= `${kind}List`
    if (names['singular'] === '') delete names['singular']
  }
  if (!isObject(conversion)) spec['conversion'] = { strategy: 'None' }
  else if (isEmptyWebhook(conversion['webhook'])) delete conversion['webhook']
  const { service } = objectOf(objectOf(objectOf(conversion)['webhook'])['clientConfig'])
  if (isObject(service)) service['port'] ??= 443
  for (const version of listOf(spec['versions'])) {
    writeDefaultsMetadata(objectOf(objectOf(objectOf(version)['schema'])['openAPIV3Schema']))
  }
}

/** Kubernetes forgets a webhook without content. */
function isEmptyWebhook(webhook: unknown): boolean {
  if (!isObject(webhook)) return false
  return webhook['clientConfig'] === undefined && webhook['conversionReviewVersions'] === undefined
}

/** Validates a CRD that has its defaults, except for its metadata. */
export function validateCustomResourceDefinition(definition: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(definition['spec'])
  const { name } = objectOf(definition['metadata'])
  const { plural } = objectOf(spec['names'])
  const { group } = spec
  const errors: FieldError[] = []
  if (!old && name && name !== `${textOf(plural ?? '')}.${textOf(group ?? '')}`) {
    errors.push(invalidValue('metadata.name', name ?? '', 'must be spec.names.plural+"."+spec.group'))
  }
  return [
    ...errors,
    ...groupErrors(group),
    ...scopeErrors(spec['scope']),
    ...nameErrors(objectOf(spec['names'])),
    ...versionErrors(spec),
    ...storedErrors(definition),
    ...conversionErrors(spec['conversion']),
    ...approvalErrors(definition, old),
    ...(spec['preserveUnknownFields'] === true ? preservingErrors(spec) : []),
  ]
}

/** A definition cannot keep unknown fields. Kubernetes also reports the fields that it would conflict with. */
function preservingErrors(spec: JsonObject): FieldError[] {
  const field = 'spec.preserveUnknownFields'
  const strategy = textOf(objectOf(spec['conversion'])['strategy'] ?? '')
  const errors = [
    invalidValue(
      field,
      true,
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ),
  ]
  if (schemasHave(spec, hasDefault)) {
    errors.push(invalidValue(field, true, 'must be false in order to use defaults in the schema'))
  }
  if (strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true'
    errors.push(invalidValue('spec.conversion.strategy', strategy, detail))
  }
  return errors
}

/** Validates the immutable fields of an established CRD. */
export function validateCustomResourceDefinitionUpdate(
  definition: JsonObject,
  old: JsonObject,
): FieldError[] {
  const spec = objectOf(definition['spec'])
  const before = objectOf(old['spec'])
  const established = listOf(objectOf(old['status'])['conditions']).some((condition) => {
    const { type, status } = objectOf(condition)
    return type === 'Established' && status === 'True'
  })
  const errors: FieldError[] = []
  const keep = (field: string, now: unknown, was: unknown): void => {
    if (!equalJson(now, was)) errors.push(invalidValue(field, now ?? '', 'field is immutable'))
  }
  if (established) {
    keep('spec.scope', spec['scope'], before['scope'])
    keep('spec.names.kind', objectOf(spec['names'])['kind'], objectOf(before['names'])['kind'])
  }
  keep('spec.group', spec['group'], before['group'])
  keep('spec.names.plural', objectOf(spec['names'])['plural'], objectOf(before['names'])['plural'])
  return errors
}

function groupErrors(group: unknown): FieldError[] {
  if (typeof group !== 'string' || group === '') return [requiredValue('spec.group')]
  const problems = subdomainProblems(group)
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))]
  if (group.includes('.')) return []
  return [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

function scopeErrors(scope: unknown): FieldError[] {
  if (scope === undefined || scope === '') return [requiredValue('spec.scope')]
  return scope === 'Cluster' || scope === 'Namespaced'
    ? []
    : [unsupportedValue('spec.scope', scope, ['Cluster', 'Namespaced'])]
}

function nameErrors(names: JsonObject): FieldError[] {
  const { plural, singular, kind, listKind } = names
  const errors: FieldError[] = []
  const label = (value: unknown, field: string): void => {
    const problems = label1035Problems(textOf(value ?? ''))
    if (problems.length > 0) errors.push(invalidValue(field, value ?? '', problems.join(',')))
  }
  const requiredLabel = (value: unknown, field: string): void => {
    if (value) label(value, field)
    else errors.push(requiredValue(field))
  }
  const type = (value: unknown, field: string): void => {
    if (!value) errors.push(requiredValue(field))
    else {
      const problem = kindNameProblem(textOf(value))
      if (problem !== undefined) errors.push(invalidValue(field, value, problem))
    }
  }
  requiredLabel(plural, 'spec.names.plural')
  requiredLabel(singular, 'spec.names.singular')
  type(kind, 'spec.names.kind')
  type(listKind, 'spec.names.listKind')
  for (const list of ['shortNames', 'categories']) {
    for (const [index, one] of listOf(names[list]).entries()) label(one, `spec.names.${list}[${index}]`)
  }
  if (kind && kind === listKind) {
    errors.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'))
  }
  return errors
}

/** Validates `status.storedVersions`, to which a write adds the first storage version. */
function storedErrors(definition: JsonObject): FieldError[] {
  const versions = listOf(objectOf(definition['spec'])['versions']).map(objectOf)
  const recorded = listOf(objectOf(definition['status'])['storedVersions']).map(textOf)
  const storage = versions.filter((version) => version['storage'] === true).map(nameOf)
  const stored = [...new Set([...recorded, ...storage.slice(0, 1)])]
  const field = 'status.storedVersions'
  if (stored.length === 0) return [invalidValue(field, null, 'must have at least one stored version')]
  const errors: FieldError[] = []
  const left = new Map(stored.map((name, index) => [name, index]))
  for (const version of versions) {
    const name = nameOf(version)
    // As in Kubernetes, each stored name matches one version: a second version of this name counts as missing.
    if (!left.delete(name) && version['storage'] === true) {
      errors.push(invalidValue(field, stored, `must have the storage version ${name}`))
    }
  }
  for (const [name, index] of left) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(invalidValue(`${field}[${index}]`, name, detail))
  }
  return errors
}

function nameOf(version: JsonObject): string {
  return textOf(version['name'] ?? '')
}

function clientErrors(client: unknown, field: string): FieldError[] {
  if (!isObject(client)) return [requiredValue(field, 'required when strategy is set to Webhook')]
  const { url, service } = client
  if ((url === undefined) === (service === undefined)) {
    return [requiredValue(field, 'exactly one of url or service is required')]
  }
  return []
}

const REVIEW_VERSIONS = ['v1', 'v1beta1']

function reviewErrors(versions: readonly unknown[], field: string): FieldError[] {
  if (versions.length === 0) return [requiredValue(field)]
  const errors: FieldError[] = []
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) {
      errors.push(invalidValue(`${field}[${index}]`, version, 'duplicate version'))
      continue
    }
    for (const problem of label1035Problems(textOf(version))) {
      errors.push(invalidValue(`${field}[${index}]`, version, problem))
    }
  }
  if (versions.some((version) => REVIEW_VERSIONS.includes(textOf(version)))) return errors
  return [
    ...errors,
    invalidValue(field, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`),
  ]
}

function conversionErrors(conversion: unknown): FieldError[] {
  if (!isObject(conversion)) return []
  const { strategy } = conversion
  const { clientConfig, conversionReviewVersions } = objectOf(conversion['webhook'])
  const config = 'spec.conversion.webhookClientConfig'
  const reviews = 'spec.conversion.conversionReviewVersions'
  if (strategy === 'Webhook') {
    return [...clientErrors(clientConfig, config), ...reviewErrors(listOf(conversionReviewVersions), reviews)]
  }
  const detail = 'should not be set when strategy is not set to Webhook'
  const errors: FieldError[] = []
  if (clientConfig !== undefined) errors.push(forbiddenValue(config, detail))
  if (listOf(conversionReviewVersions).length > 0) errors.push(forbiddenValue(reviews, detail))
  if (strategy === undefined || strategy === '') errors.push(requiredValue('spec.conversion.strategy'))
  else if (strategy !== 'None') {
    errors.push(unsupportedValue('spec.conversion.strategy', strategy, ['None', 'Webhook']))
  }
  return errors
}
