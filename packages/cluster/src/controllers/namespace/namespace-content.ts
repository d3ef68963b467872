import type { AnyKind, KubernetesObject } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import { isKindNotServed, type Client } from 'homeostat'

/** The objects of one kind that are left in a namespace after all were deleted. */
export interface Leftover {
  readonly count: number
  readonly finalizers: ReadonlyMap<string, number>
  /** After how many seconds the rest may be gone. */
  readonly estimate: number
}

/** How long a controller may take to remove its finalizer, in seconds. */
const FINALIZER_ESTIMATE = 15
const NOTHING: Leftover = { count: 0, finalizers: new Map(), estimate: 0 }

/**
 * Deletes all objects of a kind in a namespace, and returns what is left: objects with finalizers, and Pods that are
 * still ending. Throws when objects are left without such a reason.
 */
export async function emptyKind(
  kind: AnyKind,
  namespace: { readonly name: string; readonly deletedAt: number },
  client: Client,
  now: number,
): Promise<Leftover> {
  const list = (): Promise<readonly KubernetesObject[]> => listAll(kind, namespace.name, client)
  const before = await list()
  if (before.length === 0) return NOTHING
  const estimate = graceOf(before, kind, now - namespace.deletedAt)
  await client.deleteAllOf(kind, { namespace: namespace.name, propagation: 'Background' })
  const after = await list()
  if (after.length === 0) return NOTHING
  const finalizers = new Map<string, number>()
  for (const name of after.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
    finalizers.set(name, (finalizers.get(name) ?? 0) + 1)
  }
  if (estimate === 0 && finalizers.size === 0) {
    const resource = `${kind.group}/${kind.version}, Resource=${kind.plural}`
    throw new Error(`unexpected items still remain in namespace: ${namespace.name} for gvr: ${resource}`)
  }
  return { count: after.length, finalizers, estimate: estimate || FINALIZER_ESTIMATE }
}

async function listAll(
  kind: AnyKind,
  namespace: string,
  client: Client,
): Promise<readonly KubernetesObject[]> {
  try {
    return (await client.live.list(kind, { namespace })) as readonly KubernetesObject[]
  } catch (error) {
    // Its definition has just been deleted, and all its objects with it.
    if (isKindNotServed(error)) return []
    throw error
  }
}

/** How much longer Pods may take to end, in seconds. */
function graceOf(objects: readonly KubernetesObject[], kind: AnyKind, passed: number): number {
  if (kind.group !== '' || kind.plural !== 'pods') return 0
  const graces = (objects as unknown as readonly Pod[])
    .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .map(({ spec }) => spec.terminationGracePeriodSeconds ?? 0)
  const longest = Math.max(0, ...graces)
  return passed >= longest * 1_000 ? 0 : longest
}
