import type { ServedKind } from 'homeostat'

/** The most kinds that one policy is checked for. */
const MOST_KINDS = 10

interface ResourceRule {
  readonly apiGroups?: readonly string[] | undefined
  readonly apiVersions?: readonly string[] | undefined
  readonly resources?: readonly string[] | undefined
}

interface NamedKind {
  readonly apiVersion: string
  readonly kind: string
}

/**
 * The kinds that the rules of a policy name, sorted by group, version and kind. Rules with a `*` for groups or versions name
 * none, and neither do subresources. As in Kubernetes, the empty group stands for all groups that serve such a resource.
 */
export function matchedKinds(rules: readonly ResourceRule[], served: readonly ServedKind[]): NamedKind[] {
  const found = new Map<string, ServedKind['kind']>()
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((text) => text.includes('*'))) continue
    const named = resources.filter((resource) => !/[*/]/.test(resource)).sort()
    let count = 0
    for (const group of [...apiGroups].sort()) {
      for (const version of [...apiVersions].sort()) {
        for (const resource of named) {
          for (const kind of kindsOf(group, version, resource, served)) {
            found.set(`${kind.group}/${kind.version}/${kind.kind}`, kind)
            count += 1
            if (count === MOST_KINDS) return sorted(found.values())
          }
        }
      }
    }
  }
  return sorted(found.values())
}

function kindsOf(
  group: string,
  version: string,
  resource: string,
  served: readonly ServedKind[],
): ServedKind['kind'][] {
  const all = served.map(({ kind }) => kind)
  const named = all.filter((kind) => kind.version === version && kind.plural === resource)
  return group === '' ? named : named.filter((kind) => kind.group === group)
}

function sorted(kinds: Iterable<ServedKind['kind']>): NamedKind[] {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return [...kinds]
    .sort((a, b) => order(a.group, b.group) || order(a.version, b.version) || order(a.kind, b.kind))
    .map(({ group, version, kind }) => ({
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
    }))
}
