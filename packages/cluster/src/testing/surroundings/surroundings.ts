import { apiVersionOf, checkOptionNames, optionNames, type AnyKind, type Kind } from '@homeostat/api'
import { Deployment, Pod } from '@homeostat/api/kinds'
import type { Controller, KindFinder, ServedKind } from 'homeostat'
import { workloadControllers } from '../../controllers/index.ts'
import { garbageCollector } from '../../garbage-collector/index.ts'
import { simulatedDeployments } from './simulated-deployments.ts'
import { simulatedPods, type PodBehaviour } from './simulated-pods.ts'

/** Options of the controllers that simulate the cluster around an operator. */
export interface SurroundingsOptions {
  /** The kinds whose workloads get Pods, and whose objects are collected as garbage. */
  readonly kinds: readonly AnyKind[]
  /** How Pods behave; this may change while they run. */
  readonly pods: () => PodBehaviour
}

const SURROUNDINGS_OPTIONS = optionNames<SurroundingsOptions>('surroundings', { kinds: true, pods: true })

/**
 * The controllers that a cluster would run for objects of these kinds: the garbage collector, those of workloads,
 * and one that simulates the kubelet for their Pods. Only the needed controllers run, which keeps tests fast: a
 * Deployment gets its status and no Pods if neither Pods nor ReplicaSets are among the kinds.
 */
export function surroundings(options: SurroundingsOptions): Controller[] {
  checkOptionNames(options, SURROUNDINGS_OPTIONS)
  const { kinds, pods } = options
  const looksBelow = kinds.some(({ plural }) => plural === 'pods' || plural === 'replicasets')
  const isSimulated = ({ group, plural }: AnyKind): boolean =>
    !looksBelow && group === Deployment.group && plural === Deployment.plural
  const workloads = [
    ...workloadControllers(kinds.filter((kind) => !isSimulated(kind))),
    ...(kinds.some(isSimulated) ? [simulatedDeployments(pods)] : []),
  ]
  const watched = workloads.flatMap(({ watches }) =>
    watches.flatMap((watch) => ('kind' in watch ? [watch.kind] : [])),
  )
  const all = distinct([...kinds, ...watched])
  const hasPods = all.some(({ group, plural }) => group === Pod.group && plural === Pod.plural)
  return [garbageCollector(finderOf(all)), ...workloads, ...(hasPods ? [simulatedPods(pods)] : [])]
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
