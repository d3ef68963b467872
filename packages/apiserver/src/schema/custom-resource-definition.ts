import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
  type FieldError,
} from './field-error.ts'
import { equalJson, getKey, isObject, listOf, objectOf, textOf, type JsonObject } from './json.ts'
import { label1035Problems, subdomainProblems } from './name-syntax.ts'
import { structuralErrors } from './structural-schema.ts'

/** Fills in, in place, what Kubernetes fills into a CRD. */
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
  const { service } = objectOf(objectOf(objectOf(conversion)['webhook'])['clientConfig'])
  if (isObject(service)) service['port'] ??= 443
}

/** What is wrong with a CRD that has its defaults, its metadata's form aside. */
export function validateCustomResourceDefinition(definition: JsonObject): FieldError[] {
  const spec = objectOf(definition['spec'])
  const { name } = objectOf(definition['metadata'])
  const { plural } = objectOf(spec['names'])
  const { group } = spec
  const errors: FieldError[] = []
  if (name !== `${textOf(plural ?? '')}.${textOf(group ?? '')}`) {
    errors.push(invalidValue('metadata.name', name ?? '', 'must be spec.names.plural+"."+spec.group'))
  }
  return [
    ...errors,
    ...groupErrors(group),
    ...scopeErrors(spec['scope']),
    ...nameErrors(objectOf(spec['names'])),
    ...versionErrors(listOf(spec['versions'])),
    ...storedErrors(definition),
    ...conversionErrors(spec['conversion']),
    ...approvalErrors(definition),
    ...(spec['preserveUnknownFields'] === true
      ? [
          invalidValue(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ]
}

/** What of a CRD that is established cannot change. */
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
    if (!value) errors.push(requiredValue(field))
    else {
      const problems = label1035Problems(textOf(value))
      if (problems.length > 0) errors.push(invalidValue(field, value, problems.join(',')))
    }
  }
  const type = (value: unknown, field: string): void => {
    if (!value) errors.push(requiredValue(field))
    else {
      const problems = label1035Problems(textOf(value).toLowerCase())
      const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
      if (problems.length > 0) errors.push(invalidValue(field, value, detail))
    }
  }
  label(plural, 'spec.names.plural')
  label(singular, 'spec.names.singular')
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

function versionErrors(versions: readonly unknown[]): FieldError[] {
  const errors: FieldError[] = []
  const names = versions.map((version) => objectOf(version)['name'])
  if (new Set(names).size < names.length) {
    errors.push(invalidValue('spec.versions', versions, 'must contain unique version names'))
  }
  if (versions.filter((version) => objectOf(version)['storage'] === true).length !== 1) {
    errors.push(
      invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version'),
    )
  }
  for (const [index, item] of versions.entries()) {
    const version = objectOf(item)
    const at = `spec.versions[${index}]`
    const problems = label1035Problems(textOf(version['name'] ?? ''))
    if (problems.length > 0) {
      errors.push(invalidValue(`${at}.name`, version['name'] ?? '', problems.join(',')))
      // The first version once had a field of its own.
      if (index === 0 && version['name'])
        errors.push(invalidValue('spec.version', version['name'], problems.join(',')))
    }
    if (version['deprecationWarning'] !== undefined && version['deprecated'] !== true) {
      const detail = 'can only be set for deprecated versions'
      errors.push(invalidValue(`${at}.deprecationWarning`, version['deprecationWarning'], detail))
    }
    if (!isObject(objectOf(version['schema'])['openAPIV3Schema'])) {
      errors.push(requiredValue(`${at}.schema.openAPIV3Schema`))
    }
  }
  return [...errors, ...contentErrors(versions.map((version) => objectOf(version)))]
}

/**
 * What stands in versions. Where all say the same, the server reports it once, at the place where it stood before there
 * were versions.
 */
function contentErrors(versions: readonly JsonObject[]): FieldError[] {
  const each = (
    field: string,
    shared: string,
    check: (value: unknown, at: string, version: JsonObject) => FieldError[],
  ): FieldError[] => {
    const [first] = versions
    if (!first) return []
    if (versions.every((version) => equalJson(version[field], first[field])))
      return check(first[field], shared, first)
    return versions.flatMap((version, index) =>
      check(version[field], `spec.versions[${index}].${field}`, version),
    )
  }
  return [
    ...each('schema', 'spec.validation', (schema, at) => {
      const { openAPIV3Schema } = objectOf(schema)
      return isObject(openAPIV3Schema) ? structuralErrors(openAPIV3Schema, `${at}.openAPIV3Schema`) : []
    }),
    ...each('subresources', 'spec.subresources', (subresources, at) =>
      scaleErrors(objectOf(subresources)['scale'], at),
    ),
    ...each('additionalPrinterColumns', 'spec.additionalPrinterColumns', columnErrors),
    ...each('selectableFields', 'spec.selectableFields', selectableErrors),
  ]
}

function scaleErrors(scale: unknown, field: string): FieldError[] {
  if (!isObject(scale)) return []
  const at = `${field}.scale`
  return [
    ...pathErrors(scale['specReplicasPath'], `${at}.specReplicasPath`, ['.spec']),
    ...pathErrors(scale['statusReplicasPath'], `${at}.statusReplicasPath`, ['.status']),
    ...(scale['labelSelectorPath']
      ? pathErrors(scale['labelSelectorPath'], `${at}.labelSelectorPath`, ['.spec', '.status'])
      : []),
  ]
}

function pathErrors(value: unknown, field: string, under: readonly string[]): FieldError[] {
  if (!value) return [requiredValue(field)]
  const path = textOf(value)
  if (!path.startsWith('.')) return [invalidValue(field, path, 'must be a simple json path starting with .')]
  if (under.some((prefix) => path.startsWith(`${prefix}.`))) return []
  const places = under.length > 1 ? `either ${under.join(' or ')}` : under[0]
  return [invalidValue(field, path, `should be a json path under ${places}`)]
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function columnErrors(columns: unknown, field: string): FieldError[] {
  return listOf(columns).flatMap((item, index) => {
    const { name, type, format, jsonPath } = objectOf(item)
    const at = `${field}[${index}]`
    const errors: FieldError[] = []
    if (!name) errors.push(requiredValue(`${at}.name`))
    if (!type) errors.push(requiredValue(`${at}.type`, `must be one of ${COLUMN_TYPES.join(',')}`))
    else if (!COLUMN_TYPES.includes(textOf(type))) {
      errors.push(invalidValue(`${at}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`))
    }
    if (format && !COLUMN_FORMATS.includes(textOf(format))) {
      errors.push(invalidValue(`${at}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`))
    }
    if (!jsonPath) errors.push(requiredValue(`${at}.JSONPath`))
    else if (!textOf(jsonPath).startsWith('.')) {
      errors.push(invalidValue(`${at}.JSONPath`, jsonPath, 'must be a simple json path starting with .'))
    }
    return errors
  })
}

function selectableErrors(fields: unknown, field: string, version: JsonObject): FieldError[] {
  const schema = objectOf(version['schema'])['openAPIV3Schema']
  return listOf(fields).flatMap((item, index) => {
    const path = textOf(objectOf(item)['jsonPath'] ?? '')
    const at = `${field}[${index}].jsonPath`
    const wrong = (detail: string): FieldError[] => [invalidValue(at, path, `is an invalid path: ${detail}`)]
    if (path === '') return [requiredValue(at)]
    if (!path.startsWith('.')) return wrong(`expected [ or . but got: ${path.split('.')[0]}`)
    let node: unknown = schema
    for (const name of path.slice(1).split('.')) node = getKey(objectOf(objectOf(node)['properties']), name)
    if (!isObject(node)) return wrong('does not refer to a valid field')
    const { type } = node
    if (type === 'string' || type === 'boolean' || type === 'integer') return []
    return [
      invalidValue(
        at,
        path,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ),
    ]
  })
}

/** Versions that objects may still be stored in. Those that a status does not name yet are those that the spec stores. */
function storedErrors(definition: JsonObject): FieldError[] {
  const versions = listOf(objectOf(definition['spec'])['versions']).map((version) => objectOf(version))
  const storage = versions.filter((version) => version['storage'] === true).map((version) => version['name'])
  const recorded = listOf(objectOf(definition['status'])['storedVersions'])
  const stored = recorded.length > 0 ? recorded : storage.slice(0, 1)
  const field = 'status.storedVersions'
  if (stored.length === 0) return [invalidValue(field, null, 'must have at least one stored version')]
  const errors: FieldError[] = []
  const last = storage.at(-1)
  if (recorded.length === 0 && last !== undefined && !stored.includes(last)) {
    errors.push(invalidValue(field, stored, `must have the storage version ${textOf(last)}`))
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version['name'] === name)) continue
    const detail = `missing from spec.versions; ${textOf(name)} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${textOf(name)} and removes ${textOf(name)} from status.storedVersions`
    errors.push(invalidValue(`${field}[${index}]`, name, detail))
  }
  return errors
}

function conversionErrors(conversion: unknown): FieldError[] {
  if (!isObject(conversion)) return []
  const { strategy } = conversion
  const { clientConfig, conversionReviewVersions } = objectOf(conversion['webhook'])
  const config = 'spec.conversion.webhookClientConfig'
  const reviews = 'spec.conversion.conversionReviewVersions'
  if (strategy === 'Webhook') {
    return [
      ...(isObject(clientConfig) ? [] : [requiredValue(config, 'required when strategy is set to Webhook')]),
      ...(listOf(conversionReviewVersions).length > 0 ? [] : [requiredValue(reviews)]),
    ]
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

const APPROVED = 'api-approved.kubernetes.io'

/** The groups of Kubernetes itself are for its own APIs. */
function approvalErrors(definition: JsonObject): FieldError[] {
  const group = textOf(objectOf(definition['spec'])['group'] ?? '')
  const guarded = ['k8s.io', 'kubernetes.io'].some(
    (domain) => group === domain || group.endsWith(`.${domain}`),
  )
  const approval = objectOf(objectOf(definition['metadata'])['annotations'])[APPROVED]
  if (!guarded || approval) return []
  const detail = `protected groups must have approval annotation "${APPROVED}", see https://github.com/kubernetes/enhancements/pull/1111`
  return [requiredValue(`metadata.annotations[${APPROVED}]`, detail)]
}
