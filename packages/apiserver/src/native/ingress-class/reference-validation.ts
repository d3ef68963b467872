import { named, requiredName } from '../../schema/checks/checks.ts'
import type { FieldError } from '../../schema/field-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import { segmentProblems, subdomainProblems } from '../../schema/name-syntax.ts'

export function referenceErrors(reference: JsonObject, field: string): FieldError[] {
  const { apiGroup } = reference
  return [
    ...(apiGroup === undefined || apiGroup === null
      ? []
      : named(apiGroup, `${field}.apiGroup`, subdomainProblems)),
    ...requiredName(reference['kind'], `${field}.kind`, segmentProblems),
    ...requiredName(reference['name'], `${field}.name`, segmentProblems),
  ]
}
