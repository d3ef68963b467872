import { deepEqual, type AnyKind } from '@homeostat/api'
import { Namespace } from '@homeostat/api/kinds'
import {
  controller,
  isConflict,
  isNotFound,
  type Client,
  type Controller,
  type ExternalEvent,
  type KindFinder,
  type ReconcileContext,
  type Result,
  type Source,
} from 'homeostat'
import { collectable, watchAllKinds } from '../../garbage-collector/index.ts'
import { failureText } from '../objects/failure-text.ts'
import { namespaceConditions, type Obstacles } from './namespace-conditions.ts'
import { emptyKind, type Leftover } from './namespace-content.ts'

/** The name of the controller that empties namespaces. */
export const NAMESPACE_CONTROLLER = 'namespace-controller'

/** The finalizer in a namespace's spec that this controller removes. */
const CONTENT_FINALIZER = 'kubernetes'

/**
 * Deletes the objects of all kinds, custom ones included, in namespaces that are being deleted, and removes the
 * finalizer when nothing is left. Pods are deleted first, so that they keep what they need until they have ended. The
 * namespace's conditions show what it waits for.
 */
export function namespaceController(kinds: KindFinder): Controller {
  return (
    controller(NAMESPACE_CONTROLLER)
      .for(Namespace, { predicate: ({ object }) => object.metadata.deletionTimestamp !== undefined })
      // The remaining objects may be gone now.
      .watches(goneFrom(kinds), async (name, { client }) => {
        const namespace = await client.get(Namespace, { name })
        return namespace?.metadata.deletionTimestamp ? { name } : undefined
      })
      .options({ maxConcurrentReconciles: 5 })
      .reconcile(async ({ name }, context) => {
        const namespace = await context.client.live.get(Namespace, { name })
        if (!namespace?.metadata.deletionTimestamp) return undefined
        if ((namespace.spec.finalizers ?? []).length === 0) return undefined
        return empty(namespace, kinds, context)
      })
  )
}

async function empty(namespace: Namespace, kinds: KindFinder, context: ReconcileContext): Promise<Result> {
  const { client, clock } = context
  const content = await emptyNamespace(namespace, kinds, context)
  const conditions = namespaceConditions(namespace.status.conditions, content.obstacles, clock.now())
  let current = namespace
  if (!deepEqual(conditions, namespace.status.conditions)) {
    current = await client.status.update(Namespace, {
      ...namespace,
      status: { ...namespace.status, conditions },
    })
  }
  if (content.problem !== undefined) throw content.problem
  if (content.estimate > 0) return { requeueAfter: (Math.floor(content.estimate / 2) + 1) * 1_000 }
  await finalize(current, client)
  return undefined
}

/** The result of deleting the content. */
interface Content {
  readonly obstacles: Obstacles
  /** After how many seconds the remaining objects may be gone; 0 when none are left. */
  readonly estimate: number
  readonly problem?: unknown
}

async function emptyNamespace(
  { metadata }: Namespace,
  finder: KindFinder,
  { client, clock }: ReconcileContext,
): Promise<Content> {
  const namespace = { name: metadata.name, deletedAt: Date.parse(metadata.deletionTimestamp ?? '') }
  const failures: string[] = []
  const remaining = new Map<string, number>()
  const finalizers = new Map<string, number>()
  let estimate = 0
  let problem: unknown
  const deleteAll = async (kind: AnyKind): Promise<Leftover | undefined> => {
    try {
      const left = await emptyKind(kind, namespace, client, clock.now())
      estimate = Math.max(estimate, left.estimate)
      if (left.count > 0) remaining.set(`${kind.plural}.${kind.group}`, left.count)
      for (const [name, count] of left.finalizers) finalizers.set(name, (finalizers.get(name) ?? 0) + count)
      return left
    } catch (error) {
      problem ??= error
      failures.push(failureText(error))
      return undefined
    }
  }
  let kinds: readonly AnyKind[] = []
  let discovery: string | undefined
  try {
    kinds = collectable(await finder.list()).filter(({ scope }) => scope === 'Namespaced')
  } catch (error) {
    problem = error
    discovery = failureText(error)
  }
  const isPods = (kind: AnyKind): boolean => kind.group === '' && kind.plural === 'pods'
  for (const kind of kinds.filter(isPods)) {
    const left = await deleteAll(kind)
    if (left && left.count > 0) {
      // The other objects wait for them, and until then count as neither left nor held.
      const obstacles = { discovery, failures, remaining: new Map(), finalizers: new Map() }
      return { obstacles, estimate, problem }
    }
  }
  await Promise.all(kinds.filter((kind) => !isPods(kind)).map(deleteAll))
  return { obstacles: { discovery, failures, remaining, finalizers }, estimate, problem }
}

/** Removes this controller's finalizer. The server removes the namespace with its last finalizer. */
async function finalize(namespace: Namespace, client: Client): Promise<void> {
  const finalizers = (namespace.spec.finalizers ?? []).filter((one) => one !== CONTENT_FINALIZER)
  const body = { ...namespace, spec: { ...namespace.spec, finalizers } }
  try {
    await client.subresource('finalize').update(Namespace, { name: namespace.metadata.name }, body)
  } catch (error) {
    if (isNotFound(error)) return
    // A client changed it meanwhile: the change causes the next reconcile.
    if (!isConflict(error)) throw error
  }
}

/** The namespaces from which an object was deleted. */
function goneFrom(kinds: KindFinder): Source<ExternalEvent<string>> {
  return {
    name: 'deleted objects of all kinds',
    start: (context, emit) =>
      watchAllKinds(kinds, context, {
        changed(_kind, type, { metadata }) {
          if (type === 'deleted' && metadata.namespace) emit({ value: metadata.namespace })
        },
      }),
  }
}
