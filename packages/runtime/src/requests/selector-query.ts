import {
  fieldSelectorFrom,
  formatFieldSelector,
  formatLabelSelector,
  labelSelectorFrom,
} from '@homeostat/api'

/** Selects objects of a kind: the part of a list's options for that. */
export interface Selection {
  readonly namespace?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | string | undefined
  readonly fields?: Readonly<Partial<Record<string, string>>> | string | undefined
}

/** The selectors as a request carries them. */
export function selectorQuery(selection: Selection): Record<string, string> {
  const { labels, fields } = selection
  const labelSelector =
    typeof labels === 'object' ? formatLabelSelector(labelSelectorFrom({ matchLabels: labels })) : labels
  const fieldSelector = typeof fields === 'object' ? formatFieldSelector(fieldSelectorFrom(fields)) : fields
  return { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) }
}
