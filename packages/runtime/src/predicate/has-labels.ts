import { labelSelectorFrom, matchesLabels, parseLabelSelector } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'

/**
 * The object has these labels: `{ app: 'web' }`, or the selector syntax. An update also passes if the object had
 * them before the update, so that the controller notices an object that no longer matches.
 */
export function hasLabels(
  selector: Readonly<Record<string, string>> | string,
): (event: ObjectEvent) => boolean {
  const parsed =
    typeof selector === 'string' ? parseLabelSelector(selector) : labelSelectorFrom({ matchLabels: selector })
  const matches = (object: ObjectEvent['object']): boolean =>
    matchesLabels(parsed, object.metadata.labels ?? {})
  return (event) => matches(event.object) || (event.type === 'updated' && matches(event.before))
}
