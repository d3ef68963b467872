import { firstCodePlace, milliseconds } from '@homeostat/api'
import { nameOf, REST_DURATION, type Story } from '../stories/index.ts'
import { lineOf, type MachineUse, type Outcome } from '../world/index.ts'
import { judgeInvariants } from './declared.ts'
import { says } from './fact.ts'
import { failureOf } from './failures.ts'
import type { Finding } from './finding.ts'

/** The faults of a run without a reference. */
export interface AloneJudgement {
  readonly finding: Finding
  /** Whether it has no state at rest with which others could be compared. */
  readonly isUnsettled: boolean
}

export function judgeAlone(story: Story, outcome: Outcome): AloneJudgement | undefined {
  const { failure, changedByRestart } = outcome
  const isChanged = changedByRestart.length > 0
  if (failure) return { finding: failureOf(story, outcome), isUnsettled: true }
  const endless = endlessReconcile(story, outcome)
  if (endless) return { finding: endless, isUnsettled: true }
  const resting = writesAtRest(story, outcome)
  const finding = judgeInvariants(story, outcome) ?? lastError(story, outcome) ?? resting
  return finding && { finding, isUnsettled: finding === resting && isChanged }
}

/** How long a reconcile may last that is still under way at the end, in simulated milliseconds. */
const LONGEST_RECONCILE = milliseconds(REST_DURATION)

/** A reconcile that waits inside for an event that never comes. */
export function endlessReconcile(story: Story, { reports, requests }: Outcome): Finding | undefined {
  const waiting = reports.find(
    ({ result, duration }) => result === 'abandoned' && duration >= LONGEST_RECONCILE,
  )
  if (!waiting) return undefined
  const request = requests.findLast(({ reconcile }) => reconcile === waiting.reconcileID)
  return {
    class: 'never-ends',
    ...says({
      fact: 'long reconcile',
      controller: waiting.controller,
      name: waiting.request.name,
      minutes: Math.floor(waiting.duration / 60_000),
    }),
    story,
    differences: [],
    line: request && lineOf(request),
    root: 'never-ends ',
  }
}

function lastError(story: Story, { reports }: Outcome): Finding | undefined {
  const last = reports.at(-1)
  if (last?.error !== undefined && (last.result === 'error' || last.result === 'terminal')) {
    const message = last.error instanceof Error ? last.error.message : JSON.stringify(last.error)
    return {
      class: 'always-fails',
      ...says({ fact: 'reconcile fails', controller: last.controller, name: last.request.name, message }),
      story,
      differences: [],
      root: `always-fails ${last.controller} ${message}`,
    }
  }
  return undefined
}

/** Kinds whose status changes after the operator has written them. */
const WORKLOADS: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Pod',
])

/**
 * The writes of a new process although nothing has happened. An update that changes nothing counts: its sender took
 * equal values for different ones. An apply states the desired fields, and may be sent again. If a second new process
 * changes nothing more, the first one only did what the operator had missed.
 */
function writesAtRest(
  story: Story,
  { waitedForWork, changedByRestart, isSettledByRestart, sentByRestart, objects }: Outcome,
): Finding | undefined {
  const wait: Story = waitedForWork > 0 ? [{ step: 'wait', duration: `${waitedForWork}ms` }] : []
  const restart: Story = [...story, ...wait, { step: 'stop' }, { step: 'start' }]
  const [changed] = changedByRestart
  const finding = { class: 'writes-at-rest', story: restart, differences: [] } as const
  if (changed) {
    const request = sentByRestart.findLast(
      ({ path, method }) => method !== 'GET' && path.includes(changed.name),
    )
    if (isSettledByRestart && objects.some(({ kind }) => WORKLOADS.has(kind))) {
      return {
        ...finding,
        class: 'late-pods',
        ...says({ fact: 'called by restart', object: nameOf(changed) }),
        line: request && lineOf(request),
        root: `late-pods ${changed.kind}`,
      }
    }
    return {
      ...finding,
      ...says({ fact: 'changed by restart', object: nameOf(changed) }),
      line: request && lineOf(request),
      root: `writes-at-rest ${changed.kind}`,
    }
  }
  const update = sentByRestart.find(
    ({ method, path, code }) => method === 'PUT' && code === 200 && !path.endsWith('/status'),
  )
  if (!update) return undefined
  return {
    ...finding,
    ...says({ fact: 'updated by restart', path: update.path }),
    line: lineOf(update),
    root: `writes-at-rest ${update.path}`,
  }
}

/** Errors of JavaScript itself, which no fault excuses: an operator that refuses a value throws another one. */
export function judgeMistake(story: Story, { reports }: Outcome): Finding | undefined {
  const failed = reports.find(({ error }) => error instanceof TypeError || error instanceof ReferenceError)
  if (!(failed?.error instanceof Error)) return undefined
  const { message, stack } = failed.error
  return {
    class: 'always-fails',
    ...says({
      fact: 'reconcile fails',
      controller: failed.controller,
      name: failed.request.name,
      message,
      throws: failed.error.name,
    }),
    story,
    differences: [],
    line: firstCodePlace(stack),
    root: `always-fails ${failed.controller} ${message}`,
  }
}

/** Uses of the machine's clock, timers, randomness or network, in the operator's own code. */
export function judgeMachineUse(story: Story, [use]: readonly MachineUse[]): Finding | undefined {
  if (!use) return undefined
  return {
    class: 'machine-clock',
    ...says({ fact: 'uses machine', what: use.what }),
    story,
    differences: [],
    line: use.line,
    root: `machine-clock ${use.what}`,
  }
}
