import { apiVersionOf, type AnyKind } from '@homeostat/api'
import type { Controller } from 'homeostat'
import type { KindName } from '../recording/index.ts'

/** The kinds that controllers reconcile, and those that they own, each once. */
export function namesOf(controllers: readonly Controller[]): readonly KindName[] {
  const kinds = controllers.flatMap(({ kind, watches }) => [
    ...(kind ? [kind] : []),
    ...watches.flatMap((watch) => (watch.role === 'owns' ? [watch.kind] : [])),
  ])
  return [...new Map(kinds.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, nameOf(kind)])).values()]
}

function nameOf(kind: AnyKind): KindName {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind }
}
