import {
  duplicateValue,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  isPrintable,
  type JsonObject,
  label1035Problems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  tooMany,
  unsupportedValue,
} from '../../schema/index.ts'
import {
  parseFieldPath,
  shownFields,
  shownSchema,
  shownVersions,
  structuralErrors,
} from '../../validation/index.ts'
import { approvalErrors } from './api-approval.ts'

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
  const { service } = objectOf(objectOf(objectOf(conversion)['webhook'])['clientConfig'])
  if (isObject(service)) service['port'] ??= 443
}

/** Validates a CRD that has its defaults, except for its metadata. */
export function validateCustomResourceDefinition(definition: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(definition['spec'])
  const { name } = objectOf(definition['metadata'])
  const { plural } = objectOf(spec['names'])
  const { group } = spec
  const errors: FieldError[] = []
  if (!old && name !== `${textOf(plural ?? '')}.${textOf(group ?? '')}`) {
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
    ...approvalErrors(definition, old),
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
    errors.push(invalidValue('spec.versions', shownVersions(versions), 'must contain unique version names'))
  }
  if (versions.filter((version) => objectOf(version)['storage'] === true).length !== 1) {
    errors.push(
      invalidValue(
        'spec.versions',
        shownVersions(versions),
        'must have exactly one version marked as storage version',
      ),
    )
  }
  for (const [index, item] of versions.entries()) {
    const version = objectOf(item)
    const at = `spec.versions[${index}]`
    const problems = label1035Problems(textOf(version['name'] ?? ''))
    if (problems.length > 0) {
      errors.push(invalidValue(`${at}.name`, version['name'] ?? '', problems.join(',')))
      // Kubernetes also reports the first version under its former field, `spec.version`.
      if (index === 0 && version['name'])
        errors.push(invalidValue('spec.version', version['name'], problems.join(',')))
    }
    for (const problem of deprecationProblems(version)) {
      errors.push(invalidValue(`${at}.deprecationWarning`, version['deprecationWarning'], problem))
    }
    if (!isObject(objectOf(version['schema'])['openAPIV3Schema'])) {
      errors.push(requiredValue(`${at}.schema.openAPIV3Schema`))
    }
  }
  return [...errors, ...contentErrors(versions.map((version) => objectOf(version)))]
}

function deprecationProblems({ deprecated, deprecationWarning }: JsonObject): string[] {
  if (deprecationWarning === undefined) return []
  if (deprecated !== true) return ['can only be set for deprecated versions']
  const text = textOf(deprecationWarning)
  const problems: string[] = []
  if (new TextEncoder().encode(text).length > 256) problems.push('must be <= 256 characters long')
  if (text === '') problems.push('must not be an empty string')
  const hidden = Array.from(text).findIndex((char) => !isPrintable(char))
  if (hidden >= 0) {
    const index = new TextEncoder().encode(Array.from(text).slice(0, hidden).join('')).length
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    )
  }
  return problems
}

/**
 * Validates the content of versions. Where all versions are equal, Kubernetes reports an error once, under the field
 * that held the content before each version had its own.
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
      if (!isObject(openAPIV3Schema)) return []
      const status = versions.some((version) => isObject(objectOf(version['subresources'])['status']))
      const place = `${at}.openAPIV3Schema`
      return [
        ...(status ? rootErrors(openAPIV3Schema, place) : []),
        ...structuralErrors(openAPIV3Schema, place),
      ]
    }),
    ...each('subresources', 'spec.subresources', (subresources, at) =>
      scaleErrors(objectOf(subresources)['scale'], at),
    ),
    ...each('additionalPrinterColumns', 'spec.additionalPrinterColumns', columnErrors),
    ...each('selectableFields', 'spec.selectableFields', selectableErrors),
  ]
}

/**
 * The keywords at the root of a schema with a status subresource: others could not be checked when only the status is
 * written.
 */
const AT_ROOT =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'

function rootErrors(schema: JsonObject, field: string): FieldError[] {
  const allowed = AT_ROOT.split(' ')
  if (shownFields(schema).every((name) => allowed.includes(name))) return []
  const detail = `only [${AT_ROOT}] fields are allowed at the root of the schema if the status subresource is enabled`
  return [invalidValue(field, shownSchema(schema), detail)]
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

const MOST_SELECTABLE = 8

function selectableErrors(fields: unknown, field: string, version: JsonObject): FieldError[] {
  const schema = objectOf(objectOf(version['schema'])['openAPIV3Schema'])
  const paths = new Set<string>()
  const errors = listOf(fields).flatMap((item, index) => {
    const path = textOf(objectOf(item)['jsonPath'] ?? '')
    const at = `${field}[${index}].jsonPath`
    if (path === '') return [requiredValue(at)]
    const found = parseFieldPath(path, schema, false)
    if (found instanceof Error) return [invalidValue(at, path, `is an invalid path: ${found.message}`)]
    const wrong: FieldError[] = []
    if (found.text.split('.')[0] === 'metadata') {
      wrong.push(invalidValue(at, path, 'must not point to fields in metadata'))
    }
    const { type } = found.node
    if (type !== 'string' && type !== 'boolean' && type !== 'integer') {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      wrong.push(invalidValue(at, path, detail))
    }
    if (paths.has(found.text)) wrong.push(duplicateValue(at, path))
    paths.add(found.text)
    return wrong
  })
  return paths.size > MOST_SELECTABLE ? [...errors, tooMany(field, paths.size, MOST_SELECTABLE)] : errors
}

/** Validates `status.storedVersions`. A new status has the spec's storage version. */
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
