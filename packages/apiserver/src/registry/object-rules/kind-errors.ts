import { apiVersionOf } from '@homeostat/api'
import { invalidValue, type FieldError } from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/**
 * Validates that a custom object has the kind of its path. Decoding accepts any kind for custom objects, and refuses
 * wrong ones for native objects.
 */
export function kindErrors({ kind, apiVersion }: ServerObject, resource: Resource): readonly FieldError[] {
  const version = apiVersionOf(resource)
  return [
    ...(kind === resource.kind ? [] : [invalidValue('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === version ? [] : [invalidValue('apiVersion', apiVersion, `must be ${version}`)]),
  ]
}
