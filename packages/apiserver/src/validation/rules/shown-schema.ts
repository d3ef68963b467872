import { equalJson, isObject, listOf, objectOf, RawJson, wasSentEmpty } from '../../schema/index.ts'

type Shown = (value: unknown) => unknown

const plain: Shown = (value) => value ?? null
const text: Shown = (value) => value ?? ''
const flag: Shown = (value) => value === true
const schema: Shown = (value) => (isObject(value) ? shownSchema(value) : null)
const schemas: Shown = (value) =>
  Array.isArray(value) ? value.map((one) => shownSchema(objectOf(one))) : null
const byName: Shown = (value) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shownSchema(objectOf(one))]))
    : null
const items: Shown = (value) =>
  isObject(value) ? RawJson.object(['Schema', shownSchema(value)], ['JSONSchemas', null]) : null
const additional: Shown = (value) =>
  value === undefined
    ? null
    : RawJson.object(['Allows', value !== false], ['Schema', isObject(value) ? shownSchema(value) : null])
const rules: Shown = (value) =>
  Array.isArray(value) ? listOf(value).map((rule) => shownRule(objectOf(rule))) : null

/** The fields of a schema in the order in which the API's messages show them. */
const FIELDS: readonly (readonly [shown: string, name: string, show: Shown])[] = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', plain],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', plain],
  ['Maximum', 'maximum', plain],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', plain],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', plain],
  ['MinLength', 'minLength', plain],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', plain],
  ['MinItems', 'minItems', plain],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', plain],
  ['Enum', 'enum', plain],
  ['MaxProperties', 'maxProperties', plain],
  ['MinProperties', 'minProperties', plain],
  ['Required', 'required', plain],
  ['Items', 'items', items],
  ['AllOf', 'allOf', schemas],
  ['OneOf', 'oneOf', schemas],
  ['AnyOf', 'anyOf', schemas],
  ['Not', 'not', schema],
  ['Properties', 'properties', byName],
  ['AdditionalProperties', 'additionalProperties', additional],
  ['PatternProperties', 'patternProperties', byName],
  ['Dependencies', 'dependencies', plain],
  ['AdditionalItems', 'additionalItems', additional],
  ['Definitions', 'definitions', byName],
  ['ExternalDocs', 'externalDocs', plain],
  ['Example', 'example', plain],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', plain],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', plain],
  ['XListType', 'x-kubernetes-list-type', plain],
  ['XMapType', 'x-kubernetes-map-type', plain],
  ['XValidations', 'x-kubernetes-validations', rules],
]

/**
 * A schema of a CRD as the API's messages show it: with Go's field names, and with the fields that JSON leaves out.
 */
export function shownSchema(node: Readonly<Record<string, unknown>>): RawJson {
  return RawJson.object(...FIELDS.map(([shown, name, show]) => [shown, show(node[name])] as const))
}

/** The fields that a schema gives, by the names under which messages show them. */
export function shownFields(node: Readonly<Record<string, unknown>>): string[] {
  return FIELDS.filter(([, name]) => isGiven(node, name) || wasSentEmpty(node, name)).map(([shown]) => shown)
}

/** The fields that are given whatever their value is, since Go has pointers there. */
const POINTERS: ReadonlySet<string> = new Set([
  '$ref',
  'additionalItems',
  'additionalProperties',
  'default',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
])

function isGiven(node: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = node[name]
  if (value === undefined || value === null) return false
  return POINTERS.has(name) || (value !== false && value !== '')
}

/** A rule as messages show it. */
export function shownRule(rule: Readonly<Record<string, unknown>>): RawJson {
  return RawJson.object(
    ['Rule', rule['rule'] ?? ''],
    ['Message', rule['message'] ?? ''],
    ['MessageExpression', rule['messageExpression'] ?? ''],
    ['Reason', rule['reason'] ?? null],
    ['FieldPath', rule['fieldPath'] ?? ''],
    ['OptionalOldSelf', rule['optionalOldSelf'] ?? null],
  )
}

/** The versions of a CRD as messages show them, without the parts that are equal in all versions. */
export function shownVersions(versions: readonly unknown[]): readonly RawJson[] {
  const all = versions.map((version) => objectOf(version))
  const own = (version: Readonly<Record<string, unknown>>, field: string, show: Shown): unknown =>
    all.every((other) => equalJson(other[field], version[field])) ? null : show(version[field])
  const schemaOf: Shown = (value) =>
    isObject(value) ? RawJson.object(['OpenAPIV3Schema', schema(value['openAPIV3Schema'])]) : null
  return all.map((version) =>
    RawJson.object(
      ['Name', text(version['name'])],
      ['Served', flag(version['served'])],
      ['Storage', flag(version['storage'])],
      ['Deprecated', flag(version['deprecated'])],
      ['DeprecationWarning', plain(version['deprecationWarning'])],
      ['Schema', own(version, 'schema', schemaOf)],
      ['Subresources', own(version, 'subresources', plain)],
      ['AdditionalPrinterColumns', own(version, 'additionalPrinterColumns', plain)],
      ['SelectableFields', own(version, 'selectableFields', plain)],
    ),
  )
}
