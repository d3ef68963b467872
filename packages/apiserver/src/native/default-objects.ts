/**
 * The objects that every cluster has from its start, and those that the server keeps in step with others: an
 * APIService for each group and version, an IPAddress for each address of a Service. Objects that are already in the
 * store do not change.
 */
import { timestamp } from '@homeostat/api'
import { createIfMissing, type OwnObject, type Registry } from '../registry/index.ts'
import { keepApiServices } from './api-service/keep-api-services.ts'
import { publishEndpoint } from './endpoints/api-endpoints.ts'
import { flowControlObjects } from './flow-schema/flow-control-objects.ts'
import { keepServiceAddresses } from './ip-address/keep-service-addresses.ts'
import { CONTENT_FINALIZER, DEFAULT_NAMESPACES } from './namespace/default-namespaces.ts'
import { addressIn, type ServiceRange } from './service-cidr/service-range.ts'

export { publishEndpoint } from './endpoints/api-endpoints.ts'

/** The port of the API inside a cluster. */
const API_PORT = 6443

/** Creates the objects that every cluster has, and keeps the dependent ones in step from now on. */
export function makeDefaultObjects(registry: Registry, range: ServiceRange): void {
  const now = timestamp(registry.clock.now())
  for (const name of DEFAULT_NAMESPACES) createIfMissing(registry, namespace(name))
  keepServiceAddresses(registry)
  for (const own of [
    serviceRange(now, range),
    kubernetes(addressIn(range, 1)),
    ...PRIORITIES,
    ...flowControlObjects(now),
  ]) {
    createIfMissing(registry, own)
  }
  // An earlier process on the same data may have listened on another port.
  publishEndpoint(registry, undefined)
  keepApiServices(registry)
}

function namespace(name: string): OwnObject {
  const metadata = { name, labels: { 'kubernetes.io/metadata.name': name } }
  return {
    object: { kind: 'Namespace', apiVersion: 'v1', metadata },
    unowned: { spec: { finalizers: [CONTENT_FINALIZER] }, status: { phase: 'Active' } },
  }
}

function serviceRange(now: string, { cidr }: ServiceRange): OwnObject {
  const message = 'Kubernetes default Service CIDR is ready'
  return {
    object: {
      kind: 'ServiceCIDR',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: [cidr] },
    },
    unowned: {
      status: {
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now, reason: '', message }],
      },
    },
  }
}

/** The Service `kubernetes`, by which Pods reach the API. */
const kubernetes = (address: string): OwnObject => ({
  object: {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: API_PORT }],
      clusterIP: address,
      clusterIPs: [address],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
  },
  fields: {
    'f:metadata': { 'f:labels': { '.': {}, 'f:component': {}, 'f:provider': {} } },
    'f:spec': {
      'f:clusterIP': {},
      'f:internalTrafficPolicy': {},
      'f:ipFamilyPolicy': {},
      'f:ports': {
        '.': {},
        'k:{"port":443,"protocol":"TCP"}': {
          '.': {},
          'f:name': {},
          'f:port': {},
          'f:protocol': {},
          'f:targetPort': {},
        },
      },
      'f:sessionAffinity': {},
      'f:type': {},
    },
  },
  unowned: { status: { loadBalancer: {} } },
})

const PRIORITIES: readonly OwnObject[] = [
  priority(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priority(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
]

function priority(name: string, value: number, description: string): OwnObject {
  return {
    object: {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    generation: true,
  }
}
