import type { Story } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import type { FindingClass } from './finding-class.ts'
import type { Finding } from './finding.ts'
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
 * A text that findings with the same root share: the kind of object that is wrong and whether it is too much, and for
 * faults the field. A fault during the work on a change has a separate root: the operator may handle the change alone
 * correctly.
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

/**
 * Whether one repair ends both findings, though their roots differ: faults at the same line of code that leave objects of the same
 * kind wrong, or a stale cache that shows in the same kind of object and in more, such as a count in the status.
 */
export function isSameRoot(known: Finding, finding: Finding): boolean {
  const group = groupOf(known)
  if (group !== groupOf(finding)) return false
  const [kinds, others] = [kindsOf(known), kindsOf(finding)]
  if (group === 'stale') return kinds.size > 0 && kinds.isSubsetOf(others)
  if (known.line === undefined || known.line !== finding.line) return false
  const [[first], [other]] = [kinds, others]
  return first !== undefined && first === other
}

function groupOf({ class: found }: Finding): string {
  return SAME_ROOT[found] ?? found
}

/** The kinds of the objects that are wrong, in the order of the differences. */
function kindsOf({ differences }: Finding): Set<string> {
  return new Set(differences.map(({ object }) => object.slice(0, object.indexOf(' '))))
}

/** Whether something happens in a story to an object that was at rest. */
function isOfChange(story: Story): boolean {
  return story.some(({ step }) => step === 'change' || step === 'remove' || step === 'edit')
}
