import { apiVersionOf, type AnyKind } from '@homeostat/api'
import type { Controller, Operator } from 'homeostat'

/** How a part of an operator uses a kind. */
export type Relation = 'reconciles' | 'owns' | 'watches' | 'reads' | 'writes' | 'admits' | 'converts'

/** One line of the graph: a controller, runnable or webhook, and a kind. */
export interface GraphEdge {
  readonly from: string
  readonly relation: Relation
  /** `Deployment.apps/v1`, or `Pod.v1`. */
  readonly kind: string
  /** How it writes: `apply`, `status.apply`. */
  readonly verbs?: readonly string[] | undefined
  /** `metadata` for `metadataOnly(Kind)`: it uses the metadata of the objects, and nothing else of them. */
  readonly content?: 'metadata' | undefined
}

/** Which part of an operator reconciles, owns, watches and writes what. */
export interface OperatorGraph {
  readonly operator: string
  /** The kinds that the operator defines. */
  readonly kinds: readonly string[]
  readonly edges: readonly GraphEdge[]
}

const ROLES = { for: 'reconciles', owns: 'owns', watches: 'watches' } as const

/** The graph of an operator, from what its parts declare. */
export function operatorGraph(operator: Operator): OperatorGraph {
  const access = operator.runnables.flatMap(({ name, access: declared = [] }) =>
    declared.map(({ kind, verbs }) => accessEdge(name, kind, verbs)),
  )
  return {
    operator: operator.name,
    kinds: operator.kinds.map(kindName),
    edges: merged([...operator.controllers.flatMap(controllerEdges), ...access, ...webhookEdges(operator)]),
  }
}

/** The details of a line of the graph, which follow its relation or its kind. */
export function detailsOf({ verbs = [], content }: GraphEdge): readonly string[] {
  return content === 'metadata' ? ['metadata only', ...verbs] : verbs
}

/** `writes: apply`, `watches: metadata only`. */
export function labelOf(edge: GraphEdge): string {
  const details = detailsOf(edge)
  return details.length > 0 ? `${edge.relation}: ${details.join(', ')}` : edge.relation
}

/** One edge for each part, relation, kind and content, with all verbs. */
function merged(edges: readonly GraphEdge[]): GraphEdge[] {
  const groups = Map.groupBy(
    edges,
    ({ from, relation, kind, content }) => `${from} ${relation} ${kind} ${content}`,
  )
  return [...groups.values()].map((same) => {
    const verbs = [...new Set(same.flatMap((edge) => edge.verbs ?? []))]
    return { ...same[0]!, ...(verbs.length > 0 ? { verbs } : {}) }
  })
}

function controllerEdges({ name, watches, access }: Controller): GraphEdge[] {
  const watched = watches.flatMap((watch): GraphEdge[] =>
    'kind' in watch ? [{ from: name, relation: ROLES[watch.role], ...nameAndContent(watch.kind) }] : [],
  )
  return [...watched, ...access.map(({ kind, verbs }) => accessEdge(name, kind, verbs))]
}

function accessEdge(from: string, kind: AnyKind, verbs: readonly string[]): GraphEdge {
  const writes = verbs.filter((verb) => verb !== 'read')
  return writes.length === 0
    ? { from, relation: 'reads', ...nameAndContent(kind) }
    : { from, relation: 'writes', kind: kindName(kind), verbs: writes }
}

function webhookEdges({ webhooks }: Operator): GraphEdge[] {
  return webhooks
    .flatMap(({ endpoints }) => endpoints)
    .flatMap((endpoint): GraphEdge[] => {
      const from = `webhook ${endpoint.path}`
      if ('rules' in endpoint) {
        const rules = endpoint.rules as readonly {
          readonly apiGroups: readonly string[]
          readonly apiVersions: readonly string[]
          readonly resources: readonly string[]
        }[]
        return rules.flatMap(({ apiGroups, apiVersions, resources }) =>
          resources.map((resource) => ({
            from,
            relation: 'admits' as const,
            kind: `${[resource, apiGroups.join('|')].filter(Boolean).join('.')}/${apiVersions.join('|')}`,
          })),
        )
      }
      if (!('converters' in endpoint)) return []
      const converters = endpoint.converters as readonly { readonly stored: AnyKind }[]
      return converters.map(({ stored }) => ({ from, relation: 'converts' as const, kind: kindName(stored) }))
    })
}

function nameAndContent(kind: AnyKind): Pick<GraphEdge, 'kind' | 'content'> {
  const isMetadata = 'metadataOnly' in kind && kind.metadataOnly === true
  return { kind: kindName(kind), ...(isMetadata ? { content: 'metadata' } : {}) }
}

function kindName(kind: AnyKind): string {
  const [group, version] = [kind.group, kind.version]
  return group ? `${kind.kind}.${group}/${version}` : `${kind.kind}.${apiVersionOf(kind)}`
}
