import {
  fieldSelectorFrom,
  labelSelectorFrom,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  type FieldRequirement,
  type KubernetesObject,
} from '@homeostat/api'
import type { Selection } from '../requests/index.ts'

/** The fields that every object has. Only the server knows the meaning of others. */
const KNOWN = ['metadata.name', 'metadata.namespace']

/** The requirements of a field selector in either of its forms. */
export function fieldRequirements(fields: Selection['fields']): readonly FieldRequirement[] {
  return (typeof fields === 'string' ? parseFieldSelector(fields) : fieldSelectorFrom(fields ?? {}))
    .requirements
}

export function isKnownField(field: string): boolean {
  return KNOWN.includes(field)
}

/** Whether an object is among those selected by labels and by the fields that all objects have. */
export function selectionTest(
  selection: Pick<Selection, 'labels' | 'fields'>,
): (object: KubernetesObject) => boolean {
  const { labels } = selection
  const requirements = fieldRequirements(selection.fields).filter(({ field }) => isKnownField(field))
  if (!labels && requirements.length === 0) return () => true
  const byLabels =
    typeof labels === 'string' ? parseLabelSelector(labels) : labelSelectorFrom({ matchLabels: labels ?? {} })
  return (object) =>
    matchesLabels(byLabels, object.metadata.labels) && matchesFields({ requirements }, object)
}
