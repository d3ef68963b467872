import { addressWarnings, objectsIn } from '../../checks/index.ts'
import { isNumber, isObject, type JsonObject, listOf, objectOf, quote, textOf } from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { claimWarnings, fraction } from '../persistent-volume-claim/claim-warnings.ts'
import { deprecatedLabel, termWarnings } from './node-label-warnings.ts'
import { volumePathWarnings } from './volume-path-warnings.ts'

const ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
])

/** The sources of volumes that Kubernetes no longer supports, and since when. */
export const OLD_VOLUMES: ReadonlyMap<string, string> = new Map([
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
])

const NO_SELECTOR = 'a null labelSelector results in matching no pod'

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/'

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod'

const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** The warnings for a valid Pod or Pod template. `field` is the path of the template; empty for a Pod. */
export function podWarnings(pod: JsonObject, field: string): string[] {
  const spec = objectOf(pod['spec'])
  const annotations = objectOf(objectOf(pod['metadata'])['annotations'])
  const [at, meta] = [below(field, 'spec'), below(field, 'metadata.annotations')]
  return [
    ...schedulingWarnings(spec, at),
    ...[...ANNOTATIONS]
      .filter(([key]) => Object.hasOwn(annotations, key))
      .map(([key, why]) => `${meta}[${key}]: ${why}`),
    ...volumeWarnings(spec, at),
    ...objectsIn(spec['volumes']).flatMap(volumePathWarnings),
    ...duplicates(spec['hostAliases'], 'ip', `${at}.hostAliases`),
    ...duplicates(spec['imagePullSecrets'], 'name', `${at}.imagePullSecrets`),
    ...objectsIn(spec['imagePullSecrets']).flatMap(({ name }, index) =>
      name ? [] : [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
    ...fractions(spec['overhead'], `${at}.overhead`),
    ...seccompWarnings(spec, annotations, meta),
    ...containersOf(spec, at).flatMap(({ container, path }) => containerWarnings(container, path)),
    ...(field === '' ? [] : appArmorWarnings(spec, annotations, meta)),
    ...portWarnings(spec, at),
    ...graceWarnings(spec, at),
    ...affinityWarnings(spec, at),
    ...listOf(objectOf(spec['dnsConfig'])['nameservers']).flatMap((one, index) =>
      addressWarnings(one, `${at}.dnsConfig.nameservers[${index}]`),
    ),
    ...objectsIn(spec['hostAliases']).flatMap(({ ip }, index) =>
      addressWarnings(ip, `${at}.hostAliases[${index}].ip`),
    ),
  ]
}

function below(field: string, part: string): string {
  return field === '' ? part : `${field}.${part}`
}

function containersOf(spec: JsonObject, field: string): { container: JsonObject; path: string }[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((kind) =>
    objectsIn(spec[kind]).map((container, index) => ({ container, path: `${field}.${kind}[${index}]` })),
  )
}

function schedulingWarnings(spec: JsonObject, field: string): string[] {
  const { required, preferred } = termsOf(objectOf(objectOf(spec['affinity'])['nodeAffinity']))
  const affinity = `${field}.affinity.nodeAffinity`
  return [
    ...Object.keys(objectOf(spec['nodeSelector'])).flatMap((key) => {
      const why = deprecatedLabel(key)
      return why === undefined ? [] : [`${field}.nodeSelector[${key}]: ${why}`]
    }),
    ...required.flatMap((term, index) =>
      termWarnings(
        term,
        `${affinity}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
      ),
    ),
    ...preferred.flatMap((term, index) =>
      termWarnings(
        objectOf(term['preference']),
        `${affinity}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
      ),
    ),
    ...objectsIn(spec['topologySpreadConstraints']).flatMap(({ topologyKey, labelSelector }, index) => {
      const at = `${field}.topologySpreadConstraints[${index}]`
      const why = deprecatedLabel(textOf(topologyKey))
      return [
        ...(why === undefined ? [] : [`${at}.topologyKey: ${textOf(topologyKey)} is ${why}`]),
        ...(isObject(labelSelector) ? [] : [`${at}.labelSelector: ${NO_SELECTOR}`]),
      ]
    }),
  ]
}

function termsOf(affinity: JsonObject): { required: JsonObject[]; preferred: JsonObject[] } {
  const required = objectOf(affinity['requiredDuringSchedulingIgnoredDuringExecution'])
  return {
    required: objectsIn(required['nodeSelectorTerms']),
    preferred: objectsIn(affinity['preferredDuringSchedulingIgnoredDuringExecution']),
  }
}

function volumeWarnings(spec: JsonObject, field: string): string[] {
  return objectsIn(spec['volumes']).flatMap((volume, index) => {
    const at = `${field}.volumes[${index}]`
    const template = objectOf(objectOf(volume['ephemeral'])['volumeClaimTemplate'])
    return [
      ...[...OLD_VOLUMES]
        .filter(([name]) => isObject(volume[name]))
        .map(([name, why]) => `${at}.${name === 'storageos' ? 'storageOS' : name}: ${why}`),
      ...claimWarnings(objectOf(template['spec']), `${at}.ephemeral.volumeClaimTemplate.spec`),
    ]
  })
}

/** The warnings for quantities of memory that are not whole bytes. */
function fractions(amounts: unknown, field: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    fraction(objectOf(amounts)[name], `${field}[${name}]`),
  )
}

function duplicates(list: unknown, key: string, field: string): string[] {
  const seen = new Set<unknown>()
  return objectsIn(list).flatMap((item, index) => {
    const value = item[key] ?? ''
    if (seen.has(value)) return [`${field}[${index}].${key}: duplicate ${key} ${quote(textOf(value))}`]
    seen.add(value)
    return []
  })
}

function seccompWarnings(spec: JsonObject, annotations: JsonObject, meta: string): string[] {
  const why = 'non-functional in v1.27+; use the "seccompProfile" field instead'
  const lacks = (holder: JsonObject): boolean =>
    !isObject(objectOf(holder['securityContext'])['seccompProfile'])
  const keys = [
    ...(lacks(spec) ? [SECCOMP] : []),
    ...containersOf(spec, '').flatMap(({ container }) =>
      lacks(container) ? [`${SECCOMP_OF_CONTAINER}${textOf(container['name'] ?? '')}`] : [],
    ),
  ]
  return keys.filter((key) => Object.hasOwn(annotations, key)).map((key) => `${meta}[${key}]: ${why}`)
}

function appArmorWarnings(spec: JsonObject, annotations: JsonObject, meta: string): string[] {
  return containersOf(spec, '').flatMap(({ container }) => {
    const key = `${APP_ARMOR}${textOf(container['name'] ?? '')}`
    const field = isObject(objectOf(container['securityContext'])['appArmorProfile'])
    const whole = isObject(objectOf(spec['securityContext'])['appArmorProfile'])
    if (field || whole || !Object.hasOwn(annotations, key)) return []
    return [`${meta}[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`]
  })
}

function containerWarnings(container: JsonObject, field: string): string[] {
  const resources = objectOf(container['resources'])
  const seen = new Set<string>()
  const hidden = objectsIn(container['env']).flatMap((variable, index) => {
    const name = textOf(variable['name'] ?? '')
    const reference = `$(${name})`
    const value = textOf(variable['value'] ?? '')
    const again = seen.has(name)
    seen.add(name)
    if (!again || (!isObject(variable['valueFrom']) && value !== reference && value.includes(reference)))
      return []
    return [
      `${field}.env[${index}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`,
    ]
  })
  return [
    ...fractions(resources['limits'], `${field}.resources.limits`),
    ...fractions(resources['requests'], `${field}.resources.requests`),
    ...hidden,
  ]
}

interface Port {
  readonly path: string
  readonly ip: unknown
  readonly port: unknown
}

/** The most ports of the same number that a port is compared with, and the most warnings: a header holds fewer. */
const MOST_COMPARED = 32

const MOST_CLASHES = 1_000

function portWarnings(spec: JsonObject, field: string): string[] {
  const known = new Map<string, Port[]>()
  const names = new Map<string, string>()
  const clashes: string[] = []
  const repeated: string[] = []
  for (const { container, path } of containersOf(spec, field)) {
    for (const [index, port] of objectsIn(container['ports']).entries()) {
      const at = `${path}.ports[${index}]`
      const one: Port = { path: at, ip: port['hostIP'] || '', port: port['hostPort'] || 0 }
      if (one.ip !== '' && one.port === 0) clashes.push(`${at}: hostIP set without hostPort: ${inGo(port)}`)
      const key = `${textOf(port['containerPort'])}/${textOf(port['protocol'])}`
      const others = known.get(key) ?? []
      if (clashes.length < MOST_CLASHES) addAll(clashes, ...others.map((other) => clash(one, other)))
      if (others.length < MOST_COMPARED) others.push(one)
      known.set(key, others)
      const name = textOf(port['name'] ?? '')
      const first = names.get(name)
      if (name === '') continue
      if (first === undefined) names.set(name, at)
      else {
        repeated.push(
          `${at}: duplicate port name ${quote(name)} with ${first}, services and probes that select ports by name will use ${first}`,
        )
      }
    }
  }
  return [...clashes, ...repeated]
}

/** A port as Go prints its struct. */
function inGo({ name, containerPort, protocol, hostIP }: JsonObject): string {
  return `{Name:${textOf(name ?? '')} HostPort:0 ContainerPort:${textOf(containerPort)} Protocol:${textOf(protocol)} HostIP:${textOf(hostIP)}}`
}

function clash(one: Port, other: Port): string[] {
  if (one.ip === other.ip && one.port === other.port) {
    return [`${one.path}: duplicate port definition with ${other.path}`]
  }
  if (one.port === 0 || other.port === 0)
    return [`${one.path}: overlapping port definition with ${other.path}`]
  if (one.port !== other.port || (one.ip === '') === (other.ip === '')) return []
  return [`${one.path}: dangerously ambiguous port definition with ${other.path}`]
}

function graceWarnings(spec: JsonObject, field: string): string[] {
  const seconds = spec['terminationGracePeriodSeconds']
  if (!isNumber(seconds) || seconds >= 0) return []
  return [
    `${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
  ]
}

function affinityWarnings(spec: JsonObject, field: string): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const affinity = objectOf(objectOf(spec['affinity'])[kind])
    const at = `${field}.affinity.${kind}`
    const [required, preferred] = [
      'requiredDuringSchedulingIgnoredDuringExecution',
      'preferredDuringSchedulingIgnoredDuringExecution',
    ]
    return [
      ...objectsIn(affinity[required]).flatMap(({ labelSelector }, index) =>
        isObject(labelSelector) ? [] : [`${at}.${required}[${index}].labelSelector: ${NO_SELECTOR}`],
      ),
      ...objectsIn(affinity[preferred]).flatMap(({ podAffinityTerm }, index) =>
        isObject(objectOf(podAffinityTerm)['labelSelector'])
          ? []
          : [`${at}.${preferred}[${index}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`],
      ),
    ]
  })
}
