import { HomeostatError, type AnyKind, type KubernetesObject } from '@homeostat/api'

/** An object of the cluster that tells API servers the address of webhooks, and which authorities to trust. */
export interface InstalledObject {
  readonly kind: AnyKind
  readonly name: string
  /**
   * The configuration to apply so that API servers trust webhooks whose addresses another client has written.
   * `undefined` if there is nothing to do.
   */
  trust(live: KubernetesObject, caBundle: string): object | undefined
  /**
   * The configuration to apply so that API servers call the webhooks; `undefined` where the object must not exist.
   */
  install(caBundle: string): object | undefined
  /** The configuration to apply when the webhooks are uninstalled; `undefined` where the object is deleted. */
  readonly uninstalled?: object | undefined
  /** Whether others have installed it, so that a process outside of the cluster must leave it alone. */
  isForeign(live: KubernetesObject): boolean
  /**
   * A merge patch that removes an address that another client has written, and the Service that the address
   * names. A manifest that was applied without the operator leaves such an address, and no Service.
   * `undefined` if the address is never removed.
   */
  readonly unserved?:
    | { readonly patch: object; serviceOf(live: KubernetesObject): NamespacedKey | undefined }
    | undefined
}

interface NamespacedKey {
  readonly namespace: string
  readonly name: string
}

/** Refuses to take over what a deployed operator uses. */
export function foreignError({ kind, name }: InstalledObject): HomeostatError {
  return new HomeostatError(
    'WEBHOOK_CONFIGURATION_FOREIGN',
    `the ${kind.kind} ${name} sends requests to the webhooks of another program, most likely of the operator in the cluster. This process does not redirect them to itself. Remove the operator from the cluster first, or give addWebhooks another name`,
  )
}
