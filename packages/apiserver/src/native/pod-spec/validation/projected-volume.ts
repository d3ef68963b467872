import { eachObject, fileMode, localPath, required } from '../../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'
import { validateFieldReference, validateResourceReference } from './environment-validation.ts'

const PATHS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

/** Validates the mapping of keys to files. */
export function validateKeys(items: unknown, field: string): FieldError[] {
  return eachObject(items, field, keyErrors)
}

function keyErrors(item: JsonObject, at: string): FieldError[] {
  return [
    ...required(item['key'], `${at}.key`),
    ...required(item['path'], `${at}.path`),
    ...localPath(item['path'], `${at}.path`),
    ...fileMode(item['mode'], `${at}.mode`),
  ]
}

/** Validates files that hold fields of the Pod. As in Kubernetes, errors have no index. */
export function validateDownward(file: JsonObject, field: string): FieldError[] {
  const { fieldRef, resourceFieldRef } = file
  const errors = [...required(file['path'], `${field}.path`), ...localPath(file['path'], `${field}.path`)]
  if (isObject(fieldRef)) {
    addAll(errors, validateFieldReference(fieldRef, PATHS, `${field}.fieldRef`))
    if (isObject(resourceFieldRef)) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously'
      errors.push(invalidValue(field, 'resource', detail))
    }
  } else if (isObject(resourceFieldRef)) {
    addAll(errors, validateResourceReference(resourceFieldRef, `${field}.resourceFieldRef`, true))
  } else errors.push(requiredValue(field, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...fileMode(file['mode'], `${field}.mode`)]
}

/** Cluster trust bundles and Pod certificates are off by default, and have been dropped before. */
const KINDS = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const

/** Validates a projected volume. */
export function validateProjected(projected: JsonObject, field: string): FieldError[] {
  const taken = new Set<string>()
  const take = (path: unknown, shown: unknown = path): FieldError[] => {
    const text = textOf(path ?? '')
    if (taken.has(text)) return [invalidValue(field, shown, 'conflicting duplicate paths')]
    taken.add(text)
    return []
  }
  const errors = fileMode(projected['defaultMode'], `${field}.defaultMode`)
  for (const [index, item] of listOf(projected['sources']).entries()) {
    const source = objectOf(item)
    const at = `${field}.sources[${index}]`
    const present = KINDS.filter((kind) => isObject(source[kind]))
    for (const kind of present) {
      addAll(errors, sourceErrors(kind, objectOf(source[kind]), `${at}.${kind}`, field, take))
    }
    if (present.length > 1) {
      errors.push(forbiddenValue(at, 'may not specify more than 1 volume type per source'))
    }
  }
  return errors
}

type Take = (path: unknown, shown?: unknown) => FieldError[]

function sourceErrors(
  kind: (typeof KINDS)[number],
  source: JsonObject,
  at: string,
  field: string,
  take: Take,
): FieldError[] {
  switch (kind) {
    case 'secret':
    case 'configMap':
      return [
        ...required(source['name'], `${at}.name`),
        ...listOf(source['items']).flatMap((item, index) => {
          const { path } = objectOf(item)
          const wrong = keyErrors(objectOf(item), `${at}.items[${index}]`)
          return path ? [...wrong, ...take(path, source['name'] ?? '')] : wrong
        }),
      ]
    case 'downwardAPI':
      return listOf(source['items']).flatMap((item) => {
        const { path } = objectOf(item)
        return [...validateDownward(objectOf(item), at), ...(path ? take(path) : [])]
      })
    default:
      return tokenErrors(source, at, field)
  }
}

function tokenErrors(source: JsonObject, at: string, field: string): FieldError[] {
  const { expirationSeconds } = source
  const seconds = isNumber(expirationSeconds) ? expirationSeconds : 0
  const errors: FieldError[] = []
  if (seconds < 600) {
    const detail = 'may not specify a duration less than 10 minutes'
    errors.push(invalidValue(`${at}.expirationSeconds`, seconds, detail))
  }
  if (seconds > 2 ** 32) {
    const detail = 'may not specify a duration larger than 2^32 seconds'
    errors.push(invalidValue(`${at}.expirationSeconds`, seconds, detail))
  }
  return source['path']
    ? [...errors, ...localPath(source['path'], `${field}.path`)]
    : [...errors, requiredValue(`${field}.path`)]
}
