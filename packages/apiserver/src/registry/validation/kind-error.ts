import { apiVersionOf } from '@homeostat/api'
import { invalidValue, type FieldError } from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** What is wrong with a custom object of another kind than its path. Readers take any kind of it, and refuse others of native ones. */
export function kindError({ kind, apiVersion }: ServerObject, resource: Resource): FieldError | undefined {
  if (kind !== resource.kind) return invalidValue('kind', kind, `must be ${resource.kind}`)
  const version = apiVersionOf(resource)
  return apiVersion === version ? undefined : invalidValue('apiVersion', apiVersion, `must be ${version}`)
}
