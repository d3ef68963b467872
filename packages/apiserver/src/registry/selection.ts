import {
  failure,
  fieldText,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldSelector,
  type LabelSelector,
} from '@homeostat/api'
import type { Stored } from '../storage/index.ts'
import { Failure } from './failure.ts'
import type { KindRules } from './kind-rules.ts'
import { nameIn, namespaceIn } from './registry.ts'
import type { Resource } from './resource.ts'
import { served } from './served.ts'

/** Which objects of a list or a watch are wanted. */
export interface Selection {
  /** Whether it takes all objects. */
  readonly all: boolean
  matches(stored: Stored): boolean
}

const EVERYTHING: Selection = { all: true, matches: () => true }

/** The selection that a request's selectors make. Fails with `BadRequest` when they cannot be understood. */
export function selectionOf(
  resource: Resource,
  rules: KindRules,
  selectors: { labels?: string | undefined; fields?: string | undefined; name?: string | undefined },
): Selection {
  const labels = selectors.labels ? readLabels(selectors.labels) : undefined
  const fields = selectors.fields ? readFields(selectors.fields, resource, rules) : undefined
  const { name } = selectors
  if (!fields && !labels && name === undefined) return EVERYTHING
  return {
    all: false,
    matches: (stored) =>
      (name === undefined || nameIn(stored.key) === name) &&
      (!labels || matchesLabels(labels, stored.labels ?? {})) &&
      (!fields ||
        matchesFields(fields, stored, (stored, field) => readField(stored, field, resource, rules))),
  }
}

function readLabels(text: string): LabelSelector {
  return understood(() => parseLabelSelector(text))
}

function readFields(text: string, resource: Resource, rules: KindRules): FieldSelector {
  const selector = understood(() => parseFieldSelector(text))
  const known = [
    'metadata.name',
    ...(resource.scope === 'Namespaced' ? ['metadata.namespace'] : []),
    ...(rules.fieldNames ?? []),
    ...(resource.selectableFields ?? []).map((path) => path.slice(1)),
  ]
  for (const { field } of selector.requirements) {
    if (known.includes(field)) continue
    // Custom kinds, and those that have fields of their own to select by, are short about it.
    if (rules.fieldNames || resource.custom)
      throw new Failure(failure.badRequest(`field label not supported: ${field}`))
    const list = known.map((name) => JSON.stringify(name)).join(', ')
    throw new Failure(
      failure.badRequest(`${JSON.stringify(field)} is not a known field selector: only ${list}`),
    )
  }
  return selector
}

function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SelectorError) throw new Failure(failure.badRequest(error.message))
    throw error
  }
}

/** What tells an object from others is in its key: for most, nothing needs to be parsed. */
function readField(stored: Stored, field: string, resource: Resource, rules: KindRules): string {
  if (field === 'metadata.name') return nameIn(stored.key)
  if (field === 'metadata.namespace') return namespaceIn(stored.key)
  const object = served(stored, resource)
  return rules.field?.(object, field) ?? fieldText(object, field)
}
