import { deepEqual, type AnyKind } from '@homeostat/api'
import { ResourceQuota } from '@homeostat/api/kinds'
import { countsTowardsQuota, quotaUsage } from '@homeostat/apiserver'
import {
  controller,
  isConflict,
  isNotFound,
  type Client,
  type Controller,
  type ExternalEvent,
  type KindFinder,
  type Source,
} from 'homeostat'
import { collectable, watchAllKinds } from '../../garbage-collector/index.ts'

/** How often usage is counted again without a change, as in Kubernetes. */
const RESYNC = '5m'

/**
 * Counts what the objects of a namespace use of its ResourceQuotas. The API server counts new objects when it
 * stores them. This controller counts all objects when a quota is created or changes, and the remaining ones when
 * objects end or are deleted.
 *
 * It reads the quota, then the objects, from the server, and writes the status in the version that it read: an
 * object that was stored meanwhile has changed that version, so the write fails and is repeated. So no object is
 * missed.
 */
export function quotaController(kinds: KindFinder): Controller {
  return controller('resource-quota-controller')
    .for(ResourceQuota)
    .watches(changedIn(kinds), async (namespace, { client }) => {
      const quotas = await client.list(ResourceQuota, { namespace })
      return quotas.map(({ metadata }) => ({ namespace, name: metadata.name }))
    })
    .options({ maxConcurrentReconciles: 5 })
    .reconcile(async (request, { client, clock }) => {
      const quota = await client.live.get(ResourceQuota, request)
      if (!quota || quota.metadata.deletionTimestamp) return undefined
      const spec = quota.spec ?? {}
      const hard = spec.hard ?? {}
      const lists = await listsFor(spec, request.namespace, kinds, client)
      const known = Object.entries(quota.status?.used ?? {}).filter(([name]) => Object.hasOwn(hard, name))
      const used = { ...Object.fromEntries(known), ...quotaUsage(spec, lists, clock.now()) }
      const status = { hard, used }
      if (deepEqual(status, quota.status)) return { requeueAfter: RESYNC }
      try {
        await client.status.update(ResourceQuota, { ...quota, status })
      } catch (error) {
        if (isNotFound(error)) return undefined
        if (isConflict(error)) return { requeueAfter: 0 }
        throw error
      }
      return { requeueAfter: RESYNC }
    })
}

/** All objects of a namespace that may count. */
async function listsFor(
  spec: object,
  namespace: string,
  kinds: KindFinder,
  client: Client,
): Promise<{ resource: AnyKind; objects: readonly object[] }[]> {
  const counted = collectable(await kinds.list()).filter(
    (kind) => kind.scope === 'Namespaced' && countsTowardsQuota(spec, kind),
  )
  return Promise.all(
    counted.map(async (kind) => ({
      resource: kind,
      objects: await client.live.list(kind, { namespace }),
    })),
  )
}

/** The namespaces in which an object may use less than before. */
function changedIn(kinds: KindFinder): Source<ExternalEvent<string>> {
  return {
    name: 'objects of all kinds that use less of a quota',
    start: (context, emit) =>
      watchAllKinds(kinds, context, {
        changed(kind, type, { metadata }) {
          const { namespace } = metadata
          if (!namespace || (type !== 'deleted' && !(type === 'updated' && isMeasured(kind)))) return
          emit({ value: namespace })
        },
      }),
  }
}

/** Whether objects of the kind may use more or less while they exist. */
function isMeasured({ group, plural }: AnyKind): boolean {
  return group === '' && ['pods', 'services', 'persistentvolumeclaims'].includes(plural)
}
