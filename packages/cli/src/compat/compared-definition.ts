import type { CustomResourceDefinitionSource } from '@homeostat/api'

/** A definition. One that was read from a server has its status, too. */
export interface ComparedDefinition extends CustomResourceDefinitionSource {
  readonly status?: { readonly storedVersions?: readonly string[] | undefined } | undefined
}
