import { HomeostatError } from '@homeostat/api'
import { COUNTED_PLUGINS, OPTIONAL_PLUGINS } from '../native/index.ts'
import type { NativeTypes } from '../schema/index.ts'
import { durationOf, nanosecondsOf } from './flags/durations.ts'
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
  readonly protectsVolumes: boolean
  readonly taintsNodes: boolean
  readonly disabledAdmission: readonly string[]
  readonly disabledVersions: readonly string[]
  readonly disabledFeatures: readonly string[]
  /** A sentence for each value without an effect. */
  readonly warnings: readonly string[]
}

const OWNER_REFERENCES = 'OwnerReferencesPermissionEnforcement'
const SERVICE_ACCOUNT = 'ServiceAccount'
const VOLUME_PROTECTION = 'StorageObjectInUseProtection'
const NODE_TAINT = 'TaintNodesByCondition'

/** Reads the flags of a kube-apiserver, with a warning for each value without an effect. */
export function standInValues(flags: ReadonlyMap<string, string>, types?: NativeTypes): StandInValues {
  const list = (name: string): string[] =>
    (flags.get(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const [enabled, disabled] = [list('enable-admission-plugins'), list('disable-admission-plugins')]
  const warnings: string[] = []
  const optional: readonly string[] = [
    ...OPTIONAL_PLUGINS,
    SERVICE_ACCOUNT,
    OWNER_REFERENCES,
    VOLUME_PROTECTION,
    NODE_TAINT,
  ]
  for (const name of enabled) {
    if (!optional.includes(name) && !COUNTED_PLUGINS.includes(name))
      warnings.push(`--enable-admission-plugins: this server has no admission plugin ${name}`)
  }
  for (const name of disabled) {
    if (optional.includes(name)) continue
    const problem = COUNTED_PLUGINS.includes(name)
      ? `${name} is always on`
      : `this server has no admission plugin ${name}`
    warnings.push(`--disable-admission-plugins: ${problem}`)
  }
  const gates = readFeatureGates(list('feature-gates'))
  for (const warning of gates.warnings) warnings.push(warning)
  const { disabledVersions, warnings: versionWarnings } = readRuntimeConfig(list('runtime-config'), types)
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
    protectsVolumes: !disabled.includes(VOLUME_PROTECTION),
    taintsNodes: !disabled.includes(NODE_TAINT),
    disabledAdmission: disabled,
    disabledVersions,
    disabledFeatures: gates.disabledFeatures,
    warnings,
  }
}

const HOUR = 3600
const LONGEST = 2 ** 32

/** How long events are kept, in milliseconds. */
function eventLifetime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const milliseconds = durationOf('event-ttl', text)
  if (milliseconds >= 0) return milliseconds
  throw new HomeostatError('USAGE', `--event-ttl=${text} is in the past: write 1h, or 0 to keep all events`)
}

/** Reads the longest time of a token, in seconds. Fails where kube-apiserver does. */
function maxTokenExpiration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const nanoseconds = nanosecondsOf('service-account-max-token-expiration', text)
  const seconds = Number(nanoseconds / 1_000_000_000n)
  if (nanoseconds === 0n) return undefined
  if (seconds >= HOUR && seconds <= LONGEST) return seconds
  throw new HomeostatError(
    'USAGE',
    'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
  )
}
