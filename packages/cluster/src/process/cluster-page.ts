import type { ObjectOf } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import type { KindName } from '@homeostat/dashboard'
import { InformerCache, silentLogger, type Activity } from 'homeostat'
import type { Cluster } from '../cluster.ts'

/** The kinds at the top of the tree, besides custom ones. The page shows the objects that belong to them below them. */
const WORKLOADS: readonly KindName[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  { apiVersion: 'batch/v1', kind: 'CronJob' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'Pod' },
  { apiVersion: 'v1', kind: 'Service' },
]

/** The kinds that operators commonly create for their objects. */
const OWNED: readonly KindName[] = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
]

/** A page that shows the workloads and custom objects of a cluster, and what its own controllers do. */
export async function servePage(
  { transport, clock }: Cluster,
  { activity, port }: { readonly activity: Activity; readonly port: number },
): Promise<AsyncDisposable & { readonly address: string }> {
  await using opening = new AsyncDisposableStack()
  const { Dashboard } = await import('@homeostat/dashboard')
  const page = opening.use(await Dashboard.start({ transport, clock, port }))
  const custom = new Map<string, KindName>()
  const tell = (): void =>
    page.operatorStarted({ name: 'cluster', kinds: [...custom.values(), ...WORKLOADS], owned: OWNED })
  tell()
  opening.use(page.follow(activity))
  const cache = new InformerCache({ transport, clock, logger: silentLogger })
  opening.defer(() => cache.stop())
  cache.informer(CustomResourceDefinition).listen(({ type, object }) => {
    const name = kindOf(object)
    if (type === 'deleted') custom.delete(object.metadata.name)
    else if (name && !custom.has(object.metadata.name)) custom.set(object.metadata.name, name)
    else return
    tell()
  })
  const { address } = page
  const opened = opening.move()
  return { address, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The version that is stored, which is served unless the definition is being replaced. */
function kindOf({ spec }: ObjectOf<typeof CustomResourceDefinition>): KindName | undefined {
  const version = spec.versions.find(({ served, storage }) => served && storage)
  return version && { apiVersion: `${spec.group}/${version.name}`, kind: spec.names.kind }
}
