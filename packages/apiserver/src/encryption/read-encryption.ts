import { Buffer } from 'node:buffer'
import { HomeostatError } from '@homeostat/api'
import { addAll } from '../work/index.ts'
import { aesCbc, aesGcm } from './aes-provider.ts'
import type { EncryptionRule, NamedProvider } from './provider.ts'

type Json = Readonly<Record<string, unknown>>

const API_VERSIONS = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1']
const AES_SIZES = [16, 24, 32]
const AES = { aescbc: aesCbc, aesgcm: aesGcm }
const PROVIDERS = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'] as const
const NOT_ENCRYPTED = 'resources which do not have REST API/s cannot be encrypted'
const INTERNAL = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'])

/** Reads an EncryptionConfiguration. Fails with `ENCRYPTION_CONFIGURATION`, in kube-apiserver's words, where it is wrong. */
export function readEncryption(configuration: unknown): readonly EncryptionRule[] {
  const { kind, apiVersion, resources } = objectOf(configuration)
  if (kind !== 'EncryptionConfiguration' || !API_VERSIONS.includes(String(apiVersion))) {
    throw wrong([
      `got unexpected config type: ${String(apiVersion)}, Kind=${String(kind)}: give an EncryptionConfiguration of ${API_VERSIONS[0]}`,
    ])
  }
  const problems: string[] = []
  if (listOf(resources).length === 0)
    problems.push('resources: Required value: at least one resources is required')
  const rules = listOf(resources).map((one, index) =>
    readRule(objectOf(one), `resources[${index}]`, problems),
  )
  if (problems.length > 0) throw wrong(problems)
  for (const problem of maskedBy(rules)) throw wrong([problem])
  return rules
}

function readRule(rule: Json, field: string, problems: string[]): EncryptionRule {
  const names = listOf(rule['resources']).map(String)
  const providers = listOf(rule['providers'])
  for (const [name, list] of [
    ['resources', names],
    ['providers', providers],
  ] as const) {
    const at = `${field}.${name}`
    if (list.length === 0) problems.push(`${at}: Required value: at least one ${at} is required`)
  }
  const resources = names.map((name, index) => readResource(name, `${field}.resources[${index}]`, problems))
  checkOverlaps(names, resources, `${field}.resources`, problems)
  return {
    resources,
    providers: providers.flatMap((one, index) =>
      readProvider(objectOf(one), `${field}.providers[${index}]`, problems),
    ),
  }
}

function readResource(
  name: string,
  field: string,
  problems: string[],
): { readonly group: string; readonly plural: string } {
  const dot = name.indexOf('.')
  const [plural, group] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
  const problem =
    name !== name.toLowerCase()
      ? 'resource name should not contain capital letters'
      : name === '*'
        ? "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"
        : INTERNAL.has(name)
          ? NOT_ENCRYPTED
          : group === 'events.k8s.io'
            ? "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file"
            : group === 'extensions'
              ? "'extensions' group has been removed and cannot be used for encryption"
              : group === '*' && plural !== '*'
                ? 'encrypting the same resource across groups is not supported'
                : undefined
  if (problem !== undefined) problems.push(`${field}: Invalid value: ${JSON.stringify(name)}: ${problem}`)
  return { group, plural }
}

function checkOverlaps(
  names: readonly string[],
  resources: EncryptionRule['resources'],
  field: string,
  problems: string[],
): void {
  const shown = JSON.stringify(names)
  if (new Set(names).size < names.length) {
    problems.push(`${field}: Invalid value: ${shown}: the same resource cannot be specified multiple times`)
  }
  const overlaps = resources.some((one, index) =>
    resources.some(
      (other, place) =>
        place !== index &&
        ((one.group === '*' && one.plural === '*') || (one.group === other.group && one.plural === '*')),
    ),
  )
  if (!overlaps) return
  const detail =
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked"
  problems.push(`${field}: Invalid value: ${shown}: ${detail}`)
}

/** The resources that an earlier rule already covers. */
function maskedBy(rules: readonly EncryptionRule[]): readonly string[] {
  const earlier: { group: string; plural: string }[] = []
  const masked: string[] = []
  for (const { resources } of rules) {
    for (const { group, plural } of resources) {
      const by = earlier.find(
        (one) =>
          one.plural === '*' &&
          (one.group === '*' || one.group === group) &&
          (plural !== '*' || group !== '*'),
      )
      if (by) masked.push(`resource ${nameOf({ group, plural })} is masked by earlier rule ${nameOf(by)}`)
    }
    addAll(earlier, resources)
  }
  return masked
}

function nameOf({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return JSON.stringify(group === '' && plural !== '*' ? plural : `${plural}.${group}`)
}

function readProvider(provider: Json, field: string, problems: string[]): readonly NamedProvider[] {
  const given = PROVIDERS.filter((name) => provider[name] !== undefined)
  const [name] = given
  if (name === undefined || given.length > 1) {
    const detail = name
      ? 'more than one provider specified in a single element, should split into different list elements'
      : 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
    problems.push(`${field}: Invalid value: ${detail}`)
    return []
  }
  if (name === 'identity') return [{ prefix: '', provider: undefined }]
  if (name === 'kms' || name === 'secretbox') {
    problems.push(`${field}.${name}: this server does not have the provider ${name}: use aescbc or aesgcm`)
    return []
  }
  const keys = listOf(objectOf(provider[name])['keys']).map(objectOf)
  const at = `${field}.${name}.keys`
  if (keys.length === 0) problems.push(`${at}: Required value: at least one keys is required`)
  return keys.flatMap((key, index) => {
    const secret = readKey(key, `${at}[${index}]`, problems)
    return secret
      ? [{ prefix: `k8s:enc:${name}:v1:${String(key['name'])}:`, provider: AES[name](secret) }]
      : []
  })
}

/** The bytes of a key. Messages never contain them. */
function readKey({ name, secret }: Json, field: string, problems: string[]): Uint8Array | undefined {
  if (!name) problems.push(`${field}.name: Required value: name is a mandatory field for a key`)
  if (!secret) {
    problems.push(`${field}.secret: Required value: secret is a mandatory field for a key`)
    return undefined
  }
  const text = typeof secret === 'string' ? secret : '?'
  const bytes = Buffer.from(text, 'base64')
  const at = `${field}.secret: Invalid value: "REDACTED"`
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '') || text.length % 4 !== 0) {
    problems.push(`${at}: secrets must be base64 encoded`)
    return undefined
  }
  if (AES_SIZES.includes(bytes.length)) return name ? bytes : undefined
  const detail = `secret is not of the expected length, got ${bytes.length}, expected one of [${AES_SIZES.join(' ')}]`
  problems.push(`${at}: ${detail}`)
  return undefined
}

function wrong(problems: readonly string[]): HomeostatError {
  const [first = ''] = problems
  const text = problems.length === 1 ? first : `[${problems.join(', ')}]`
  return new HomeostatError('ENCRYPTION_CONFIGURATION', `the encryption configuration is wrong: ${text}`)
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
