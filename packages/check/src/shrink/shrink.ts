import { deepEqual, isJsonObject } from '@homeostat/api'
import type { Trial } from '../judgements/index.ts'
import type { PlainObject, Step, Story } from '../stories/index.ts'

/** How many smaller trials are played: steps go first, then fields. */
const MOST_TRIES = 60

/**
 * Shortens a trial: removes each fault, each disturbance and each field of an object that it does not need to fail in the
 * same way. `fails` plays a trial and says whether it still fails in that way.
 */
export async function shrink(trial: Trial, fails: (smaller: Trial) => Promise<boolean>): Promise<Trial> {
  let smallest = trial
  let tries = 0
  for (let again = true; again;) {
    again = false
    for (const candidate of smaller(smallest)) {
      if (++tries > MOST_TRIES) return smallest
      if (!(await fails(candidate))) continue
      smallest = candidate
      again = true
      break
    }
  }
  return smallest
}

/** Steps without which a story still must end as its reference does. The user's steps decide how it must end. */
const CAN_GO: ReadonlySet<Step['step']> = new Set([
  'crash',
  'fail',
  'slow',
  'hold',
  'release',
  'stale',
  'remove',
  'edit',
  'wait',
  'rest',
  'pods',
])

/** Steps that may also be removed where nothing is compared with a reference. */
const USER_STEPS: ReadonlySet<Step['step']> = new Set(['change', 'delete'])

function* smaller(trial: Trial): Generator<Trial> {
  const { story, reference, expects } = trial
  for (const [index, one] of story.entries()) {
    const { step } = one
    // Keep an event that the reference has as well: without it the two cannot be compared.
    if (step === 'edit' && reference.some((other) => deepEqual(one, other))) continue
    const isIdle = step === 'start' && !story.slice(0, index).some(isEnd)
    const canGo = isIdle || CAN_GO.has(step) || (expects.type === 'allowed' && USER_STEPS.has(step))
    // Without its last `rest`, a story ends before the operator has finished.
    if (!canGo || (step === 'rest' && index === story.length - 1)) continue
    yield { ...trial, story: story.toSpliced(index, 1), reference: withoutWait(reference, one) }
  }
  const objects = distinctObjects(story)
  for (const object of objects) {
    for (const reduced of withoutOneField(object)) {
      yield {
        ...trial,
        story: replaced(story, object, reduced),
        reference: replaced(reference, object, reduced),
      }
    }
  }
}

/** A reference without the same wait, if the step is one and the reference has it: equal time must pass in both. */
function withoutWait(reference: Story, one: Step): Story {
  const index = one.step === 'wait' ? reference.findIndex((other) => deepEqual(one, other)) : -1
  return index < 0 ? reference : reference.toSpliced(index, 1)
}

/** Steps after which the operator is down. */
function isEnd(one: Step): boolean {
  return one.step === 'stop' || (one.step === 'crash' && one.staysDown === true)
}

function distinctObjects(story: Story): PlainObject[] {
  const objects = story.flatMap((step) =>
    step.step === 'create' || step.step === 'change' ? [step.object] : [],
  )
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()]
}

function replaced(story: Story, object: PlainObject, by: PlainObject): Story {
  const text = JSON.stringify(object)
  return story.map((step) => {
    if (step.step === 'repeat') return { ...step, steps: replaced(step.steps, object, by) }
    return (step.step === 'create' || step.step === 'change') && JSON.stringify(step.object) === text
      ? { ...step, object: by }
      : step
  })
}

/** The object without one part of its content. */
function* withoutOneField(object: PlainObject): Generator<PlainObject> {
  const { apiVersion, kind, metadata, ...content } = object
  for (const reduced of reductions(content)) {
    yield { apiVersion, kind, metadata, ...(reduced as object) }
  }
}

function* reductions(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1)
      for (const reduced of reductions(item)) yield value.toSpliced(index, 1, reduced)
    }
    return
  }
  if (!isJsonObject(value)) return
  for (const [key, part] of Object.entries(value)) {
    const { [key]: _, ...rest } = value
    yield rest
    for (const reduced of reductions(part)) yield { ...value, [key]: reduced }
  }
}
