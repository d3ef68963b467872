import { apiVersionOf } from '@homeostat/api'
import { invalidValue, type FieldError } from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** What is wrong with a custom object of another kind than its path. Readers take any kind of it, and refuse others of native ones. */
export function kindErrors({ kind, apiVersion }: ServerObject, resource: Resource): readonly FieldError[] {
  const version = apiVersionOf(resource)
  return [
    ...(kind === resource.kind ? [] : [invalidValue('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === version ? [] : [invalidValue('apiVersion', apiVersion, `must be ${version}`)]),
  ]
}
