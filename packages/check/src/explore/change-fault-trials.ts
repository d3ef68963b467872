import type { Trial } from '../judgements/index.ts'
import { referenceTo, type Step, type Story } from '../stories/index.ts'
import {
  changed,
  create,
  failuresOf,
  requestsFrom,
  REST,
  SECOND,
  START,
  STOP,
  undisturbed,
  type Subject,
} from './trials.ts'

/** How many requests of one reconcile are tried. */
const MOST_REQUESTS = 8

/**
 * A crash or a failure at each request while the operator works on a change of the spec. The story must end as it ends without the fault.
 * The trials of class `history` find faults of the change itself.
 */
export function* changeFaultTrials({ sample, needs, changes }: Subject): Generator<Trial> {
  const before = undisturbed(sample, needs)
  for (const { object, outcome } of changes) {
    const trial = { reference: changed(sample, needs, object), expects: { type: 'same' } } as const
    const story = (fault: Step, ...later: Step[]): Story => [
      ...before,
      fault,
      { step: 'change', object },
      ...later,
      REST,
    ]
    const requests = requestsFrom(outcome, before.length).filter(({ isOfReconcile }) => isOfReconcile)
    for (const { request, isWrite, method } of requests.slice(0, MOST_REQUESTS)) {
      yield { ...trial, class: 'crash', story: story({ step: 'crash', request, moment: 'before' }) }
      if (isWrite) {
        // The cluster has done its part of the work before the next process starts.
        const killed: Step = { step: 'crash', request, moment: 'after', staysDown: true }
        yield { ...trial, class: 'crash', story: story(killed, SECOND, START) }
      }
      for (const failure of failuresOf(method, isWrite)) {
        yield { ...trial, class: 'failed-request', story: story({ step: 'fail', request, failure }) }
      }
    }
  }
}

/** The process is killed after each write while the sample is created, and is down when the user deletes or changes the sample. */
export function* momentTrials({ sample, needs, outcome, changes, keeps }: Subject): Generator<Trial> {
  const before = needs.map(create)
  const object = referenceTo(sample)
  for (const { request, isWrite } of requestsFrom(outcome, needs.length)) {
    if (!isWrite) continue
    const story = (step: Step): Story => [
      ...before,
      { step: 'crash', request, moment: 'after', staysDown: true },
      create(sample),
      SECOND,
      step,
      START,
      REST,
    ]
    yield {
      class: 'left-behind',
      story: story({ step: 'delete', object }),
      reference: [],
      expects: { type: 'gone', object, keeps },
    }
    const [change] = changes
    if (!change) continue
    yield {
      class: 'crash',
      story: story({ step: 'change', object: change.object }),
      reference: undisturbed(change.object, needs),
      expects: { type: 'same' },
    }
  }
}

/** A new process has nothing to do, and each of its requests fails once. Values that the last one chose at random must stay. */
export function* restartFaultTrials({ sample, needs, restarted }: Subject): Generator<Trial> {
  const before: Story = [...undisturbed(sample, needs), { step: 'note' }, STOP]
  const requests = requestsFrom(restarted, before.length - 1).filter(({ isOfReconcile }) => isOfReconcile)
  for (const { request } of requests.slice(0, MOST_REQUESTS)) {
    yield {
      class: 'failed-request',
      story: [...before, { step: 'fail', request, failure: 500 }, START, REST],
      reference: [...before, START, REST],
      expects: { type: 'steady' },
    }
  }
}
