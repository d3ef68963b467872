import { definitions, nativeResources } from '../schema/generated/native-resources.ts'
import type { Resource } from './resource.ts'

/** What is told to whoever uses a native resource that is going out of use, by group and plural. */
const DEPRECATIONS: Readonly<Record<string, string>> = {
  '/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  '/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
}

/** The native resources as this server serves them: all that a Kubernetes of this version serves by default. */
export function nativeCatalogue(): Resource[] {
  return nativeResources.map(({ definition, ...resource }) => ({
    ...resource,
    virtual: resource.storageVersionHash === undefined,
    deprecation: DEPRECATIONS[`${resource.group}/${resource.plural}`],
    custom: false,
    columns: [],
    schema: {
      // Parsed only when the kind is used.
      get root() {
        return definitions[definition] ?? {}
      },
      definitions,
    },
  }))
}
