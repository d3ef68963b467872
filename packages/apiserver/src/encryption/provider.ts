/** Encrypts values by one key. `place` names the object, so that a value cannot be moved to another one. */
export interface Provider {
  encrypt(bytes: Uint8Array, place: string): Uint8Array
  /** Throws where the bytes were not encrypted by this key. */
  decrypt(bytes: Uint8Array, place: string): Uint8Array
}

/** A key, by the bytes that its values begin with. */
export interface NamedProvider {
  /** `k8s:enc:aescbc:v1:key1:`; empty for values that are not encrypted. */
  readonly prefix: string
  readonly provider: Provider | undefined
}

/** Which providers encrypt which objects. */
export interface EncryptionRule {
  /** A group and a plural, each of which may be `*`. */
  readonly resources: readonly { readonly group: string; readonly plural: string }[]
  /** The first one writes; all of them read. */
  readonly providers: readonly NamedProvider[]
}
