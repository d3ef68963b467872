import { HomeostatError } from '@homeostat/api'
import { NATIVE_TYPES, type NativeTypes } from '../schema/index.ts'

/** Versions of kube-apiserver 1.36.3 that this server does not have. */
const NOT_SERVED = `
  admission.k8s.io/v1 admission.k8s.io/v1beta1 admissionregistration.k8s.io/v1alpha1
  admissionregistration.k8s.io/v1beta1 apiextensions.k8s.io/v1beta1 apiregistration.k8s.io/v1beta1
  apps/v1beta1 apps/v1beta2 authentication.k8s.io/v1alpha1 authentication.k8s.io/v1beta1
  authorization.k8s.io/v1beta1 batch/v1beta1 certificates.k8s.io/v1alpha1 certificates.k8s.io/v1beta1
  coordination.k8s.io/v1alpha2 coordination.k8s.io/v1beta1 discovery.k8s.io/v1beta1 events.k8s.io/v1beta1
  extensions/v1beta1 flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2
  flowcontrol.apiserver.k8s.io/v1beta3 imagepolicy.k8s.io/v1alpha1 internal.apiserver.k8s.io/v1alpha1
  networking.k8s.io/v1beta1 node.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1beta1
  rbac.authorization.k8s.io/v1alpha1 rbac.authorization.k8s.io/v1beta1 resource.k8s.io/v1alpha3
  resource.k8s.io/v1beta1 resource.k8s.io/v1beta2 scheduling.k8s.io/v1alpha2 scheduling.k8s.io/v1beta1
  storage.k8s.io/v1alpha1 storage.k8s.io/v1beta1 storagemigration.k8s.io/v1beta1
`
  .split(/\s+/)
  .filter(Boolean)

/** Versions of objects that the server itself writes, which are always served. */
const ALWAYS_SERVED = new Set([
  'v1',
  'apiextensions.k8s.io/v1',
  'apiregistration.k8s.io/v1',
  'discovery.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
  'networking.k8s.io/v1',
  'rbac.authorization.k8s.io/v1',
  'scheduling.k8s.io/v1',
])

/**
 * Keys that stand for many versions, by increasing precedence. All versions of this server have the stability `ga`.
 */
const CLASSES = ['api/all', 'api/ga', 'api/beta', 'api/alpha'] as const

/** The result of reading `--runtime-config`. */
export interface RuntimeConfig {
  /** Versions and resources that are not served: `apps/v1`, `batch/v1/jobs`. */
  readonly disabledVersions: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Reads entries of `--runtime-config`: `group/version=true|false`, `group/version/resource`, `api/all`, `api/ga`, `api/beta`,
 * `api/alpha` and `api/v1`. A resource takes precedence over its version, and a version over the keys that stand for many.
 * Fails with kube-apiserver's message where that would fail.
 */
export function readRuntimeConfig(
  entries: readonly string[],
  { resources }: NativeTypes = NATIVE_TYPES,
): RuntimeConfig {
  const served = new Set(resources.map(({ group, version }) => (group ? `${group}/${version}` : version)))
  const wanted = new Map(entries.map((entry) => keyAndValue(entry)))
  const warnings: string[] = []
  const disabled = new Set<string>()
  for (const key of CLASSES) {
    const isOn = wanted.get(key)
    wanted.delete(key)
    if (isOn === undefined) continue
    if (key === 'api/beta' || key === 'api/alpha') {
      if (isOn)
        warnings.push(
          `--runtime-config: ${key}=true has no effect: this server has only versions that are on by default`,
        )
      continue
    }
    for (const version of served)
      if (isOn) disabled.delete(version)
      else disabled.add(version)
    if (isOn && key === 'api/all') {
      warnings.push(
        '--runtime-config: api/all=true has no effect on versions that are off by default: this server does not have them',
      )
    }
  }
  const single = new Map<string, boolean>()
  for (const [key, isOn] of wanted) {
    const [group, name, resource] = key.split('/')
    const version = key === 'api/v1' ? 'v1' : checkedVersion(resource ? `${group}/${name}` : key, served)
    if (resource && !NOT_SERVED.includes(version)) single.set(key, isOn)
    else if (NOT_SERVED.includes(version)) {
      if (isOn)
        warnings.push(`--runtime-config: ${key}=true has no effect: this server does not have this version`)
    } else if (isOn) disabled.delete(version)
    else disabled.add(version)
  }
  for (const version of disabled) {
    if (!ALWAYS_SERVED.has(version)) continue
    disabled.delete(version)
    warnings.push(`--runtime-config: ${version} stays served: the server itself needs it`)
  }
  for (const [key, isOn] of single) {
    const version = key.slice(0, key.lastIndexOf('/'))
    if (ALWAYS_SERVED.has(version)) {
      if (!isOn) warnings.push(`--runtime-config: ${key} stays served: the server itself needs ${version}`)
      continue
    }
    disableResource(disabled, { key, version, isOn }, resources)
    if (!isOn)
      warnings.push(`--runtime-config: ${key} is not served, and the OpenAPI documents still describe it`)
  }
  return { disabledVersions: [...disabled], warnings }
}

/** Takes a resource out of what is served, or keeps it although its version is not served. */
function disableResource(
  disabled: Set<string>,
  { key, version, isOn }: { readonly key: string; readonly version: string; readonly isOn: boolean },
  resources: NativeTypes['resources'],
): void {
  if (isOn && disabled.delete(version)) {
    for (const resource of resources) {
      const other = `${version}/${resource.plural}`
      if (`${resource.group}/${resource.version}` === version) disabled.add(other)
    }
  }
  if (isOn) disabled.delete(key)
  else disabled.add(key)
}

function keyAndValue(entry: string): readonly [key: string, isOn: boolean] {
  const [key = '', value = 'true'] = entry.split('=', 2)
  if (value === 'true' || value === '') return [key, true]
  if (value === 'false') return [key, false]
  throw usage(`invalid value ${key}=${value}`)
}

/** The key, if it is a version of kube-apiserver. */
function checkedVersion(key: string, served: ReadonlySet<string>): string {
  if (served.has(key) || NOT_SERVED.includes(key)) return key
  const [group = '', version] = key.split('/')
  if (version === undefined) throw usage(`runtime-config invalid key ${key}`)
  const isGroup = [...served, ...NOT_SERVED].some((known) => known.startsWith(`${group}/`))
  throw usage(isGroup ? `group version ${key} that has not been registered` : `unknown api groups ${key}`)
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
