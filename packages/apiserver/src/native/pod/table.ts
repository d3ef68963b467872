import { AGE, age, ageOf, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, Stored } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

/** Pods: how many containers are ready, and in one word what state the Pod is in. */
export const podPrinter: Printer = {
  columns: [
    NAME,
    column('Ready'),
    column('Status'),
    column('Restarts'),
    AGE,
    wide('IP'),
    wide('Node'),
    wide('Nominated Node'),
    wide('Readiness Gates'),
  ],
  cells(pod, now) {
    const summary = summarize(pod)
    const restarts =
      summary.restarts > 0 && summary.lastRestart !== undefined
        ? `${summary.restarts} (${ageOf(summary.lastRestart, now)} ago)`
        : String(summary.restarts)
    return [
      nameOf(pod),
      `${summary.ready}/${summary.total}`,
      summary.state,
      restarts,
      age(pod, now),
      pod.status?.podIPs?.[0]?.ip || '<none>',
      pod.spec?.nodeName || '<none>',
      pod.status?.nominatedNodeName || '<none>',
      readinessGates(pod),
    ]
  },
  conditions(pod) {
    const phase = pod.status?.phase
    if (phase === 'Succeeded') return [completed(phase, 'The pod has completed successfully.')]
    return phase === 'Failed' ? [completed(phase, 'The pod failed.')] : undefined
  },
}

function completed(reason: string, message: string) {
  return { type: 'Completed', status: 'True', reason, message } as const
}

interface Summary {
  state: string
  ready: number
  total: number
  restarts: number
  /** When a container that has been restarted last ended. */
  lastRestart: string | undefined
}

function summarize(pod: Stored): Summary {
  const status: Stored = pod.status ?? {}
  const summary: Summary = {
    state: stateOfPhase(status),
    ready: 0,
    total: (pod.spec?.containers ?? []).length,
    restarts: 0,
    lastRestart: undefined,
  }
  const stillInitializing = addInitContainers(pod, summary)
  if (!stillInitializing || conditionOf(status.conditions, 'Initialized')?.status === 'True') {
    addContainers(pod, summary)
  }
  if (pod.metadata?.deletionTimestamp) {
    if (status.reason === 'NodeLost') summary.state = 'Unknown'
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.state = 'Terminating'
  }
  return summary
}

function stateOfPhase(status: Stored): string {
  if (conditionOf(status.conditions, 'PodScheduled')?.reason === 'SchedulingGated') return 'SchedulingGated'
  return status.reason || (status.phase ?? '')
}

/** Counts init containers, and says whether one of them still holds up the Pod: its state is then the Pod's. */
function addInitContainers(pod: Stored, summary: Summary): boolean {
  const sidecars = sidecarsOf(pod)
  summary.total += sidecars.size
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    countRestarts(container, summary)
    const { terminated, waiting } = container.state ?? {}
    if (terminated && terminated.exitCode === 0) continue
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) summary.ready++
      continue
    }
    if (terminated) summary.state = `Init:${endOf(terminated)}`
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.state = `Init:${waiting.reason}`
    else summary.state = `Init:${index}/${(pod.spec?.initContainers ?? []).length}`
    return true
  }
  return false
}

function addContainers(pod: Stored, summary: Summary): void {
  const sidecars = sidecarsOf(pod)
  // Init containers that have done their work no longer count among the restarts; those that stay do.
  summary.restarts = 0
  summary.lastRestart = undefined
  for (const container of pod.status?.initContainerStatuses ?? []) {
    if (sidecars.has(container.name)) countRestarts(container, summary)
  }
  let running = false
  let failure: string | undefined
  // The last container that has something to say decides, so the first does in the order of the Pod.
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    countRestarts(container, summary)
    const { terminated, waiting, running: runs } = container.state ?? {}
    if (waiting?.reason) {
      summary.state = waiting.reason
    } else if (terminated) {
      summary.state = endOf(terminated)
      if (terminated.exitCode !== 0) failure = summary.state
    } else if (container.ready && runs) {
      running = true
      summary.ready++
    }
  }
  if (summary.state !== 'Completed') return
  if (running && conditionOf(pod.status?.conditions, 'Ready')?.status === 'True') summary.state = 'Running'
  else if (failure !== undefined) summary.state = failure
  else if (running) summary.state = 'NotReady'
}

/** The names of the init containers that go on running beside the others. */
function sidecarsOf(pod: Stored): ReadonlySet<string> {
  const specs: Stored[] = pod.spec?.initContainers ?? []
  return new Set(specs.filter((spec) => spec.restartPolicy === 'Always').map((spec) => spec.name))
}

function countRestarts(container: Stored, summary: Summary): void {
  summary.restarts += container.restartCount ?? 0
  const ended: string | undefined = container.lastState?.terminated?.finishedAt
  if (ended && (!summary.lastRestart || Date.parse(ended) > Date.parse(summary.lastRestart))) {
    summary.lastRestart = ended
  }
}

/** Why a container ended: its reason, else its signal or exit code. */
function endOf(terminated: Stored): string {
  if (terminated.reason) return terminated.reason
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`
}

function readinessGates(pod: Stored): string {
  const gates: Stored[] = pod.spec?.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const open = gates.filter(
    (gate) => conditionOf(pod.status?.conditions, gate.conditionType)?.status === 'True',
  )
  return `${open.length}/${gates.length}`
}
