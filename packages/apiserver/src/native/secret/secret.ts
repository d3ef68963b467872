import { fieldsAt } from '../../registry/index.ts'
import { ensureObject, setDefault } from '../../checks/index.ts'
import {
  type FieldError,
  getKey,
  invalidValue,
  isObject,
  objectOf,
  requiredValue,
  setKey,
} from '../../schema/index.ts'
import { jsonKind, jsonSyntaxProblem } from '../../wire/index.ts'
import { addAll } from '../../work/index.ts'
import { frozenErrors, keyErrors, sizeErrors } from '../config-map/data-validation.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { keyPairWarnings } from './key-pair-warnings.ts'
import { secretPrinter } from './table.ts'

/** The keys that a Secret of a known type must have. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

/** Secrets: like ConfigMaps, with an immutable type. No message shows their data. */
export const secret: NativeKind = {
  group: '',
  kind: 'Secret',
  fieldLabels: { read: fieldsAt('type') },
  warnings: keyPairWarnings,
  table: secretPrinter,
  updateSteps: ['metadata change', 'change', 'metadata', 'object'],
  default(object) {
    setDefault(object, 'type', 'Opaque')
    // `stringData` is write-only and takes precedence.
    const { stringData } = object
    delete object['stringData']
    if (!isObject(stringData) || Object.keys(stringData).length === 0) return
    const data = ensureObject(object, 'data')
    for (const [key, text] of Object.entries(stringData)) setKey(data, key, base64(String(text)))
  },
  validate(object) {
    const { type } = object
    const data = objectOf(object['data'])
    const errors = Object.keys(data).flatMap((key) => keyErrors(key, 'data'))
    addAll(errors, sizeErrors('data', data))
    for (const key of getKey(REQUIRED, String(type)) ?? []) {
      const missing = !Object.hasOwn(data, key) || (key === 'ssh-privatekey' && data[key] === '')
      if (missing) errors.push(requiredValue(`data[${key}]`))
      else if (key.startsWith('.docker')) addAll(errors, dockerErrors(data[key], `data[${key}]`))
    }
    if (type === 'kubernetes.io/basic-auth' && !('username' in data) && !('password' in data)) {
      errors.push(requiredValue('data[username]'), requiredValue('data[password]'))
    }
    if (type === 'kubernetes.io/service-account-token') {
      const name = 'kubernetes.io/service-account.name'
      const annotations = objectOf(objectOf(object['metadata'])['annotations'])
      if (!annotations[name]) errors.push(requiredValue(`metadata.annotations[${name}]`))
    }
    return errors
  },
  validateUpdate(object, old) {
    const errors = frozenErrors(object, old, ['data'], 'data')
    if (object['type'] !== old['type'])
      errors.unshift(invalidValue('type', object['type'], 'field is immutable'))
    return errors
  },
}

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Validates that bytes in base64 are a map in JSON, or nothing. Errors do not show them. */
function dockerErrors(encoded: unknown, field: string): FieldError[] {
  const bytes = Uint8Array.from(atob(String(encoded)), (char) => char.charCodeAt(0))
  const problem = jsonSyntaxProblem(bytes) ?? mapProblem(JSON.parse(new TextDecoder().decode(bytes)))
  return problem === undefined ? [] : [invalidValue(field, '<secret contents redacted>', problem)]
}

function mapProblem(value: unknown): string | undefined {
  if (value === null || isObject(value)) return undefined
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`
}
