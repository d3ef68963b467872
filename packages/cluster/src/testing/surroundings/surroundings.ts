import { apiVersionOf, checkOptionNames, optionNames, type AnyKind, type Kind } from '@homeostat/api'
import { Deployment, Pod } from '@homeostat/api/kinds'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  directTransport,
  Manager,
  silentLogger,
  type KindFinder,
  type ServedKind,
  type Transport,
} from 'homeostat'
import { workloadControllers } from '../../controllers/index.ts'
import { garbageCollector, type FollowAllKinds } from '../../garbage-collector/index.ts'
import { nextDeploymentStatus } from './simulated-deployments.ts'
import { nextPodStatus, type PodBehaviour } from './simulated-pods.ts'
import { simulateStatus } from './simulated-status.ts'

/** Options of the simulated cluster around an operator. */
export interface SurroundingsOptions {
  /** The kinds whose workloads get Pods, and whose objects are collected as garbage. */
  readonly kinds: readonly AnyKind[]
  /** How Pods behave; this may change while they run. */
  readonly pods: () => PodBehaviour
  /** Names of controllers that do not run, because the operator under test is one of them. Default: none. */
  readonly without?: readonly string[] | undefined
  /** Stops the controllers. */
  readonly signal: AbortSignal
  /** Wraps the transport of the controllers. Default: none. */
  readonly transport?: ((inner: Transport) => Transport) | undefined
}

const SURROUNDINGS_OPTIONS = optionNames<SurroundingsOptions>('startSurroundings', {
  kinds: true,
  pods: true,
  without: true,
  signal: true,
  transport: true,
})

/**
 * Starts the parts of a cluster that act on objects of these kinds: the garbage collector, the controllers of
 * workloads, and a stand-in for the kubelet of their Pods. Only the needed parts run, which keeps tests fast: if
 * neither Pods nor ReplicaSets are among the kinds, a Deployment gets its status and no Pods.
 */
export function startSurroundings(environment: TestEnvironment, options: SurroundingsOptions): void {
  checkOptionNames(options, SURROUNDINGS_OPTIONS)
  const { kinds, pods, signal, without = [], transport: wrap = (inner) => inner } = options
  const { clock, handler } = environment
  const looksBelow = kinds.some(({ plural }) => plural === 'pods' || plural === 'replicasets')
  const isSimulated = (kind: AnyKind): boolean => !looksBelow && isSame(kind, Deployment)
  const workloads = workloadControllers(kinds.filter((kind) => !isSimulated(kind)))
  const watched = workloads.flatMap(({ watches }) =>
    watches.flatMap((watch) => ('kind' in watch ? [watch.kind] : [])),
  )
  const all = distinct([...kinds, ...watched])
  if (kinds.some(isSimulated)) {
    simulateStatus(environment, Deployment, (deployment) => nextDeploymentStatus(deployment, pods(), clock))
  }
  if (all.some((kind) => isSame(kind, Pod))) {
    simulateStatus(environment, Pod, (pod) => nextPodStatus(pod, pods(), clock))
  }
  const transport = wrap(directTransport(handler, { clock, headers: { 'user-agent': 'surroundings' } }))
  const manager = new Manager({ transport, clock, logger: silentLogger })
  const controllers = [garbageCollector(finderOf(all), followStore(environment, all)), ...workloads]
  manager.add(...controllers.filter(({ name }) => !without.includes(name)))
  // Ignores its failure: the test sees that the cluster does not act.
  manager.start({ signal }).catch(() => {})
}

/** Tells the garbage collector of changes as they are stored. */
function followStore({ objects }: TestEnvironment, kinds: readonly AnyKind[]): FollowAllKinds {
  return async (finder, { signal }, listener) => {
    listener.served?.(await finder.list({ signal }))
    objects.follow(kinds, ({ kind, object, gone }) => {
      if (!signal.aborted) listener.changed(kind, gone ? 'deleted' : 'updated', object)
    })
  }
}

function isSame(one: AnyKind, other: AnyKind): boolean {
  return one.group === other.group && one.plural === other.plural
}

function distinct(kinds: readonly AnyKind[]): AnyKind[] {
  return [...new Map(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind])).values()]
}

/** Finds these kinds and no others, without asking a server. */
function finderOf(kinds: readonly AnyKind[]): KindFinder {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
  const served: ServedKind[] = kinds.map((kind) => ({ kind: kind as Kind, verbs }))
  return {
    list: () => Promise.resolve(served),
    find: (apiVersion, name) =>
      Promise.resolve(
        served.find(({ kind }) => kind.kind === name && apiVersionOf(kind) === apiVersion)?.kind,
      ),
  }
}
