import { canonicalText, type StructuralSchema } from '@homeostat/api'
import type { CompatibilityRule, Report } from './rules.ts'

/** A place in a schema: its path, and the facts that decide how a constraint that is added there affects stored objects. */
export interface Place {
  /** `spec.ports[].name`. Empty: the whole object. */
  readonly path: string
  /** The list around it whose items have no identity: if an update changes any item, the server validates all of them. */
  readonly list?: string
  /** The rules and alternatives of the objects around it, as text. */
  readonly constraints: string
}

/** The whole object. */
export const WHOLE: Place = { path: '', constraints: '' }

/** The place of a field of an object. */
export function fieldOf(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}.${name}` }
}

/** The place, with the rules and alternatives of an object or a list around it. */
export function within(place: Place, schema: StructuralSchema): Place {
  const { allOf, anyOf, oneOf, not, 'x-kubernetes-validations': rules = [] } = schema
  const texts = rules.map(({ rule }) => rule)
  for (const part of [allOf, anyOf, oneOf, not]) if (part) texts.push(canonicalText(part))
  return { ...place, constraints: [place.constraints, ...texts].join('\n') }
}

/** The place of the items of a list. */
export function itemsOf(place: Place, isMap: boolean): Place {
  const items = { ...place, path: `${place.path}[]` }
  return isMap || place.list !== undefined ? items : { ...items, list: place.path }
}

/**
 * Reports a constraint that old values may fail. An API server refuses such a value in a create, and in an update that changes it. It checks a
 * constraint of the whole object in every update, since every update changes the object.
 */
export function reportNarrower(
  report: Report,
  rule: CompatibilityRule,
  { path, list }: Place,
  what: string,
): void {
  if (path === '')
    report(
      rule,
      'breaking',
      path,
      `${what}: the server refuses every update of an object that does not fulfil this`,
    )
  else {
    const unchanged = list === undefined ? 'the field' : `the list ${list}`
    const reason = `${what}: creates with other values are refused, and stored objects stay valid while ${unchanged} is not changed`
    report(rule, 'ratcheting', path, reason)
  }
}
