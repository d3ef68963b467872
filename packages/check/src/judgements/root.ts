import type { Story } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import type { FindingClass } from './finding-class.ts'
import type { Trial } from './trial.ts'

/** Classes whose findings have one root where the same kind of object is wrong. */
const SAME_ROOT: Readonly<Partial<Record<FindingClass, string>>> = {
  crash: 'fault',
  'failed-request': 'fault',
  combination: 'fault',
  interleaving: 'fault',
  'stale-cache': 'stale',
  history: 'change',
  downtime: 'change',
  'not-healed': 'change',
}

/**
 * A text that findings with the same root share: the kind of object that is wrong and whether it is too much, and for faults the
 * field. What a fault does to the work on a change has a root of its own: the change alone may be worked on rightly.
 */
export function rootOf({ class: found, story }: Trial, differences: readonly Difference[]): string {
  const places = differences.map(({ object, path, expected, found: is }) => {
    const how = expected === undefined ? 'extra' : is === undefined ? 'missing' : 'other'
    const isExtraObject = expected === undefined && path === ''
    const kind = `${object.split(' ')[0]!}${isExtraObject ? ' extra' : ''}`
    return { kind, field: `${path.replaceAll(/\[[^\]]*\]/g, '[]')} ${how}` }
  })
  const [first] = places.toSorted((a, b) => (a.kind + a.field < b.kind + b.field ? -1 : 1))
  const { kind, field } = first!
  const group = SAME_ROOT[found] ?? found
  if (group === 'fault') return `${group}${isOfChange(story) ? ' in a change' : ''} ${kind} ${field}`
  if (found === 'downtime' && !isOfChange(story)) return `${found} ${kind}`
  const isDisturbed = story.some(({ step }) => step === 'remove' || step === 'edit')
  return `${group === 'stale' && isDisturbed ? 'change' : group} ${kind}`
}

/** Whether something happens in a story to an object that was at rest. */
function isOfChange(story: Story): boolean {
  return story.some(({ step }) => step === 'change' || step === 'remove' || step === 'edit')
}
