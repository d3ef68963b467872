import { failure } from '@homeostat/api'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { storedObject, type Registry, type ServerObject, specOf } from '../../registry/index.ts'
import {
  causesOf,
  equalJson,
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '../../schema/index.ts'
import { violations, type Violation } from './pod-security-checks.ts'

const PREFIX = 'pod-security.kubernetes.io/'
const LEVELS = ['privileged', 'baseline', 'restricted'] as const
type Level = (typeof LEVELS)[number]

/** A level, by the rules of one version of Kubernetes. */
interface Policy {
  readonly level: Level
  readonly version: string
}

interface Policies {
  readonly enforce: Policy
  readonly warn: Policy
  readonly problems: readonly FieldError[]
}

const TEMPLATES = [
  '/replicationcontrollers',
  '/podtemplates',
  'apps/daemonsets',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
]
/** The most Pods that are checked when a namespace gets a stricter level. */
const MOST_PODS = 3_000

/**
 * The Pod security standards, by the labels of a namespace. A Pod that violates the namespace's level is refused. For
 * a workload that would create such Pods, and for existing Pods, the client gets a warning.
 */
export function podSecurity(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/namespaces', '/pods', ...TEMPLATES],
    validate(request) {
      const { operation, object, subresource, resource } = request
      if (!object || operation === 'DELETE') return
      if (subresource !== undefined && subresource !== 'ephemeralcontainers') return
      if (resource.plural === 'namespaces') checkNamespaceLabels(registry, request, object)
      else if (resource.plural !== 'pods') checkTemplate(registry, request, object)
      else if (operation === 'CREATE' || changesImages(object, request.oldObject)) {
        checkPod(registry, request, object)
      }
    },
  }
}

function checkPod(
  registry: Registry,
  { namespace, refuse, warn }: AdmissionRequest,
  pod: ServerObject,
): void {
  const { enforce, warn: warned } = policiesOf(registry, namespace)
  const broken = evaluate(enforce, pod)
  if (broken.length > 0) refuse(`violates PodSecurity ${shown(enforce)}: ${describe(broken)}`)
  const doubtful = evaluate(warned, pod)
  if (doubtful.length > 0) warn(`would violate PodSecurity ${shown(warned)}: ${describe(doubtful)}`)
}

function checkTemplate(
  registry: Registry,
  { namespace, warn }: AdmissionRequest,
  object: ServerObject,
): void {
  const policy = policiesOf(registry, namespace).warn
  const spec = specOf(object)
  const job = objectOf(objectOf(spec['jobTemplate'])['spec'])
  const template = objectOf(object['template'] ?? spec['template'] ?? job['template'])
  if (Object.keys(template).length === 0) return
  const broken = evaluate(policy, template)
  if (broken.length > 0) warn(`would violate PodSecurity ${shown(policy)}: ${describe(broken)}`)
}

function checkNamespaceLabels(registry: Registry, request: AdmissionRequest, object: ServerObject): void {
  const { name, oldObject, refuse, warn } = request
  const now = policiesIn(object)
  const before = oldObject && policiesIn(oldObject)
  if (now.problems.length > 0 && !equalJson(now.problems, before?.problems)) {
    refuse(failure.invalid({ group: '', kind: 'Namespace' }, name, causesOf(now.problems)))
  }
  if (!before || !isStricter(now.enforce, before.enforce)) return
  const pods = registry.store.snapshot({ collection: '/pods', prefix: `${name}/` })
  const found = new Map<string, string[]>()
  for (const pod of pods.slice(0, MOST_PODS)) {
    const reasons = evaluate(now.enforce, pod.value).map(({ reason }) => reason)
    if (reasons.length === 0) continue
    const key = reasons.join(', ')
    const podName = textOf(storedObject(pod).metadata.name)
    found.set(key, [...(found.get(key) ?? []), podName])
  }
  if (pods.length > MOST_PODS) {
    warn(
      `new PodSecurity enforce level only checked against the first ${MOST_PODS} of ${pods.length} existing pods`,
    )
  }
  if (found.size === 0) return
  warn(`existing pods in namespace "${name}" violate the new PodSecurity enforce level ${shown(now.enforce)}`)
  for (const line of [...found].map(([reasons, names]) => `${counted(names)}: ${reasons}`).sort()) warn(line)
}

/** `a`, `a (and 1 other pod)`, `a (and 2 other pods)`. */
function counted(names: readonly string[]): string {
  const [first = ''] = names.toSorted()
  const others = names.length - 1
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`
}

function isStricter(now: Policy, before: Policy): boolean {
  if (now.level === 'privileged') return false
  return now.version !== before.version || LEVELS.indexOf(now.level) > LEVELS.indexOf(before.level)
}

function evaluate({ level, version }: Policy, pod: JsonObject): Violation[] {
  if (level === 'privileged') return []
  const minor = version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice('v1.'.length))
  return violations(level, minor, pod)
}

function describe(broken: readonly Violation[]): string {
  return broken.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}

function shown({ level, version }: Policy): string {
  return `"${level}:${version}"`
}

function policiesOf(registry: Registry, namespace = ''): Policies {
  const stored = registry.store.get('/namespaces', namespace)
  return policiesIn(stored ? storedObject(stored) : { metadata: {} })
}

function policiesIn({ metadata }: Pick<ServerObject, 'metadata'>): Policies {
  const labels = objectOf(metadata.labels)
  const problems: FieldError[] = []
  const policy = (mode: string, otherwise: Policy): Policy => {
    const [level, version] = [labels[`${PREFIX}${mode}`], labels[`${PREFIX}${mode}-version`]]
    const refuse = (label: string, value: unknown, detail: string): void => {
      problems.push(invalidValue(`metadata.labels[${PREFIX}${label}]`, value, detail))
    }
    const known = LEVELS.find((one) => one === level)
    if (level !== undefined && !known) refuse(mode, level, `must be one of ${LEVELS.join(', ')}`)
    const good = version === 'latest' || /^v1\.(?:\d|[1-9]\d*)$/.test(textOf(version))
    if (version !== undefined && !good) refuse(`${mode}-version`, version, 'must be "latest" or "v1.x"')
    const unknown = mode === 'enforce' ? 'restricted' : 'privileged'
    return {
      level: level === undefined ? otherwise.level : (known ?? unknown),
      version: version === undefined ? otherwise.version : good ? textOf(version) : 'latest',
    }
  }
  const open: Policy = { level: 'privileged', version: 'latest' }
  const enforce = policy('enforce', open)
  policy('audit', open)
  const known = LEVELS.some((one) => one === labels[`${PREFIX}enforce`])
  return { enforce, warn: policy('warn', known ? enforce : open), problems }
}

/** Whether an update changes an image: other updates of a Pod are not checked. */
function changesImages(pod: ServerObject, old: Readonly<ServerObject> | undefined): boolean {
  const images = (object: Readonly<ServerObject> | undefined): unknown[] =>
    ['initContainers', 'containers', 'ephemeralContainers'].map((field) =>
      listOf(objectOf(object?.['spec'])[field]).map((one) => objectOf(one)['image']),
    )
  return !equalJson(images(pod), images(old))
}
