import { HomeostatError } from '@homeostat/api'
import { OPTIONAL_PLUGINS } from '../native/index.ts'
import { parseDuration } from '../wire/index.ts'
import { readFeatureGates } from './feature-gates.ts'
import { readRuntimeConfig } from './runtime-config.ts'

/** The options of the stand-in for kube-apiserver. */
export interface StandInValues {
  readonly serviceRange: string | undefined
  readonly advertiseAddress: string | undefined
  readonly eventLifetime: number | undefined
  readonly serviceAccountAdmission: boolean
  readonly apiAudiences: readonly string[] | undefined
  readonly maxTokenExpirationSeconds: number | undefined
  readonly extendTokenExpiration: boolean
  readonly enforceOwnerReferences: boolean
  readonly disabledAdmission: readonly string[]
  /** Whether every user may do everything. */
  readonly alwaysAllow: boolean
  readonly disabledVersions: readonly string[]
  readonly disabledFeatures: readonly string[]
  /** A sentence for each value without an effect. */
  readonly warnings: readonly string[]
}

/** Plugins that are always on here. */
const ALWAYS_ON = [
  'NamespaceLifecycle',
  'DefaultStorageClass',
  'DefaultIngressClass',
  'CertificateApproval',
  'CertificateSigning',
]
/** The modes of kube-apiserver. */
const MODES: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node']
const ALWAYS_ALLOW = 'AlwaysAllow'
const OWNER_REFERENCES = 'OwnerReferencesPermissionEnforcement'
const SERVICE_ACCOUNT = 'ServiceAccount'

/** Reads the flags of a kube-apiserver, with a warning for each value without an effect. */
export function standInValues(flags: ReadonlyMap<string, string>): StandInValues {
  const list = (name: string): string[] =>
    (flags.get(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const [enabled, disabled] = [list('enable-admission-plugins'), list('disable-admission-plugins')]
  const warnings: string[] = []
  const optional: readonly string[] = [...OPTIONAL_PLUGINS, SERVICE_ACCOUNT, OWNER_REFERENCES]
  for (const name of enabled) {
    if (!optional.includes(name) && !ALWAYS_ON.includes(name))
      warnings.push(`--enable-admission-plugins: this server has no admission plugin ${name}`)
  }
  for (const name of disabled) {
    if (ALWAYS_ON.includes(name)) warnings.push(`--disable-admission-plugins: ${name} is always on`)
    else if (!optional.includes(name))
      warnings.push(`--disable-admission-plugins: this server has no admission plugin ${name}`)
  }
  const modes = list('authorization-mode')
  for (const mode of modes) {
    if (!MODES.includes(mode))
      throw new HomeostatError('USAGE', `authorization-mode ${JSON.stringify(mode)} is not a valid mode`)
    if (modes.indexOf(mode) !== modes.lastIndexOf(mode)) {
      const given = modes.map((one) => JSON.stringify(one)).join(' ')
      throw new HomeostatError('USAGE', `authorization-mode [${given}] has mode specified more than once`)
    }
    if (mode !== 'RBAC' && mode !== ALWAYS_ALLOW)
      warnings.push(`--authorization-mode: ${mode} has no effect: this server has RBAC and AlwaysAllow`)
  }
  const gates = readFeatureGates(list('feature-gates'))
  for (const warning of gates.warnings) warnings.push(warning)
  const { disabledVersions, warnings: versionWarnings } = readRuntimeConfig(list('runtime-config'))
  for (const warning of versionWarnings) warnings.push(warning)
  const [range, ...others] = list('service-cluster-ip-range')
  for (const other of others)
    warnings.push(`--service-cluster-ip-range: ${other} has no effect: Services have one address`)
  return {
    serviceRange: range,
    eventLifetime: eventLifetime(flags.get('event-ttl')),
    advertiseAddress: flags.get('advertise-address'),
    apiAudiences: flags.has('api-audiences') ? list('api-audiences') : undefined,
    maxTokenExpirationSeconds: maxTokenExpiration(flags.get('service-account-max-token-expiration')),
    extendTokenExpiration: flags.get('service-account-extend-token-expiration') !== 'false',
    serviceAccountAdmission: !disabled.includes(SERVICE_ACCOUNT),
    enforceOwnerReferences: enabled.includes(OWNER_REFERENCES) && !disabled.includes(OWNER_REFERENCES),
    disabledAdmission: disabled,
    alwaysAllow: modes.includes(ALWAYS_ALLOW),
    disabledVersions,
    disabledFeatures: gates.disabledFeatures,
    warnings,
  }
}

const HOUR = 3600
const LONGEST = 2 ** 32

/** Reads a duration such as `24h0m0s`, in nanoseconds. */
function duration(flag: string, text: string): bigint {
  const nanoseconds = parseDuration(text)
  if (nanoseconds !== undefined) return nanoseconds
  throw new HomeostatError('USAGE', `--${flag}=${text} is not a duration: write 24h or 90m`)
}

/** How long events are kept, in milliseconds. */
function eventLifetime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const milliseconds = Number(duration('event-ttl', text) / 1_000_000n)
  if (milliseconds >= 0) return milliseconds
  throw new HomeostatError('USAGE', `--event-ttl=${text} is in the past: write 1h, or 0 to keep all events`)
}

/** Reads the longest time of a token, in seconds. Fails where kube-apiserver does. */
function maxTokenExpiration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const nanoseconds = duration('service-account-max-token-expiration', text)
  const seconds = Number(nanoseconds / 1_000_000_000n)
  if (nanoseconds === 0n) return undefined
  if (seconds >= HOUR && seconds <= LONGEST) return seconds
  throw new HomeostatError(
    'USAGE',
    'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
  )
}
