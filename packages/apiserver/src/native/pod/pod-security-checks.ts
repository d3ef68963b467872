import { isObject, type JsonObject, listOf, objectOf, quote, textOf } from '../../schema/index.ts'

/** A violation by a Pod: its rule and the details. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

/** A Pod or a template, and the minor version of Kubernetes whose rules apply. */
interface Subject {
  readonly spec: JsonObject
  readonly annotations: JsonObject
  readonly containers: readonly JsonObject[]
  readonly minor: number
}

type Check = (subject: Subject) => Violation | undefined

/** A check of the restricted level. */
interface RestrictedCheck {
  /** The minor version from which on it is part of the level. */
  readonly since: number
  /** The check of the baseline level that it replaces. */
  readonly replaces?: string
  readonly check: Check
}

/** The violations of a level by a Pod, in the order of Kubernetes' messages. */
export function violations(
  level: 'baseline' | 'restricted',
  minor: number,
  pod: { readonly metadata?: unknown; readonly spec?: unknown },
): Violation[] {
  const spec = objectOf(pod.spec)
  const fields = ['initContainers', 'containers', 'ephemeralContainers']
  const containers = fields.flatMap((field) => listOf(spec[field]).map(objectOf))
  const annotations = objectOf(objectOf(pod.metadata)['annotations'])
  const subject = { spec, annotations, containers, minor }
  const restricted = level === 'restricted' ? RESTRICTED.filter(({ since }) => minor >= since) : []
  const replaced = new Set(restricted.map(({ replaces }) => replaces))
  const baseline = [...BASELINE].filter(([name]) => !replaced.has(name)).map(([, check]) => check)
  return [...baseline, ...restricted.map(({ check }) => check)].flatMap((check) => check(subject) ?? [])
}

const contextOf = (value: JsonObject): JsonObject => objectOf(value['securityContext'])
const joined = (texts: Iterable<string>): string => [...texts].map((text) => `"${text}"`).join(', ')
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort()
const several = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** `container "a"`, `containers "a", "b"`; empty for none. */
function called(containers: readonly JsonObject[]): string {
  if (containers.length === 0) return ''
  return `${several(containers.length, 'container')} ${joined(containers.map((one) => textOf(one['name'])))}`
}

/** `pod and container "a"`: which of them set a forbidden value. */
function setters({ spec, containers }: Subject, bad: (context: JsonObject) => boolean): string {
  const found = called(containers.filter((one) => bad(contextOf(one))))
  return [...(bad(contextOf(spec)) ? ['pod'] : []), ...(found ? [found] : [])].join(' and ')
}

/** The values that Pod and containers have in their security contexts. */
function contexts({ spec, containers }: Subject): JsonObject[] {
  return [spec, ...containers].map(contextOf)
}

const CAPABILITIES =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  )
const capabilities = (container: JsonObject, field: 'add' | 'drop'): string[] =>
  listOf(objectOf(contextOf(container)['capabilities'])[field]).map(textOf)

const PROFILES = ['RuntimeDefault', 'Localhost']
const profileOf = (context: JsonObject, field: string): string | undefined =>
  isObject(context[field]) ? textOf(context[field]['type']) : undefined
const badProfile = (field: string) => (context: JsonObject) => {
  const profile = profileOf(context, field)
  return profile !== undefined && !PROFILES.includes(profile)
}

const onWindows = ({ spec, minor }: Subject): boolean =>
  minor >= 25 && objectOf(spec['os'])['name'] === 'windows'
const inUserNamespace = ({ spec, minor }: Subject): boolean => minor >= 35 && spec['hostUsers'] === false

const SYSCTLS: readonly (readonly [since: number, names: string])[] = [
  [
    0,
    'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range',
  ],
  [0, 'net.ipv4.ip_unprivileged_port_start'],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [29, 'net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl'],
  [29, 'net.ipv4.tcp_keepalive_probes'],
  [32, 'net.ipv4.tcp_rmem net.ipv4.tcp_wmem'],
]

const procMount: Check = ({ containers }) => {
  const mountOf = (one: JsonObject): string => textOf(contextOf(one)['procMount']) || 'Default'
  const bad = containers.filter((one) => mountOf(one) !== 'Default')
  if (bad.length === 0) return undefined
  const detail = `${called(bad)} must not set securityContext.procMount to ${joined(sorted(bad.map(mountOf)))}`
  return { reason: 'procMount', detail }
}

const badSeccomp: Check = (subject) => {
  const bad = badProfile('seccompProfile')
  const who = setters(subject, bad)
  if (who === '') return undefined
  const values = contexts(subject)
    .filter(bad)
    .map((one) => profileOf(one, 'seccompProfile') ?? '')
  const detail = `${who} must not set securityContext.seccompProfile.type to ${joined(sorted(values))}`
  return { reason: 'seccompProfile', detail }
}

const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** Before 1.19 annotations chose the profiles. */
const seccompAnnotations: Check = ({ annotations, containers }) => {
  const keys = [SECCOMP_OF_POD, ...containers.map((one) => `${SECCOMP_OF_CONTAINER}${textOf(one['name'])}`)]
  const bad = sorted(
    keys
      .filter((key) => Object.hasOwn(annotations, key))
      .map((key): [string, string] => [key, textOf(annotations[key])])
      .filter(([, profile]) => !/^(runtime\/default|docker\/default)$|^localhost\//.test(profile))
      .map(([key, profile]) => `${key}=${quote(profile)}`),
  )
  if (bad.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${several(bad.length, 'annotation')} ${bad.join(', ')}`,
  }
}

const BASELINE: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'appArmorProfile',
    (subject) => {
      const bad = badProfile('appArmorProfile')
      const values = sorted(
        contexts(subject)
          .filter(bad)
          .map((one) => profileOf(one, 'appArmorProfile') ?? ''),
      )
      const noted = Object.entries(subject.annotations)
        .filter(
          ([key, value]) =>
            key.startsWith('container.apparmor.security.beta.kubernetes.io/') &&
            !/^$|^runtime\/default$|^localhost\//.test(textOf(value)),
        )
        .map(([key, value]) => `${key}=${quote(textOf(value))}`)
        .sort()
      const who = [setters(subject, bad), ...(noted.length > 0 ? [several(noted.length, 'annotation')] : [])]
      const all = [...values, ...noted]
      if (all.length === 0) return undefined
      const setting = who.filter((one) => one !== '').join(' and ')
      return {
        reason: several(all.length, 'forbidden AppArmor profile'),
        detail: `${setting} must not set AppArmor profile type to ${joined(all)}`,
      }
    },
  ],
  [
    'capabilities',
    ({ containers }) => {
      const extra = (one: JsonObject): string[] =>
        capabilities(one, 'add').filter((name) => !CAPABILITIES.includes(name))
      const bad = containers.filter((one) => extra(one).length > 0)
      if (bad.length === 0) return undefined
      const names = joined(sorted(bad.flatMap(extra)))
      const detail = `${called(bad)} must not include ${names} in securityContext.capabilities.add`
      return { reason: 'non-default capabilities', detail }
    },
  ],
  [
    'hostNamespaces',
    ({ spec }) => {
      const set = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true)
      if (set.length === 0) return undefined
      return { reason: 'host namespaces', detail: set.map((field) => `${field}=true`).join(', ') }
    },
  ],
  [
    'hostPathVolumes',
    ({ spec }) => {
      const bad = listOf(spec['volumes'])
        .map(objectOf)
        .filter((volume) => isObject(volume['hostPath']))
      if (bad.length === 0) return undefined
      const names = joined(bad.map((volume) => textOf(volume['name'])))
      return { reason: 'hostPath volumes', detail: `${several(bad.length, 'volume')} ${names}` }
    },
  ],
  [
    'hostPorts',
    ({ containers }) => {
      const portsOf = (one: JsonObject): string[] =>
        listOf(one['ports'])
          .map((port) => textOf(objectOf(port)['hostPort']))
          .filter((port) => port !== '' && port !== '0')
      const bad = containers.filter((one) => portsOf(one).length > 0)
      if (bad.length === 0) return undefined
      const ports = sorted(bad.flatMap(portsOf))
      const uses = `${several(bad.length, 'uses', 'use')} ${several(ports.length, 'hostPort')}`
      return { reason: 'hostPort', detail: `${called(bad)} ${uses} ${ports.join(', ')}` }
    },
  ],
  [
    'hostProbesAndHostLifecycle',
    ({ containers, minor }) => {
      if (minor < 34) return undefined
      const hostsOf = (one: JsonObject): string[] => {
        const lifecycle = objectOf(one['lifecycle'])
        const probes = [one['livenessProbe'], one['readinessProbe'], one['startupProbe']]
        return [...probes, lifecycle['postStart'], lifecycle['preStop']]
          .flatMap((handler) => [objectOf(handler)['httpGet'], objectOf(handler)['tcpSocket']])
          .map((action) => textOf(objectOf(action)['host']))
          .filter((host) => host !== '')
      }
      const bad = containers
        .filter((one) => hostsOf(one).length > 0)
        .toSorted((a, b) => (textOf(a['name']) < textOf(b['name']) ? -1 : 1))
      if (bad.length === 0) return undefined
      const hosts = sorted(bad.flatMap(hostsOf))
      const uses = `${several(bad.length, 'uses', 'use')} ${several(hosts.length, 'probe or lifecycle host')}`
      return { reason: 'probe or lifecycle host', detail: `${called(bad)} ${uses} ${joined(hosts)}` }
    },
  ],
  [
    'privileged',
    ({ containers }) => {
      const bad = called(containers.filter((one) => contextOf(one)['privileged'] === true))
      if (bad === '') return undefined
      return { reason: 'privileged', detail: `${bad} must not set securityContext.privileged=true` }
    },
  ],
  ['procMount', (subject) => (inUserNamespace(subject) ? undefined : procMount(subject))],
  [
    'seLinuxOptions',
    (subject) => {
      const types = ['', 'container_t', 'container_init_t', 'container_kvm_t']
      if (subject.minor >= 31) types.push('container_engine_t')
      const optionsOf = (context: JsonObject): JsonObject => objectOf(context['seLinuxOptions'])
      const badType = (context: JsonObject): boolean => !types.includes(textOf(optionsOf(context)['type']))
      const sets = (context: JsonObject, field: string): boolean => textOf(optionsOf(context)[field]) !== ''
      const bad = (context: JsonObject): boolean =>
        badType(context) || sets(context, 'user') || sets(context, 'role')
      const who = setters(subject, bad)
      if (who === '') return undefined
      const all = contexts(subject)
      const found = sorted(all.filter(badType).map((one) => textOf(optionsOf(one)['type'])))
      const data = [
        ...(found.length > 0 ? [`${several(found.length, 'type')} ${joined(found)}`] : []),
        ...(all.some((one) => sets(one, 'user')) ? ['user may not be set'] : []),
        ...(all.some((one) => sets(one, 'role')) ? ['role may not be set'] : []),
      ]
      const detail = `${who} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`
      return { reason: 'seLinuxOptions', detail }
    },
  ],
  ['seccompProfile', (subject) => (subject.minor < 19 ? seccompAnnotations(subject) : badSeccomp(subject))],
  [
    'sysctls',
    ({ spec, minor }) => {
      const known = SYSCTLS.filter(([since]) => minor >= since).flatMap(([, names]) => names.split(' '))
      const bad = listOf(contextOf(spec)['sysctls'])
        .map((sysctl) => textOf(objectOf(sysctl)['name']))
        .filter((name) => !known.includes(name))
      return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') }
    },
  ],
  [
    'windowsHostProcess',
    (subject) => {
      const who = setters(subject, (context) => objectOf(context['windowsOptions'])['hostProcess'] === true)
      if (who === '') return undefined
      return {
        reason: 'hostProcess',
        detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
      }
    },
  ],
])

const VOLUMES =
  'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' ')

const RESTRICTED: readonly RestrictedCheck[] = [
  {
    since: 8,
    check: (subject) => {
      if (onWindows(subject)) return undefined
      const bad = called(
        subject.containers.filter((one) => contextOf(one)['allowPrivilegeEscalation'] !== false),
      )
      if (bad === '') return undefined
      const detail = `${bad} must set securityContext.allowPrivilegeEscalation=false`
      return { reason: 'allowPrivilegeEscalation != false', detail }
    },
  },
  {
    since: 22,
    replaces: 'capabilities',
    check: (subject) => {
      if (onWindows(subject)) return undefined
      const { containers } = subject
      const keeping = called(containers.filter((one) => !capabilities(one, 'drop').includes('ALL')))
      const extra = (one: JsonObject): string[] =>
        capabilities(one, 'add').filter((name) => name !== 'NET_BIND_SERVICE')
      const adding = containers.filter((one) => extra(one).length > 0)
      const names = joined(sorted(adding.flatMap(extra)))
      const details = [
        ...(keeping ? [`${keeping} must set securityContext.capabilities.drop=["ALL"]`] : []),
        ...(adding.length > 0
          ? [`${called(adding)} must not include ${names} in securityContext.capabilities.add`]
          : []),
      ]
      return details.length === 0
        ? undefined
        : { reason: 'unrestricted capabilities', detail: details.join('; ') }
    },
  },
  {
    since: 35,
    replaces: 'procMount',
    check: procMount,
  },
  {
    since: 0,
    replaces: 'hostPathVolumes',
    check: ({ spec }) => {
      const typeOf = (volume: JsonObject): string =>
        Object.keys(volume).find((key) => key !== 'name') ?? 'unknown'
      const bad = listOf(spec['volumes'])
        .map(objectOf)
        .filter((volume) => !VOLUMES.includes(typeOf(volume)))
      if (bad.length === 0) return undefined
      const types = sorted(bad.map(typeOf))
      const names = `${several(bad.length, 'volume')} ${joined(bad.map((volume) => textOf(volume['name'])))}`
      const uses = `${several(bad.length, 'uses', 'use')} ${several(types.length, 'restricted volume type')}`
      return { reason: 'restricted volume types', detail: `${names} ${uses} ${joined(types)}` }
    },
  },
  {
    since: 0,
    check: (subject) => {
      if (inUserNamespace(subject)) return undefined
      const reason = 'runAsNonRoot != true'
      const root = setters(subject, (context) => context['runAsNonRoot'] === false)
      if (root !== '') return { reason, detail: `${root} must not set securityContext.runAsNonRoot=false` }
      if (contextOf(subject.spec)['runAsNonRoot'] === true) return undefined
      const silent = called(subject.containers.filter((one) => contextOf(one)['runAsNonRoot'] === undefined))
      if (silent === '') return undefined
      return { reason, detail: `pod or ${silent} must set securityContext.runAsNonRoot=true` }
    },
  },
  {
    since: 23,
    check: (subject) => {
      if (inUserNamespace(subject)) return undefined
      const who = setters(subject, (context) => context['runAsUser'] === 0)
      return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` }
    },
  },
  {
    since: 19,
    replaces: 'seccompProfile',
    check: (subject) => {
      if (onWindows(subject)) return undefined
      const bad = badSeccomp(subject)
      if (bad) return bad
      if (profileOf(contextOf(subject.spec), 'seccompProfile') !== undefined) return undefined
      const silent = called(
        subject.containers.filter((one) => profileOf(contextOf(one), 'seccompProfile') === undefined),
      )
      if (silent === '') return undefined
      const wanted = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
      return { reason: 'seccompProfile', detail: `pod or ${silent} must set ${wanted}` }
    },
  },
]
