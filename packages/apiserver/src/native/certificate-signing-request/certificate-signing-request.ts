import { timestamp } from '@homeostat/api'
import { fieldsAtPaths } from '../../fields/index.ts'
import { fieldsAt } from '../../registry/index.ts'
import { eachObject, objectsIn } from '../../checks/index.ts'
import {
  copyJson,
  duplicateValue,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNumber,
  type JsonObject,
  listOf,
  objectOf,
  quote,
  requiredValue,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { signatureProblem } from './request-signature.ts'
import { validateSignerName } from './signer-name.ts'
import { certificateSigningRequestPrinter } from './table.ts'

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]
const DECISIONS = ['Approved', 'Denied']
const FINAL = [...DECISIONS, 'Failed']

/** CertificateSigningRequests. The owner of the key must have signed the request. */
export const certificateSigningRequest: NativeKind = {
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  names: 'any',
  fieldLabels: { read: fieldsAt('spec.signerName') },
  // The spec has no field managers.
  resetFields: {
    '': fieldsAtPaths('spec', 'status'),
    approval: fieldsAtPaths('spec', 'status.certificate'),
    status: fieldsAtPaths('spec', 'status.conditions'),
  },
  prepareCreate(object) {
    object['status'] = {}
  },
  // The spec is immutable.
  prepareUpdate(object, old) {
    object['spec'] = copyJson(old['spec'])
  },
  prepareStatus(object, old, { clock }) {
    keepDecisions(object, old)
    stampConditions(object, old, timestamp(clock.now()))
  },
  table: certificateSigningRequestPrinter,
  updateSteps: ['metadata', 'object', 'change', 'metadata change'],
  validate: requestProblems,
  validateUpdate: (object, old) => changeErrors(object, old, {}),
  validateStatus: (object, old) => [
    ...requestProblems(object),
    ...changeErrors(object, old, { certify: true }),
  ],
  parts: {
    approval: {
      prepare(object, old, now) {
        stampConditions(object, old, now)
        const { conditions } = objectOf(object['status'])
        const { conditions: _, ...status } = objectOf(old['status'])
        object['spec'] = copyJson(old['spec'])
        object['status'] = { ...copyJson(status), ...(conditions !== undefined && { conditions }) }
      },
      validate: (object, old) => changeErrors(object, old, { decide: true }),
      replaces: () => false,
    },
  },
}

function requestProblems(object: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const usages = listOf(spec['usages'])
  const seen = new Set<unknown>()
  const errors = requestErrors(spec['request'])
  if (usages.length === 0) errors.push(requiredValue('spec.usages'))
  for (const [index, usage] of usages.entries()) {
    if (USAGES.includes(textOf(usage))) continue
    errors.push(unsupportedValue(`spec.usages[${index}]`, usage, USAGES))
  }
  for (const [index, usage] of usages.entries()) {
    if (seen.has(usage)) errors.push(duplicateValue(`spec.usages[${index}]`, usage))
    seen.add(usage)
  }
  const { signerName, expirationSeconds } = spec
  if (signerName === 'kubernetes.io/legacy-unknown') {
    const detail = 'the legacy signerName is not allowed via this API version'
    errors.push(invalidValue('spec.signerName', signerName, detail))
  } else addAll(errors, validateSignerName(signerName, 'spec.signerName'))
  if (isNumber(expirationSeconds) && expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)'
    errors.push(invalidValue('spec.expirationSeconds', expirationSeconds, detail))
  }
  return [...errors, ...conditionErrors(objectOf(object['status'])['conditions'], 'status.conditions')]
}

function requestErrors(encoded: unknown): FieldError[] {
  const text = atob(textOf(encoded ?? ''))
  const block = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n[A-Za-z0-9+/=\s]*-----END \1-----/.exec(text)
  const detail =
    block?.[1] === 'CERTIFICATE REQUEST'
      ? signatureProblem(block[0])
      : 'PEM block type must be CERTIFICATE REQUEST'
  return detail === undefined ? [] : [invalidValue('spec.request', encoded ?? null, detail)]
}

const PEM_BLOCK = /-----BEGIN ([^-\n]*)-----\r?\n((?:[^\n:-]+:[^\n]*\n)*)[A-Za-z0-9+/=\s]*-----END \1-----/g

function certificateErrors(encoded: string): FieldError[] {
  if (encoded === '') return []
  const blocks = [...atob(encoded).matchAll(PEM_BLOCK)]
  const other = blocks.find(([, type]) => type !== 'CERTIFICATE')
  const detail =
    blocks.length === 0
      ? 'must contain at least one CERTIFICATE PEM block'
      : other
        ? `only CERTIFICATE PEM blocks are allowed, found ${quote(other[1] ?? '')}`
        : blocks.some(([, , headers]) => headers !== '')
          ? 'no PEM block headers are permitted'
          : undefined
  return detail === undefined ? [] : [invalidValue('status.certificate', '<certificate data>', detail)]
}

function conditionErrors(value: unknown, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(value, field, ({ type, status }, at) => {
    const allowed = FINAL.includes(textOf(type)) ? ['True'] : ['False', 'True', 'Unknown']
    const errors = type ? [] : [requiredValue(`${at}.type`)]
    if (!status) errors.push(requiredValue(`${at}.status`))
    else if (!allowed.includes(textOf(status))) errors.push(unsupportedValue(`${at}.status`, status, allowed))
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined
    if (other && seen.has(other)) {
      const detail = 'Approved and Denied conditions are mutually exclusive'
      errors.push(invalidValue(field, type, detail))
    }
    if (seen.has(type)) errors.push(duplicateValue(`${at}.type`, type))
    seen.add(type)
    return errors
  })
}

/** Sets `lastUpdateTime` and `lastTransitionTime` of conditions. */
function stampConditions(object: JsonObject, old: JsonObject, now: string): void {
  const status = objectOf(object['status'])
  if (!Array.isArray(status['conditions'])) return
  const before = objectsIn(objectOf(old['status'])['conditions'])
  const conditions = objectsIn(status['conditions']).map((condition) => {
    const same = before.find(
      (one) =>
        one['type'] === condition['type'] &&
        one['status'] === condition['status'] &&
        one['lastTransitionTime'],
    )
    return {
      ...condition,
      lastUpdateTime: condition['lastUpdateTime'] ?? now,
      lastTransitionTime: condition['lastTransitionTime'] ?? same?.['lastTransitionTime'] ?? now,
    }
  })
  object['status'] = { ...status, conditions }
}

/** Restores the conditions Approved and Denied where the new status has as many of them as the old one. */
function keepDecisions(object: JsonObject, old: JsonObject): void {
  const status = objectOf(object['status'])
  let conditions = objectsIn(status['conditions'])
  const before = objectsIn(objectOf(old['status'])['conditions'])
  for (const decision of DECISIONS) {
    const kept = before.filter(({ type }) => type === decision)
    if (kept.length !== conditions.filter(({ type }) => type === decision).length) continue
    conditions = conditions.map((one) => (one['type'] === decision ? (kept.shift() ?? one) : one))
  }
  if (conditions.length > 0) object['status'] = { ...status, conditions }
}

interface Rights {
  /** Whether a certificate may be set. */
  readonly certify?: boolean
  /** Whether the request may be approved or denied. */
  readonly decide?: boolean
}

function changeErrors(object: JsonObject, old: JsonObject, { certify, decide }: Rights): FieldError[] {
  const [status, before] = [objectOf(object['status']), objectOf(old['status'])]
  const of = (one: JsonObject, type: string): JsonObject[] =>
    objectsIn(one['conditions']).filter((condition) => condition['type'] === type)
  const errors: FieldError[] = []
  for (const type of FINAL) {
    if (of(status, type).length >= of(before, type).length) continue
    const detail = `updates may not remove a condition of type ${JSON.stringify(type)}`
    errors.push(forbiddenValue('status.conditions', detail))
  }
  for (const type of decide ? [] : DECISIONS) {
    const [now, had] = [of(status, type), of(before, type)]
    if (now.length < had.length || equalJson(now, had)) continue
    const what = now.length > had.length ? 'add' : 'modify'
    const detail = `updates may not ${what} a condition of type ${JSON.stringify(type)}`
    errors.push(forbiddenValue('status.conditions', detail))
  }
  if (equalJson(status['certificate'], before['certificate'])) return errors
  if (!certify)
    return [...errors, forbiddenValue('status.certificate', 'updates may not set certificate content')]
  if (!before['certificate']) return [...errors, ...certificateErrors(textOf(status['certificate'] ?? ''))]
  const detail = 'updates may not modify existing certificate content'
  return [...errors, forbiddenValue('status.certificate', detail)]
}
