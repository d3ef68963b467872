import { definitions, nativeResources } from '../schema/generated/native-resources.ts'
import type { Resource } from './resource.ts'

/** The native resources as this server serves them. */
export function nativeCatalogue(): Resource[] {
  return nativeResources.map(({ definition, ...resource }) => ({
    ...resource,
    custom: false,
    columns: [],
    schema: { root: definitions[definition] ?? {}, definitions },
  }))
}
