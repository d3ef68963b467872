import { parseJson } from '@homeostat/api'
import { copyJson, isObject, type JsonObject, jsonText, objectOf } from '../schema/index.ts'
import { appliedProblem } from './check-applied.ts'
import { compare } from './compare.ts'
import type { FieldSet } from './field-set.ts'
import type { FieldsContext } from './fields-context.ts'
import { fieldsOf } from './owned-fields.ts'

/** The annotation in which kubectl keeps its last client-side apply. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** The fields of kubectl's last client-side apply that still have their values. */
export function allowedByLastApplied(context: FieldsContext, live: JsonObject): FieldSet | undefined {
  const text = objectOf(objectOf(live['metadata'])['annotations'])[LAST_APPLIED]
  if (typeof text !== 'string' || text === '') return undefined
  let last: unknown
  try {
    last = parseJson(text)
  } catch {
    return undefined
  }
  if (!isObject(last) || last['apiVersion'] !== context.apiVersion) return undefined
  if (appliedProblem(context.type, last) !== undefined) return undefined
  const { added, modified, removed } = compare(context.type, last, live)
  return fieldsOf(context.type, last).difference(modified).difference(added).difference(removed)
}

/** The value of the annotation after an apply. */
export function lastAppliedText(applied: JsonObject): string {
  const copy = copyJson(applied)
  const annotations = objectOf(objectOf(copy['metadata'])['annotations'])
  delete annotations[LAST_APPLIED]
  return `${jsonText(copy)}\n`
}
