import type { CustomResourceDefinitionSource } from '@homeostat/api'

/** A definition, with what a server says of it where it was read from one. */
export interface ComparedDefinition extends CustomResourceDefinitionSource {
  readonly status?: { readonly storedVersions?: readonly string[] | undefined } | undefined
}
