import { named, requiredName } from '../../checks/index.ts'
import { type FieldError, type JsonObject, segmentProblems, subdomainProblems } from '../../schema/index.ts'

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
