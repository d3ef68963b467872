import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { isSidecar, shouldRestart } from '../container/index.ts'

/** The state, besides the Pod in the API, that decides the phase of the Pod. */
export interface PhaseView {
  readonly initContainers: readonly CoreV1.ContainerStatus[]
  readonly containers: readonly CoreV1.ContainerStatus[]
  /** Whether the Pod was ended, or has exceeded its deadline, so that nothing will start again. */
  readonly ending: boolean
  /** Why the node itself ended it. */
  readonly reason?: string | undefined
}

type Spec = DeepReadonly<CoreV1.Container>

type Phase = NonNullable<Pod['status']['phase']>

/** The phase of a Pod. It never leaves `Succeeded` or `Failed`. */
export function podPhase(pod: Pod, view: PhaseView): Phase {
  const before = pod.status.phase
  if (before === 'Succeeded' || before === 'Failed') return before
  if (view.ending && view.reason !== undefined) return 'Failed'
  const init = initPhase(pod, view)
  if (init !== undefined) return init
  const beside = sidecarsOf(pod, view)
  const counted = [...beside, ...view.containers]
  const waiting = counted.some(({ state, lastState }) => state?.waiting && !lastState?.terminated)
  if (waiting && !view.ending) return 'Pending'
  if (counted.some(({ state }) => state?.running)) return 'Running'
  return endPhase(pod, view)
}

/** The phase of a Pod whose init containers are not done, or have failed permanently. */
function initPhase(pod: Pod, view: PhaseView): Phase | undefined {
  // Once one of the main containers has run, a restarted sidecar does not change the phase.
  const begun = view.containers.some((status) => status.state?.running ?? exitOf(status))
  const specs: readonly Spec[] = pod.spec.initContainers ?? []
  let pending = false
  for (const spec of specs) {
    const status = view.initContainers.find(({ name }) => name === spec.name)
    const exit = exitOf(status)
    if (isSidecar(spec)) {
      pending ||= !begun && exit === undefined && status?.started !== true
    } else if (exit === undefined) {
      pending = true
    } else if (exit.exitCode !== 0) {
      if (view.ending || !shouldRestart(pod, spec, exit.exitCode, true)) return 'Failed'
      pending = true
    }
  }
  if (!pending) return undefined
  return view.ending ? 'Failed' : 'Pending'
}

/** The phase of a Pod without running containers. */
function endPhase(pod: Pod, view: PhaseView): Phase {
  const exits = view.containers.map((status) => exitOf(status))
  const succeeded = exits.every((exit) => exit?.exitCode === 0)
  const again = pod.spec.containers.some((spec, index) => {
    const exit = exits[index]
    return exit === undefined || shouldRestart(pod, spec, exit.exitCode, false)
  })
  if (again && !view.ending) return 'Running'
  return succeeded ? 'Succeeded' : 'Failed'
}

function sidecarsOf(pod: Pod, view: PhaseView): CoreV1.ContainerStatus[] {
  const names = new Set((pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name))
  return view.initContainers.filter(({ name }) => names.has(name))
}

function exitOf(status: CoreV1.ContainerStatus | undefined): CoreV1.ContainerStateTerminated | undefined {
  return status?.state?.terminated ?? (status?.state?.waiting ? status.lastState?.terminated : undefined)
}
