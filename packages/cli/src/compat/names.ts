import type { CustomResourceDefinitionSource } from '@homeostat/api'
import type { Report } from './rules.ts'

type Spec = CustomResourceDefinitionSource['spec']

/** C1 and C3: compares the names of the kind, and its scope. */
export function compareNames(old: Spec, next: Spec, report: Report): void {
  if (old.scope !== next.scope) {
    const reason = `the scope changes from ${old.scope} to ${next.scope}, which servers refuse`
    report('C1', 'breaking', 'spec.scope', reason)
  }
  const [before, after] = [old.names, next.names]
  if (before.kind !== after.kind) {
    const reason = `the kind changes from ${before.kind} to ${after.kind}, which servers refuse`
    report('C3', 'breaking', 'spec.names.kind', reason)
  }
  const listKind = ({ kind, listKind: given = `${kind}List` }: Spec['names']): string => given
  if (listKind(before) !== listKind(after)) {
    const reason = `lists are of kind ${listKind(after)} instead of ${listKind(before)}`
    report('C3', 'breaking', 'spec.names.listKind', reason)
  }
  const singular = ({ kind, singular: given = kind.toLowerCase() }: Spec['names']): string => given
  if (singular(before) !== singular(after)) {
    const reason = `kubectl no longer knows ${singular(before)}`
    report('C3', 'breaking', 'spec.names.singular', reason)
  }
  for (const field of ['shortNames', 'categories'] as const) {
    const [old, next] = [before[field] ?? [], after[field] ?? []]
    const gone = old.filter((name) => !next.includes(name))
    const added = next.filter((name) => !old.includes(name))
    const path = `spec.names.${field}`
    if (gone.length > 0)
      report('C3', 'breaking', path, `kubectl no longer finds the kind by ${gone.join(', ')}`)
    if (added.length > 0) report('C3', 'safe', path, `kubectl finds the kind by ${added.join(', ')}`)
  }
}
