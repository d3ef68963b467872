import { HomeostatError, type ObjectKey } from '@homeostat/api'
import { Secret } from '@homeostat/api/kinds'
import type { Client } from '../../client/index.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../../requests/index.ts'
import { fromSecretData, toSecretData, type CertificateSet } from './certificate-set.ts'

/** The stored set, as it was read. */
export interface StoredSet {
  /** Absent where nothing is stored. The content is not checked. */
  readonly set?: CertificateSet | undefined
  /** A write with this version fails if another process has written since. */
  readonly version?: string | undefined
  /** Whether a user requests a new certificate early. */
  readonly isRenewalRequested?: boolean | undefined
}

/** Where the processes of an operator share their certificates. */
export interface CertificateStore {
  /** For people: `the Secret books/operator-webhook-certificates`. */
  readonly name: string
  read(client: Client): Promise<StoredSet>
  /** Replaces the set that was read. Resolves with false, and stores nothing, if another process has replaced it first. */
  write(client: Client, set: CertificateSet, before: StoredSet): Promise<boolean>
}

/** The label of objects that the runtime itself has created, and may change. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'homeostat' } as const

/** The annotation of the Secret that asks for a new certificate at once. It is removed with the renewal. */
const RENEW = 'homeostat.dev/renew'

/**
 * Certificates in a Secret. A Secret that others created is left alone unless it is empty: a manifest may create an empty one, so that
 * the operator needs no right to create Secrets.
 */
export class SecretStore implements CertificateStore {
  readonly name: string
  readonly #key: Required<ObjectKey>

  constructor(key: { readonly namespace: string; readonly name: string }) {
    this.#key = key
    this.name = `the Secret ${key.namespace}/${key.name}`
  }

  async read(client: Client): Promise<StoredSet> {
    const secret = await client.get(Secret, this.#key)
    if (!secret) return {}
    const version = secret.metadata.resourceVersion
    const isOurs = Object.entries(MANAGED_BY).every(
      ([name, value]) => secret.metadata.labels?.[name] === value,
    )
    const isRenewalRequested = secret.metadata.annotations?.[RENEW] !== undefined
    if (isOurs) return { set: fromSecretData(secret.data), version, isRenewalRequested }
    if (Object.keys(secret.data ?? {}).length === 0) return { version }
    throw new HomeostatError(
      'WEBHOOK_SECRET_FOREIGN',
      `${this.name} holds something other than the operator's certificates: it has no label app.kubernetes.io/managed-by=homeostat. Delete it, or set certificates.secret in the options of addWebhooks to another name. To use the Secret as it is, mount it and set tls to its files`,
    )
  }

  async write(client: Client, set: CertificateSet, before: StoredSet): Promise<boolean> {
    const data = toSecretData(set)
    try {
      if (before.version === undefined) {
        const metadata = { ...this.#key, labels: MANAGED_BY }
        await client.create(Secret, { metadata, type: 'kubernetes.io/tls', data })
      } else {
        const isFulfilled = before.isRenewalRequested && set.certificate !== before.set?.certificate
        const annotations = isFulfilled ? { annotations: { [RENEW]: null } } : {}
        const metadata = { resourceVersion: before.version, labels: MANAGED_BY, ...annotations }
        await client.patch(Secret, this.#key, { type: 'merge', body: { metadata, data } })
      }
      return true
    } catch (error) {
      if (isAlreadyExists(error) || isConflict(error) || isNotFound(error)) return false
      throw error
    }
  }
}

/** Certificates of one process alone, which it makes again with each start. */
export class MemoryStore implements CertificateStore {
  readonly name = 'the memory of this process'
  #stored: StoredSet = {}

  read(): Promise<StoredSet> {
    return Promise.resolve(this.#stored)
  }

  write(_client: Client, set: CertificateSet): Promise<boolean> {
    this.#stored = { set, version: String(Number(this.#stored.version ?? 0) + 1) }
    return Promise.resolve(true)
  }
}
