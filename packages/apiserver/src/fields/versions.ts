import type { JsonObject, TypeSchema } from '../schema/index.ts'
import type { InParts } from '../work/index.ts'
import { fieldTypeOf, type FieldType } from './field-type.ts'

/**
 * The other versions of a kind whose versions have different fields (F29). Such a write waits for conversions, so
 * that it must be computed in parts.
 */
export interface FieldsVersions {
  /** The schema of a version; undefined where the kind has no such version. */
  schema(apiVersion: string): TypeSchema | undefined
  /** Converts objects of one version to another. */
  convert(objects: readonly JsonObject[], apiVersion: string): Promise<readonly JsonObject[]>
}

/** The part of a write's context that says in which version it is. */
interface Versioned {
  readonly type: FieldType
  readonly apiVersion: string
  readonly versions: FieldsVersions | undefined
}

/** The fields of the version that a manager wrote in. */
export function typeIn(context: Versioned, version: string): FieldType {
  const schema = version === context.apiVersion ? undefined : context.versions?.schema(version)
  return schema ? fieldTypeOf(schema) : context.type
}

/** Converts objects to another version; returns them unchanged where all versions have the same fields. */
export function* inVersion(
  context: Versioned,
  objects: readonly JsonObject[],
  apiVersion: string,
): InParts<readonly JsonObject[]> {
  const { versions } = context
  if (!versions?.schema(apiVersion) || objects.every((object) => object['apiVersion'] === apiVersion)) {
    return objects
  }
  let converted: readonly JsonObject[] = objects
  yield versions.convert(objects, apiVersion).then((given) => void (converted = given))
  return converted
}
