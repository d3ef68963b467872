import { HomeostatError } from '@homeostat/api'
import type { ClusterNode, ClusterOptions } from './cluster-options.ts'
import { MOST_NODES } from './network/index.ts'

const ONLY = 'homeostat'
/** The form of a node's name in Kubernetes. The name is also that of a folder. */
const NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/

/**
 * The nodes of the option. Fails with `NODES_INVALID` where there are none or too many, or where a name is
 * duplicated.
 */
export function clusterNodes(nodes: ClusterOptions['nodes'] = 1): ClusterNode[] {
  if (typeof nodes === 'number') {
    if (!Number.isInteger(nodes) || nodes < 1) throw invalid(`${nodes} is not a number of nodes`)
    if (nodes > MOST_NODES) throw invalid(`${nodes} nodes are too many`)
    return Array.from({ length: nodes }, (_, index) => ({
      name: nodes === 1 ? ONLY : `${ONLY}-${index + 1}`,
    }))
  }
  const list = nodes.map((node) => (typeof node === 'string' ? { name: node } : node))
  if (list.length === 0) throw invalid('a cluster needs at least one node')
  if (list.length > MOST_NODES) throw invalid(`${list.length} nodes are too many`)
  const seen = new Set<string>()
  for (const { name } of list) {
    if (name.length > 253 || !NAME.test(name)) {
      throw invalid(
        `${JSON.stringify(name)} is not a valid name for a node: use lower-case letters, digits, "-" and "."`,
      )
    }
    if (seen.has(name)) throw invalid(`the node ${name} is listed twice`)
    seen.add(name)
  }
  return list
}

function invalid(what: string): HomeostatError {
  return new HomeostatError(
    'NODES_INVALID',
    `nodes: ${what}. Give a number from 1 to ${MOST_NODES}, or as many different names`,
  )
}
