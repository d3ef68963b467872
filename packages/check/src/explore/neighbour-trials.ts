import type { Trial } from '../judgements/index.ts'
import { referenceTo, type PlainObject, type Story } from '../stories/index.ts'
import { create, REST, START, STOP, undisturbed, type Subject } from './trials.ts'

/** An object beside the sample, and the objects that only it needs. */
interface Neighbour {
  readonly object: PlainObject
  readonly needs: readonly PlainObject[]
}

/**
 * A second object is created, and deleted. Both must have the state that each has alone, also after a new process
 * has reconciled both. The neighbour has another spec where one is known, so that values that leak from one to the
 * other are noticed.
 */
export function* isolationTrials(subject: Subject): Generator<Trial> {
  const { sample, needs } = subject
  const first = undisturbed(sample, needs)
  const trial = { class: 'not-isolated', expects: { type: 'contains' } } as const
  for (const { object, needs: others } of neighboursOf(subject)) {
    const both: Story = [...first, ...others.map(create), create(object), REST]
    // A new process has no memory of the sample.
    const alone = [STOP, START, ...undisturbed(object, others.length > 0 ? others : needs)]
    yield { ...trial, reference: first, story: both }
    const toldBy = referenceTo(object)
    yield { ...trial, reference: alone, story: both, expects: { type: 'contains', toldBy } }
    yield {
      ...trial,
      reference: alone,
      story: [...both, STOP, START, REST],
      expects: { type: 'contains', isSpared: true, toldBy },
    }
    yield {
      ...trial,
      reference: first,
      story: [...both, { step: 'delete', object: referenceTo(object) }, REST],
    }
  }
}

/** Objects under a name that begins with the sample's, and under its name in another namespace. */
function neighboursOf({ sample, needs, changes }: Subject): Neighbour[] {
  const [change] = changes
  const other = change?.object ?? sample
  const { name, namespace } = sample.metadata
  const renamed = { ...other, metadata: { ...sample.metadata, name: `${name}-2` } }
  if (namespace === undefined) return [{ object: renamed, needs: [] }]
  return [
    { object: renamed, needs: [] },
    { object: inAnother(other), needs: needs.map(inAnother) },
  ]
}

function inAnother(object: PlainObject): PlainObject {
  if (object.metadata.namespace === undefined) return object
  return { ...object, metadata: { ...object.metadata, namespace: 'another' } }
}
