import type { CustomResourceDefinitionSource } from '@homeostat/api'

/** A definition. It has a status if it was read from a server. */
export interface ComparedDefinition extends CustomResourceDefinitionSource {
  readonly status?: { readonly storedVersions?: readonly string[] | undefined } | undefined
}
