import { byteLength } from './values/byte-length.ts'
import { labelKeyProblems, labelValueProblems, parseApiVersion } from '@homeostat/api'
import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  tooLong,
  type FieldError,
} from './errors/field-error.ts'
import { isPrintable, quote, RawJson } from './values/go-text.ts'
import {
  equalJson,
  getKey,
  integerOf,
  isNumber,
  isObject,
  listOf,
  objectOf,
  textOf,
  type JsonObject,
} from './values/json.ts'
import { addressProblems } from './values/addresses.ts'
import { label1035Problems, labelProblems, segmentProblems, subdomainProblems } from './values/name-syntax.ts'
import { addAll } from '../work/index.ts'

/**
 * The forms of names: `a.b`, `a`, `a` that begins with a letter, anything that fits into a path, anything of which a beginning fits into
 * a path, too, an address, or anything at all.
 */
export type NameForm = 'subdomain' | 'label' | 'label1035' | 'segment' | 'whole segment' | 'address' | 'any'

const FORMS: Readonly<Record<NameForm, (name: string) => string[]>> = {
  subdomain: subdomainProblems,
  label: labelProblems,
  label1035: label1035Problems,
  segment: segmentProblems,
  'whole segment': segmentProblems,
  address: addressProblems,
  any: () => [],
}
const ANNOTATIONS_LIMIT = 256 * 1024
const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/** Options of the validation of metadata. */
export interface ObjectMetaRules {
  readonly namespaced: boolean
  /** Default: `subdomain`. */
  readonly names?: NameForm
  /** Whether the kind is one of Kubernetes' own: such objects take no finalizers without a domain. */
  readonly native?: boolean
  /** Whether `generateName` may have any form, since the name that it becomes is checked. Default: false. */
  readonly uncheckedGenerateName?: boolean | undefined
  /** The path of the metadata. Default: `metadata`. */
  readonly field?: string
}

/** A name that is valid if it may begin like this: a dash at the end of the beginning is followed by more of the name. */
export function nameFrom(beginning: string): string {
  return beginning.length > 1 && beginning.endsWith('-') ? `${beginning.slice(0, -2)}a` : beginning
}

/** The problems of the beginning of a name. A name in a path may begin with a dot. */
function beginningProblems(names: NameForm, beginning: string): string[] {
  if (names === 'segment' && /^\.\.?$/.test(beginning)) return []
  return FORMS[names](names === 'address' ? beginning : nameFrom(beginning))
}

/** Validates the metadata of a new object. The name has been generated already. */
export function validateObjectMeta(metadata: unknown, rules: ObjectMetaRules): FieldError[] {
  const { namespaced, names = 'subdomain', native = false, field = 'metadata' } = rules
  const meta = objectOf(metadata)
  const errors: FieldError[] = []
  const { name, generateName, namespace } = meta
  if (typeof generateName === 'string' && generateName !== '' && !rules.uncheckedGenerateName) {
    for (const problem of beginningProblems(names, generateName)) {
      errors.push(invalidValue(`${field}.generateName`, generateName, problem))
    }
  }
  if (typeof name !== 'string' || name === '') {
    errors.push(requiredValue(`${field}.name`, 'name or generateName is required'))
  } else {
    for (const problem of FORMS[names](name)) {
      // Where Kubernetes declares the form of a name, it does not look at what the name was generated from, and says bytes.
      const words = rules.uncheckedGenerateName ? problem.replace(/ characters$/, ' bytes') : problem
      errors.push(invalidValue(`${field}.name`, name, words))
    }
  }
  const hasNamespace = typeof namespace === 'string' && namespace !== ''
  if (!namespaced) {
    if (hasNamespace) errors.push(forbiddenValue(`${field}.namespace`, 'not allowed on this type'))
  } else if (hasNamespace) {
    for (const problem of labelProblems(namespace)) {
      errors.push(invalidValue(`${field}.namespace`, namespace, problem))
    }
  } else {
    errors.push(requiredValue(`${field}.namespace`))
  }
  if (isNumber(meta['generation']) && meta['generation'] < 0) {
    errors.push(invalidValue(`${field}.generation`, meta['generation'], 'must be greater than or equal to 0'))
  }
  return [...errors, ...commonErrors(meta, field), ...finalizerErrors(meta, `${field}.finalizers`, native)]
}

/** Validates a change of metadata. The resourceVersion has been checked already. */
export function validateObjectMetaUpdate(
  metadata: unknown,
  oldMetadata: unknown,
  field = 'metadata',
): FieldError[] {
  const meta = objectOf(metadata)
  const old = objectOf(oldMetadata)
  const errors: FieldError[] = []
  if (old['deletionTimestamp']) {
    const known = new Set(listOf(old['finalizers']).map(textOf))
    const added = [...new Set(listOf(meta['finalizers']).map(textOf))].filter((one) => !known.has(one)).sort()
    if (added.length > 0) {
      const list = added.map(quote).join(', ')
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
      errors.push(forbiddenValue(`${field}.finalizers`, detail))
    }
  }
  const { generation } = meta
  if (typeof generation === 'number' && generation < integerOf(old['generation'])) {
    errors.push(invalidValue(`${field}.generation`, generation, 'must not be decremented'))
  }
  for (const [name, empty] of IMMUTABLE) {
    const value = getKey(meta, name) ?? empty
    if (!equalJson(value, getKey(old, name) ?? empty)) {
      errors.push(invalidValue(`${field}.${name}`, value, 'field is immutable'))
    }
  }
  return [...errors, ...commonErrors(meta, field)]
}

/** The immutable fields, and how a message shows a missing one. */
const IMMUTABLE: readonly (readonly [string, unknown])[] = [
  ['name', ''],
  ['namespace', ''],
  ['uid', ''],
  ['creationTimestamp', null],
  ['deletionTimestamp', null],
  ['deletionGracePeriodSeconds', null],
]

function commonErrors(meta: JsonObject, field: string): FieldError[] {
  return [
    ...validateLabels(meta['labels'], `${field}.labels`),
    ...validateAnnotations(meta['annotations'], `${field}.annotations`),
    ...ownerErrors(meta, `${field}.ownerReferences`),
    ...managedFieldsErrors(meta, `${field}.managedFields`),
  ]
}

/** Validates labels. */
export function validateLabels(labels: unknown, field: string): FieldError[] {
  if (!isObject(labels)) return []
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of labelKeyProblems(key)) errors.push(invalidValue(field, key, problem))
    for (const problem of labelValueProblems(String(value))) errors.push(invalidValue(field, value, problem))
  }
  return errors
}

/** Validates annotations. */
export function validateAnnotations(annotations: unknown, field: string): FieldError[] {
  if (!isObject(annotations)) return []
  const errors: FieldError[] = []
  const encoder = new TextEncoder()
  let size = 0
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of labelKeyProblems(key.toLowerCase())) errors.push(invalidValue(field, key, problem))
    size += encoder.encode(key).length + encoder.encode(String(value)).length
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong(field, ANNOTATIONS_LIMIT))
  return errors
}

function ownerErrors(meta: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  const owners = listOf(meta['ownerReferences']).map((owner) => objectOf(owner))
  let controller: string | undefined
  for (const owner of owners) {
    const apiVersion = textOf(owner['apiVersion'] ?? '')
    if (apiVersion.split('/').length > 2 || parseApiVersion(apiVersion).version === '') {
      errors.push(invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty'))
    }
    for (const part of ['kind', 'name', 'uid']) {
      if (!owner[part]) errors.push(invalidValue(`${field}.${part}`, '', 'must not be empty'))
    }
    if (apiVersion === 'v1' && owner['kind'] === 'Event') {
      errors.push(invalidValue(field, shownOwner(owner), '/v1, Kind=Event is disallowed from being an owner'))
    }
    if (owner['controller'] !== true) continue
    const name = `${textOf(owner['kind'])}/${textOf(owner['name'])}`
    if (controller !== undefined) {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`
      errors.push(invalidValue(field, owners.map(shownOwner), detail))
    }
    controller ??= name
  }
  return errors
}

function shownOwner(owner: JsonObject): RawJson {
  const names = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']
  return RawJson.object(...names.map((name) => [name, owner[name]] as const))
}

const STANDARD_FINALIZERS = new Set<unknown>([ORPHAN, FOREGROUND, 'kubernetes'])

function finalizerErrors(meta: JsonObject, field: string, native: boolean): FieldError[] {
  const finalizers = listOf(meta['finalizers'])
  const errors = finalizers.flatMap((one) =>
    labelKeyProblems(String(one)).map((problem) => invalidValue(field, one, problem)),
  )
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND)) {
    errors.push(invalidValue(field, finalizers, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`))
  }
  return native ? [...errors, ...validateNativeFinalizers(meta, field)] : errors
}

/** Validates the finalizers of a native kind: each is a standard one or has a domain. */
export function validateNativeFinalizers(metadata: unknown, field = 'metadata.finalizers'): FieldError[] {
  return listOf(objectOf(metadata)['finalizers']).flatMap((one, index) => {
    if (String(one).includes('/') || STANDARD_FINALIZERS.has(one)) return []
    const detail = 'name is neither a standard finalizer name nor is it fully qualified'
    return [invalidValue(`${field}[${index}]`, one, detail)]
  })
}

function managedFieldsErrors(meta: JsonObject, field: string): FieldError[] {
  return listOf(meta['managedFields']).flatMap((item, index) => {
    const { operation, fieldsType, manager, subresource } = objectOf(item)
    const errors: FieldError[] = []
    const at = `${field}[${index}]`
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalidValue(`${at}.operation`, operation ?? '', 'must be `Apply` or `Update`'))
    }
    if (fieldsType && fieldsType !== 'FieldsV1') {
      errors.push(invalidValue(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`'))
    }
    addAll(errors, validateFieldManager(textOf(manager ?? ''), `${at}.manager`))
    if (byteLength(textOf(subresource ?? '')) > 256) errors.push(tooLong(`${at}.subresource`, 256))
    return errors
  })
}

/** Validates the name of a field manager. */
export function validateFieldManager(manager: string, field = 'fieldManager'): FieldError[] {
  // Nearly all names are plain ASCII, which is valid.
  if (/^[ -~]{0,128}$/.test(manager)) return []
  const errors: FieldError[] = []
  if (byteLength(manager) > 128) errors.push(tooLong(field, 128))
  let position = 0
  for (const char of manager) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`))
    }
    position += byteLength(char)
  }
  return errors
}
