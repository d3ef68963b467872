import { AGE, age, ageOf, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

/** The table of Pods, with the number of ready containers and the state in one word. */
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
  /** When a restarted container last ended. */
  lastRestart: string | undefined
}

function summarize(pod: PrintedObject): Summary {
  const status: PrintedObject = pod.status ?? {}
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

function stateOfPhase(status: PrintedObject): string {
  if (conditionOf(status.conditions, 'PodScheduled')?.reason === 'SchedulingGated') return 'SchedulingGated'
  return status.reason || (status.phase ?? '')
}

/** Counts the restarts of init containers. While one of them has not finished, its state is the Pod's. */
function addInitContainers(pod: PrintedObject, summary: Summary): boolean {
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

function addContainers(pod: PrintedObject, summary: Summary): void {
  const sidecars = sidecarsOf(pod)
  // Once the Pod is initialized, only the restarts of sidecars count.
  summary.restarts = 0
  summary.lastRestart = undefined
  for (const container of pod.status?.initContainerStatuses ?? []) {
    if (sidecars.has(container.name)) countRestarts(container, summary)
  }
  let running = false
  let failure: string | undefined
  // The containers are read from the last to the first, and a later assignment wins: the first container with a
  // reason decides.
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

/** The names of sidecars. */
function sidecarsOf(pod: PrintedObject): ReadonlySet<string> {
  const specs: PrintedObject[] = pod.spec?.initContainers ?? []
  return new Set(specs.filter((spec) => spec.restartPolicy === 'Always').map((spec) => spec.name))
}

function countRestarts(container: PrintedObject, summary: Summary): void {
  summary.restarts += container.restartCount ?? 0
  const ended: string | undefined = container.lastState?.terminated?.finishedAt
  if (ended && (!summary.lastRestart || Date.parse(ended) > Date.parse(summary.lastRestart))) {
    summary.lastRestart = ended
  }
}

/** Why a container ended: its reason, else its signal or exit code. */
function endOf(terminated: PrintedObject): string {
  if (terminated.reason) return terminated.reason
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`
}

function readinessGates(pod: PrintedObject): string {
  const gates: PrintedObject[] = pod.spec?.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const open = gates.filter(
    (gate) => conditionOf(pod.status?.conditions, gate.conditionType)?.status === 'True',
  )
  return `${open.length}/${gates.length}`
}
