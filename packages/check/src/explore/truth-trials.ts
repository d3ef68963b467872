import type { Trial } from '../judgements/index.ts'
import { nameOf, referenceTo, type Step, type Story } from '../stories/index.ts'
import { childrenOf, create, requestsFrom, REST, SECOND, undisturbed, type Subject } from './trials.ts'

/** How many changes of the spec are tried. */
const MOST_CHANGES = 3
/** How many requests of a change are tried as the last one before the status is checked. */
const MOST_REQUESTS = 6
const MINUTE: Step = { step: 'wait', duration: '1m' }
const NEVER_READY: Step = { step: 'pods', behaviour: 'never' }
/** Workloads whose readiness is checked. */
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet'])

/**
 * A status that claims too much: right after a change, after each request that the change causes, and while Pods
 * are not ready.
 */
export function* truthTrials(subject: Subject): Generator<Trial> {
  yield* generationTrials(subject)
  yield* readinessTrials(subject)
}

function* generationTrials({ sample, needs, mutations, changes, outcome }: Subject): Generator<Trial> {
  const before = undisturbed(sample, needs)
  const object = referenceTo(sample)
  const trial = { class: 'status-ahead', expects: { type: 'not ahead', object } } as const
  const status = outcome.objects.find((one) => nameOf(one) === nameOf(object))?.status
  if (status?.observedGeneration === undefined) return
  for (const changed of mutations.slice(0, MOST_CHANGES)) {
    const story: Story = [...before, change(changed), MINUTE]
    yield { ...trial, story, reference: undisturbed(changed, needs) }
  }
  for (const { object: changed, outcome: played } of changes) {
    const reference = undisturbed(changed, needs)
    for (const killed of killsAfterWrites(played, before.length)) {
      yield { ...trial, story: [...before, killed, change(changed), SECOND], reference }
    }
  }
  // The change comes between two reads of one reconcile; the process ends right after it has written its status.
  const requests = requestsFrom(outcome, needs.length)
  const place = requests.findIndex(({ path, isWrite }) => isWrite && path.endsWith('/status'))
  const [first] = changes
  const [previous, written] = [requests[place - 1], requests[place]]
  if (!first || !previous || !written) return
  const story: Story = [
    ...needs.map(create),
    { step: 'slow', request: previous.request },
    { step: 'crash', request: written.request, moment: 'after', staysDown: true },
    create(sample),
    SECOND,
    change(first.object),
    MINUTE,
  ]
  yield { ...trial, story, reference: undisturbed(first.object, needs) }
}

function* readinessTrials({ sample, needs, changes, outcome }: Subject): Generator<Trial> {
  const story = undisturbed(sample, needs)
  const object = referenceTo(sample)
  const workloads = childrenOf(outcome, sample).filter(({ kind }) => WORKLOADS.has(kind))
  if (workloads.length === 0) return
  const trial = { class: 'status-untrue', reference: story } as const
  const expects = { type: 'not ready', object } as const
  yield { ...trial, story: [NEVER_READY, ...story], expects }
  for (const workload of workloads) {
    const remove: Step = { step: 'remove', object: workload }
    yield { ...trial, story: [...story, NEVER_READY, remove, REST], expects }
  }
  for (const { object: changed, outcome: played } of changes) {
    for (const killed of killsAfterWrites(played, story.length)) {
      yield {
        ...trial,
        story: [...story, NEVER_READY, killed, change(changed), SECOND],
        expects: { ...expects, ifCurrent: true },
      }
    }
  }
}

/** The process is killed after each write from a step on, and stays down. */
function killsAfterWrites(outcome: Subject['outcome'], step: number): Step[] {
  return requestsFrom(outcome, step)
    .filter(({ isWrite }) => isWrite)
    .slice(0, MOST_REQUESTS)
    .map(({ request }) => ({ step: 'crash', request, moment: 'after', staysDown: true }))
}

function change(object: Subject['sample']): Step {
  return { step: 'change', object }
}
