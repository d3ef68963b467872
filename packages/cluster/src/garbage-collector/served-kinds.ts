import { parseApiVersion, type AnyKind, type OwnerReference } from '@homeostat/api'
import type { ServedKind } from 'homeostat'

/** The kinds whose objects can be listed, watched and deleted, each in its preferred version. */
export function collectable(kinds: readonly ServedKind[]): AnyKind[] {
  const preferred = new Map<string, AnyKind>()
  for (const { kind, verbs } of kinds) {
    const name = `${kind.group}/${kind.plural}`
    if (!preferred.has(name) && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb))) {
      preferred.set(name, kind)
    }
  }
  return [...preferred.values()]
}

/** The kind that an owner reference names; in another version if that one is not served. */
export function kindOfOwner(
  kinds: readonly ServedKind[],
  owner: Pick<OwnerReference, 'apiVersion' | 'kind'>,
): AnyKind | undefined {
  const { group, version } = parseApiVersion(owner.apiVersion)
  const named = kinds.filter(({ kind }) => kind.group === group && kind.kind === owner.kind)
  return (named.find(({ kind }) => kind.version === version) ?? named[0])?.kind
}
