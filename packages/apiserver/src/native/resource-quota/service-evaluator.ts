import { type JsonObject, listOf, objectOf } from '../../schema/index.ts'
import { type Amounts, countOf } from './amounts.ts'
import type { QuotaEvaluator } from './evaluator.ts'

const NAMES = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers'])

/** Counts Services, their node ports and load balancers. An update counts too, since it may change the type. */
export const serviceEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) => operation !== 'DELETE' && subresource === undefined,
  measures: (name) => NAMES.has(name),
  usage: (service) => usageOf(objectOf(service['spec'])),
}

function usageOf(spec: JsonObject): Amounts {
  const ports = listOf(spec['ports']).map(objectOf)
  const balanced = spec['type'] === 'LoadBalancer'
  // As in Kubernetes, where quotas are checked before ports are allocated, each port counts that has a node port or
  // will get one.
  const counted =
    balanced && spec['allocateLoadBalancerNodePorts'] === false
      ? ports.filter(({ nodePort }) => Boolean(nodePort))
      : balanced || spec['type'] === 'NodePort'
        ? ports
        : []
  return new Map([
    ['count/services', countOf(1)],
    ['services', countOf(1)],
    ['services.nodeports', countOf(counted.length)],
    ['services.loadbalancers', countOf(balanced ? 1 : 0)],
  ])
}
