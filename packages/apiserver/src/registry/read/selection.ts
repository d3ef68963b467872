import {
  failure,
  fieldText,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldSelector,
  type LabelSelector,
} from '@homeostat/api'
import type { Stored } from '../../storage/index.ts'
import { Failure } from '../resource/failure.ts'
import { nameIn, namespaceIn } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import { fieldMatcher, labelMatcher } from './selector-index.ts'
import { served } from '../stored/served.ts'

/** Selects the objects of a list or a watch. */
export interface Selection {
  /** Whether it selects all objects. */
  readonly all: boolean
  matches(stored: Stored): boolean
}

const EVERYTHING: Selection = { all: true, matches: () => true }

/** The selection by a request's selectors. Fails with `BadRequest` when they are invalid. */
export function selectionOf(
  resource: Resource,
  selectors: { labels?: string | undefined; fields?: string | undefined; name?: string | undefined },
): Selection {
  const labels = selectors.labels ? labelMatcher(readLabels(selectors.labels)) : undefined
  const fields = selectors.fields ? fieldMatcher(readFields(selectors.fields, resource)) : undefined
  const { name } = selectors
  if (!fields && !labels && name === undefined) return EVERYTHING
  return {
    all: false,
    matches: (stored) =>
      (name === undefined || nameIn(stored.key) === name) &&
      (!labels || labels(stored.labels ?? {})) &&
      (!fields || fields((field) => readField(stored, field, resource))),
  }
}

function readLabels(text: string): LabelSelector {
  return understood(() => parseLabelSelector(text))
}

function readFields(text: string, resource: Resource): FieldSelector {
  const selector = understood(() => parseFieldSelector(text))
  for (const { field } of selector.requirements) {
    const problem = fieldLabelProblem(field, resource)
    if (problem) throw new Failure(failure.badRequest(problem))
  }
  return selector
}

/** Why a label cannot select; undefined where it can. */
function fieldLabelProblem(label: string, resource: Resource): string | undefined {
  const own = resource.strategy().fieldLabels
  if (label === 'metadata.name') return undefined
  if (!own && !resource.custom) {
    // Cluster-scoped kinds have this label too: their objects have an empty namespace.
    if (label === 'metadata.namespace') return undefined
    return `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`
  }
  if (label === 'metadata.namespace' && resource.scope === 'Namespaced') return undefined
  if (own && Object.hasOwn(own.read, label)) return undefined
  if (resource.selectableFields?.includes(`.${label}`)) return undefined
  return own?.refusal?.(label, resource) ?? `field label not supported: ${label}`
}

function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SelectorError) throw new Failure(failure.badRequest(error.message))
    throw error
  }
}

/** The name and namespace of an object are in its key, so that most selections need not parse it. */
function readField(stored: Stored, field: string, resource: Resource): string {
  if (field === 'metadata.name') return nameIn(stored.key)
  if (field === 'metadata.namespace') return namespaceIn(stored.key)
  const object = served(stored, resource)
  return resource.strategy().fieldLabels?.read[field]?.(object) ?? fieldText(object, field)
}
