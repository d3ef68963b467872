import {
  byteLength,
  duplicateValue,
  equalJson,
  type FieldError,
  invalidValue,
  isObject,
  isPrintable,
  type JsonObject,
  label1035Problems,
  listOf,
  objectOf,
  requiredValue,
  textOf,
  tooMany,
  wasSentEmpty,
} from '../../schema/index.ts'
import {
  anySchema,
  parseFieldPath,
  shownFields,
  shownSchema,
  shownVersions,
  structuralErrors,
  structureProblem,
} from '../../validation/index.ts'

/** Whether a schema of a version, or one inside it, meets a condition. */
export function schemasHave(spec: JsonObject, meets: (node: JsonObject) => boolean): boolean {
  return listOf(spec['versions']).some((version) =>
    anySchema(objectOf(objectOf(version)['schema'])['openAPIV3Schema'], meets),
  )
}

export function hasDefault(node: JsonObject): boolean {
  return node['default'] !== undefined && node['default'] !== null
}

/** Validates the versions of a definition. */
export function versionErrors(spec: JsonObject): FieldError[] {
  const versions = listOf(spec['versions'])
  const errors: FieldError[] = []
  const shown =
    Array.isArray(spec['versions']) || wasSentEmpty(spec, 'versions') ? shownVersions(versions) : null
  const names = versions.map((version) => objectOf(version)['name'])
  if (new Set(names).size < names.length) {
    errors.push(invalidValue('spec.versions', shown, 'must contain unique version names'))
  }
  if (versions.filter((version) => objectOf(version)['storage'] === true).length !== 1) {
    const detail = 'must have exactly one version marked as storage version'
    errors.push(invalidValue('spec.versions', shown, detail))
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
  return [...errors, ...contentErrors(versions.map(objectOf))]
}

function deprecationProblems({ deprecated, deprecationWarning }: JsonObject): string[] {
  if (deprecationWarning === undefined) return []
  if (deprecated !== true) return ['can only be set for deprecated versions']
  const text = textOf(deprecationWarning)
  const problems: string[] = []
  if (byteLength(text) > 256) problems.push('must be <= 256 characters long')
  if (text === '') problems.push('must not be an empty string')
  const hidden = Array.from(text).findIndex((char) => !isPrintable(char))
  if (hidden >= 0) {
    const index = byteLength(Array.from(text).slice(0, hidden).join(''))
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
  const [first] = versions
  if (!first) return []
  const isShared = (field: string): boolean =>
    versions.every((version) => equalJson(version[field], first[field]))
  const each = (
    field: string,
    shared: string,
    check: (value: unknown, at: string, version: JsonObject) => FieldError[],
  ): FieldError[] => {
    if (isShared(field)) return check(first[field], shared, first)
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
      const atRoot = status ? rootErrors(openAPIV3Schema, place) : []
      return [...atRoot, ...structuralErrors(openAPIV3Schema, place, atRoot)]
    }),
    ...each('subresources', 'spec.subresources', (subresources, at) =>
      scaleErrors(objectOf(subresources)['scale'], at),
    ),
    ...each('additionalPrinterColumns', 'spec.additionalPrinterColumns', columnErrors),
    ...each('selectableFields', 'spec.selectableFields', (fields, at, version) => {
      if (listOf(fields).length === 0) return []
      const shared = isShared('selectableFields')
      const schema = objectOf(version['schema'])
      // Kubernetes looks for the schema where the fields are, and holds a schema that all versions share apart from the versions.
      const known = isShared('schema')
        ? shared && isObject(version['schema'])
        : !shared && isObject(schema['openAPIV3Schema'])
      if (known) {
        const { openAPIV3Schema } = schema
        const problem = structureProblem(openAPIV3Schema)
        const place = at.replace(/selectableFields$/, 'schema.openAPIV3Schema')
        if (problem === undefined) return selectableErrors(fields, at, objectOf(openAPIV3Schema))
        return [invalidValue(place, '', problem), ...selectableErrors(fields, at, {})]
      }
      const detail = shared
        ? 'may only be set when validations.schema is included'
        : 'may only be set when `version.schema.openAPIV3Schema` is not included'
      return [invalidValue(at, '', detail)]
    }),
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
  const typed = schema['type'] === 'object'
  const wrong = shownFields(schema).find((name) => !allowed.includes(name) || (name === 'Type' && !typed))
  if (wrong === undefined) return []
  if (wrong === 'Type') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalidValue(`${field}.type`, schema['type'], detail)]
  }
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

function selectableErrors(fields: unknown, field: string, schema: JsonObject): FieldError[] {
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
