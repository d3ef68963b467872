import type { FieldSelector, LabelOperator, LabelSelector } from '@homeostat/api'
import type { Attributes, User } from '../auth/index.ts'
import type { JsonObject } from '../schema/index.ts'

/** The spec of the SubjectAccessReview v1 that asks whether a user may do something. Empty fields are left out, as in Go. */
export function reviewSpec({ name, uid, groups, extra }: User, attributes: Attributes): JsonObject {
  return {
    ...askedOf(attributes),
    ...(name && { user: name }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
    ...(uid && { uid }),
  }
}

function askedOf({
  verb,
  path,
  resource,
  subresource,
  namespace,
  name,
  ...selectors
}: Attributes): JsonObject {
  if (!resource) return { nonResourceAttributes: { ...(path && { path }), ...(verb && { verb }) } }
  const { group, version, plural } = resource
  const fields = fieldRequirements(selectors.fieldSelector)
  const labels = labelRequirements(selectors.labelSelector)
  return {
    resourceAttributes: {
      ...(namespace && { namespace }),
      ...(verb && { verb }),
      ...(group && { group }),
      ...(version && { version }),
      ...(plural && { resource: plural }),
      ...(subresource && { subresource }),
      ...(name && { name }),
      ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
      ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
    },
  }
}

function fieldRequirements(selector: FieldSelector | undefined): JsonObject[] {
  return (selector?.requirements ?? []).map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }))
}

/** A review cannot express comparisons of numbers. They only narrow a request, so they are left out. */
const OPERATORS: Readonly<Record<LabelOperator, string | undefined>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  '>': undefined,
  '<': undefined,
}

function labelRequirements(selector: LabelSelector | undefined): JsonObject[] {
  return (selector?.requirements ?? []).flatMap(({ key, operator, values }) => {
    const known = OPERATORS[operator]
    return known === undefined ? [] : [{ key, operator: known, ...(values.length > 0 && { values }) }]
  })
}

/** A spec in the form of v1beta1, which has another name for groups. */
export function inOldVersion({ groups, ...spec }: JsonObject): JsonObject {
  return groups === undefined ? spec : { ...spec, group: groups }
}
