import { HomeostatError } from '@homeostat/api'
import type { EncryptionRule, NamedProvider } from './provider.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('latin1')
/** The prefix of every encrypted value. A value that is not encrypted is JSON. */
const ENCRYPTED = 'k8s:enc:'
const LONGEST_PREFIX = 512
const PLAIN: readonly NamedProvider[] = [{ prefix: '', provider: undefined }]

/** Encrypts the values of some collections of a store, and decrypts them. */
export class ValueEncryption {
  #rules: readonly EncryptionRule[]
  readonly #collections = new Map<string, readonly NamedProvider[]>()
  #staleUntil = 0

  /** Without rules nothing is encrypted, and encrypted values are refused. */
  constructor(rules: readonly EncryptionRule[]) {
    this.#rules = rules
  }

  /** Whether any value is encrypted. */
  get isOn(): boolean {
    return this.#rules.length > 0
  }

  /** Encrypts by other rules from now on. Values up to a revision stay as they are stored until they are written again. */
  replace(rules: readonly EncryptionRule[], revision: number): void {
    this.#rules = rules
    this.#collections.clear()
    this.#staleUntil = revision
  }

  /** Whether a value of a revision may be stored in an outdated form, such as by a former key. */
  isStale(collection: string, revision: number): boolean {
    return revision <= this.#staleUntil && this.#providersOf(collection) !== PLAIN
  }

  encrypt(collection: string, key: string, json: Uint8Array): Uint8Array {
    const [first] = this.#providersOf(collection)
    return first?.provider ? encryptBy(first, json, placeOf(collection, key)) : json
  }

  /**
   * The JSON of a stored value, and whether its first provider would write it in another form. Fails with
   * `ENCRYPTION_FAILED` where no provider can read it.
   */
  decrypt(collection: string, key: string, value: Uint8Array): { json: Uint8Array; isStale: boolean } {
    const providers = this.#providersOf(collection)
    const place = placeOf(collection, key)
    const start = decoder.decode(value.subarray(0, LONGEST_PREFIX))
    const isEncrypted = start.startsWith(ENCRYPTED)
    const [first] = providers
    let problem: string | undefined
    for (const { prefix, provider } of providers) {
      if (!provider) {
        if (!isEncrypted) return { json: value, isStale: first?.provider !== undefined }
        problem ??= 'identity transformer tried to read encrypted data'
        continue
      }
      if (!start.startsWith(prefix)) continue
      try {
        return {
          json: provider.decrypt(value.subarray(prefix.length), place),
          isStale: prefix !== first?.prefix,
        }
      } catch (error) {
        // Several keys may have one name: each is tried.
        problem = error instanceof Error ? error.message : String(error)
      }
    }
    throw unreadable(place, problem ?? missing(providers, start))
  }

  #providersOf(collection: string): readonly NamedProvider[] {
    let found = this.#collections.get(collection)
    if (found) return found
    const at = collection.indexOf('/')
    const [group, plural] = [collection.slice(0, at), collection.slice(at + 1)]
    const rule = this.#rules.find(({ resources }) =>
      resources.some(
        (one) => (one.group === '*' || one.group === group) && (one.plural === '*' || one.plural === plural),
      ),
    )
    this.#collections.set(collection, (found = rule?.providers ?? PLAIN))
    return found
  }
}

function encryptBy({ prefix, provider }: NamedProvider, json: Uint8Array, place: string): Uint8Array {
  const encrypted = provider?.encrypt(json, place) ?? json
  const start = encoder.encode(prefix)
  const value = new Uint8Array(start.length + encrypted.length)
  value.set(start)
  value.set(encrypted, start.length)
  return value
}

/** Why no provider has tried to read a value. */
function missing(providers: readonly NamedProvider[], start: string): string {
  const kind = start.split(':').slice(0, 4).join(':')
  const isKnown = providers.some(({ prefix }) => prefix.startsWith(`${kind}:`))
  return isKnown ? 'no matching key was found for the provided AES transformer' : 'no matching prefix found'
}

/** The place of an object as etcd names it. */
function placeOf(collection: string, key: string): string {
  return `/registry/${collection.startsWith('/') ? collection.slice(1) : collection}/${key}`
}

function unreadable(place: string, problem: string): HomeostatError {
  return new HomeostatError(
    'ENCRYPTION_FAILED',
    `unable to transform key ${JSON.stringify(place)}: ${problem}. Start with an --encryption-provider-config that has the provider and the key by which the object was written`,
  )
}
