import { labelProblems } from '../schema/name-syntax.ts'
import { isNumber, listOf, objectOf, textOf, type JsonObject } from '../schema/json.ts'
import { objectsIn } from './checks/absent.ts'
import { addressWarnings, claimWarnings, podWarnings } from './pod-template/pod-warnings.ts'

type Warnings = (object: JsonObject, old: JsonObject | undefined) => string[]

/** What Kubernetes tells the writer of an object of a native kind that it takes. */
export function nativeWarnings(
  group: string,
  kind: string,
  object: JsonObject,
  old: JsonObject | undefined,
): string[] {
  return WARNINGS.get(`${group}/${kind}`)?.(object, old) ?? []
}

const WARNINGS: ReadonlyMap<string, Warnings> = new Map<string, Warnings>([
  // Pods are changed far more often than people look at what is told.
  ['/Pod', (pod, old) => (old ? [] : [...nameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod, '')])],
  ['/PodTemplate', template('template', false)],
  ['/ReplicationController', replicationControllerWarnings],
  ['apps/DaemonSet', template('spec.template', false)],
  ['apps/Deployment', template('spec.template', true)],
  ['apps/ReplicaSet', template('spec.template', true)],
  ['apps/StatefulSet', statefulSetWarnings],
  ['batch/CronJob', template('spec.jobTemplate.spec.template', true)],
  ['batch/Job', template('spec.template', true)],
  ['/PersistentVolumeClaim', (claim) => claimWarnings(objectOf(claim['spec']), 'spec')],
  ['/Service', serviceWarnings],
  ['discovery.k8s.io/EndpointSlice', sliceWarnings],
  ['networking.k8s.io/Ingress', ingressWarnings],
])

/** The warnings of a workload: of its name where Pods are named after it, and of its template when that is new. */
function template(path: string, names: boolean): Warnings {
  return (object, old) => {
    const generation = (of: JsonObject): unknown => objectOf(of['metadata'])['generation']
    if (old && generation(object) === generation(old)) return []
    const inner = path.split('.').reduce((part, key) => objectOf(part[key]), object)
    return [
      ...(names && !old ? nameWarnings(object, 'Pod names and hostnames') : []),
      ...podWarnings(inner, path),
    ]
  }
}

/** An update is answered with the warnings of the template that it replaces. */
function replicationControllerWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const warnings = template('spec.template', true)
  return old ? warnings(old, object) : warnings(object, undefined)
}

function nameWarnings(object: JsonObject, use: string): string[] {
  const problems = labelProblems(textOf(objectOf(object['metadata'])['name'] ?? ''))
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ]
}

function statefulSetWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const spec = objectOf(object['spec'])
  const limit = spec['revisionHistoryLimit']
  return [
    ...template('spec.template', false)(object, old),
    ...objectsIn(spec['volumeClaimTemplates']).flatMap((claim, index) =>
      claimWarnings(objectOf(claim['spec']), `spec.volumeClaimTemplates[${index}]${old ? '.Spec' : ''}`),
    ),
    ...(isNumber(limit) && limit < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ]
}

function serviceWarnings(service: JsonObject): string[] {
  const spec = objectOf(service['spec'])
  const { type, clusterIP, loadBalancerIP, externalName, trafficDistribution, sessionAffinity } = spec
  const external = listOf(spec['externalIPs'])
  const headless = type === 'ClusterIP' && clusterIP === 'None'
  const hints = 'service.kubernetes.io/topology-aware-hints'
  const annotated = Object.hasOwn(objectOf(objectOf(service['metadata'])['annotations']), hints)
  const ignored = (field: string): string => `${field} is ignored for headless services`
  return [
    ...(annotated
      ? [`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`]
      : []),
    ...listOf(spec['clusterIPs']).flatMap((one, index) => addressWarnings(one, `spec.clusterIPs[${index}]`)),
    ...(headless && loadBalancerIP ? [ignored('spec.loadBalancerIP')] : []),
    ...(headless && external.length > 0 ? [ignored('spec.externalIPs')] : []),
    ...(headless && sessionAffinity !== 'None' ? [ignored('spec.SessionAffinity')] : []),
    ...external.flatMap((one, index) => addressWarnings(one, `spec.externalIPs[${index}]`)),
    ...(external.length > 0 && !headless && type !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(loadBalancerIP ? addressWarnings(loadBalancerIP, 'spec.loadBalancerIP') : []),
    ...(type === 'ExternalName' && external.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== 'ExternalName' && externalName
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ]
}

function sliceWarnings(slice: JsonObject, old: JsonObject | undefined): string[] {
  const kind = slice['addressType']
  return [
    ...(!old && kind === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(kind === 'FQDN'
      ? []
      : objectsIn(slice['endpoints']).flatMap((endpoint, index) =>
          listOf(endpoint['addresses']).flatMap((one, at) =>
            addressWarnings(one, `endpoints[${index}].addresses[${at}]`),
          ),
        )),
  ]
}

function ingressWarnings(ingress: JsonObject, old: JsonObject | undefined): string[] {
  const key = 'kubernetes.io/ingress.class'
  const annotated = Object.hasOwn(objectOf(objectOf(ingress['metadata'])['annotations']), key)
  if (old || !annotated || objectOf(ingress['spec'])['ingressClassName'] !== undefined) return []
  return [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`]
}
