import { checkOptionNames, optionNames } from '@homeostat/api'
import { storedObject, type Registry, type ServerObject, uid } from '../../registry/index.ts'
import { type JsonObject, objectOf, textOf } from '../../schema/index.ts'
import type { TokenReading } from '../access/authenticate.ts'
import { quoteAll } from '../rbac/covers.ts'
import { serviceAccountGroups, serviceAccountUser } from '../access/service-account-name.ts'
import { LEGACY_ISSUER, LegacyTokens } from './legacy-tokens.ts'
import { claimsOf, type TokenKey, TokenKeys } from './token-keys.ts'
import { TokenRefusal } from './token-refusal.ts'
import { authenticated } from '../access/user.ts'

/** How the server makes tokens of ServiceAccounts. */
export interface ServiceAccountOptions {
  /** The issuer that the tokens name. Default: `https://kubernetes.default.svc`. */
  readonly issuer?: string | undefined
  /**
   * The audiences of tokens that were requested without any, and the audiences that this server accepts. Default:
   * the issuer.
   */
  readonly audiences?: readonly string[] | undefined
  /**
   * The private key that signs. Default: one that is generated for this server, and lost with it unless a data
   * folder keeps it.
   */
  readonly signingKey?: TokenKey | undefined
  /** Further keys whose tokens the server accepts besides the signing key's, such as the old key after a rotation. */
  readonly verificationKeys?: readonly TokenKey[] | undefined
  /** The longest time, in seconds, that a token is made for. Longer requests are shortened. Default: 2^32 seconds. */
  readonly maxExpirationSeconds?: number | undefined
  /**
   * Whether the tokens that kubelets request for Pods stay valid for a year, so that programs which read them only
   * once continue to work. Default: true.
   */
  readonly extendExpiration?: boolean | undefined
  /**
   * Whether every Pod must name an existing ServiceAccount (`default` if it names none) and gets its token in a
   * volume. Default: false, since a controller has to create the `default` ServiceAccount in each namespace.
   */
  readonly admission?: boolean | undefined
}

const ACCOUNT_OPTIONS = optionNames<ServiceAccountOptions>('the option serviceAccounts', {
  issuer: true,
  audiences: true,
  signingKey: true,
  verificationKeys: true,
  maxExpirationSeconds: true,
  extendExpiration: true,
  admission: true,
})

/** The content of a token. */
export interface TokenSubject {
  readonly account: ServerObject
  readonly audiences: readonly string[]
  /** In seconds. */
  readonly lifetime: number
  /** After how many seconds a token that lives longer is stale. */
  readonly warnAfter?: number | undefined
  /** The object that the token is bound to: a Pod, also with its node, or a Secret. The token ends with it. */
  readonly pod?: ServerObject | undefined
  readonly secret?: ServerObject | undefined
  readonly node?: Bound | undefined
}

/** The claims about the object that a token is bound to. */
interface Bound {
  readonly metadata: { readonly name?: string | undefined; readonly uid?: string | undefined }
}

const SECOND = 1000
/** The tolerated difference of clocks. */
const LEEWAY = 60 * SECOND
const DEFAULT_ISSUER = 'https://kubernetes.default.svc'
const EXTRA = 'authentication.kubernetes.io'
const INVALIDATED = 'service account token has been invalidated'

/**
 * Issues and verifies tokens of ServiceAccounts. A token expires by the server's clock, and ends with its
 * ServiceAccount and with the object that it is bound to.
 */
export class ServiceAccountTokens {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly keys: TokenKeys
  /** Tokens in Secrets. */
  readonly legacy: LegacyTokens
  readonly maxExpirationSeconds: number | undefined
  readonly extendExpiration: boolean
  readonly #registry: Registry

  constructor(registry: Registry, options: ServiceAccountOptions = {}) {
    checkOptionNames(options, ACCOUNT_OPTIONS)
    this.#registry = registry
    this.issuer = options.issuer ?? DEFAULT_ISSUER
    this.audiences = options.audiences ?? [this.issuer]
    this.keys = new TokenKeys(options.signingKey, options.verificationKeys)
    this.legacy = new LegacyTokens(registry, this.keys)
    this.maxExpirationSeconds = options.maxExpirationSeconds
    this.extendExpiration = options.extendExpiration ?? true
  }

  issue(subject: TokenSubject): Promise<string> {
    const { clock } = this.#registry
    const { metadata } = subject.account
    const { name = '', namespace = '' } = metadata
    const now = Math.floor(clock.now() / SECOND)
    const { pod, secret, node, warnAfter } = subject
    return this.keys.sign({
      aud: subject.audiences,
      exp: now + subject.lifetime,
      iat: now,
      iss: this.issuer,
      jti: uid(clock),
      'kubernetes.io': {
        namespace,
        ...(node && { node: reference(node) }),
        ...(pod && { pod: reference(pod) }),
        ...(secret && { secret: reference(secret) }),
        serviceaccount: reference(subject.account),
        ...(warnAfter && { warnafter: now + warnAfter }),
      },
      nbf: now,
      sub: serviceAccountUser(namespace, name),
    })
  }

  /** The user of a token. Undefined for a token that names another issuer, and for other texts. */
  async read(token: string, audiences: readonly string[]): Promise<TokenReading | undefined> {
    const issuer = claimsOf(token)?.['iss']
    if (issuer !== this.issuer && issuer !== LEGACY_ISSUER) return undefined
    const claims = await this.keys.verify(token)
    if (claims === 'malformed') return undefined
    if (claims === 'unknown key') return { problem: 'invalid signature, no keys found' }
    if (claims === 'wrong signature') return { problem: 'go-jose/go-jose: error in cryptographic primitive' }
    try {
      const shared = this.#sharedAudiences(claims, audiences)
      const reading = issuer === LEGACY_ISSUER ? await this.legacy.read(token, claims) : this.#reading(claims)
      return { ...reading, audiences: shared }
    } catch (error) {
      if (error instanceof TokenRefusal) return { problem: error.message }
      throw error
    }
  }

  /** The wanted audiences that a token is for. A token that names no audience is for this server. */
  #sharedAudiences({ aud }: JsonObject, audiences: readonly string[]): string[] {
    const named = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string')
    const meant = named.length > 0 ? named : this.audiences
    const shared = audiences.filter((one) => meant.includes(one))
    if (shared.length > 0) return shared
    throw new TokenRefusal(
      `token audiences ${quoteAll(meant)} is invalid for the target audiences ${quoteAll(audiences)}`,
    )
  }

  #reading(claims: JsonObject): TokenReading {
    this.#checkTimes(claims)
    const { namespace: place, serviceaccount, pod, secret, node } = objectOf(claims['kubernetes.io'])
    const namespace = textOf(place)
    const account = refOf(serviceaccount)
    this.#checkAccount(namespace, account)
    if (secret) this.#checkBound('secret', 'secrets', `${namespace}/`, refOf(secret))
    if (pod) this.#checkBound('pod', 'pods', `${namespace}/`, refOf(pod))
    else if (node) this.#checkBound('node', 'nodes', '', refOf(node))
    const extra: Record<string, string[]> = {}
    const jti = textOf(claims['jti'])
    if (jti !== '') extra[`${EXTRA}/credential-id`] = [`JTI=${jti}`]
    if (node) {
      const { name, uid } = refOf(node)
      extra[`${EXTRA}/node-name`] = [name]
      if (uid !== '') extra[`${EXTRA}/node-uid`] = [uid]
    }
    if (pod) {
      extra[`${EXTRA}/pod-name`] = [refOf(pod).name]
      extra[`${EXTRA}/pod-uid`] = [refOf(pod).uid]
    }
    const user = authenticated({
      name: serviceAccountUser(namespace, account.name),
      uid: account.uid,
      groups: serviceAccountGroups(namespace),
      extra,
    })
    return { user, annotations: this.#staleness(claims) }
  }

  /** The audit annotation for a token that is valid longer than it was requested for. */
  #staleness(claims: JsonObject): Record<string, string> | undefined {
    const warnAfter = Number(objectOf(claims['kubernetes.io'])['warnafter'] ?? 0)
    const late = Math.floor(this.#registry.clock.now() / SECOND) - warnAfter
    if (warnAfter === 0 || late < 0) return undefined
    const text = `subject: ${textOf(claims['sub'])}, seconds after warning threshold: ${late}`
    return { 'authentication.k8s.io/stale-token': text }
  }

  #checkTimes(claims: JsonObject): void {
    const now = this.#registry.clock.now()
    const { nbf, exp, iat } = claims
    if (Number(nbf ?? 0) * SECOND > now + LEEWAY)
      throw new TokenRefusal('service account token is not valid yet')
    if (Number(exp ?? 0) * SECOND < now - LEEWAY) throw new TokenRefusal('service account token has expired')
    if (Number(iat ?? 0) * SECOND > now + LEEWAY) {
      throw new TokenRefusal('service account token is issued in the future')
    }
  }

  #checkAccount(namespace: string, { name, uid }: Reference): void {
    const found = this.#find('serviceaccounts', `${namespace}/${name}`)
    if (!found) throw new TokenRefusal(`serviceaccounts ${JSON.stringify(name)} not found`)
    if (found.metadata.uid !== uid) {
      throw new TokenRefusal(`service account UID (${found.metadata.uid}) does not match claim (${uid})`)
    }
    if (this.#isGone(found)) throw new TokenRefusal(`service account ${namespace}/${name} has been deleted`)
  }

  #checkBound(kind: string, plural: string, prefix: string, { name, uid }: Reference): void {
    const found = this.#find(plural, `${prefix}${name}`)
    if (!found) throw new TokenRefusal(INVALIDATED)
    if (found.metadata.uid !== uid) {
      throw new TokenRefusal(
        `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${uid})`,
      )
    }
    if (this.#isGone(found)) throw new TokenRefusal(INVALIDATED)
  }

  #find(plural: string, key: string): ServerObject | undefined {
    const stored = this.#registry.store.get(`/${plural}`, key)
    return stored && storedObject(stored)
  }

  /** Whether an object's deletion is overdue. */
  #isGone({ metadata }: ServerObject): boolean {
    const { deletionTimestamp } = metadata
    if (!deletionTimestamp) return false
    return Date.parse(deletionTimestamp) < this.#registry.clock.now() - LEEWAY
  }
}

interface Reference {
  readonly name: string
  readonly uid: string
}

function reference({ metadata }: Bound): JsonObject {
  return { name: metadata.name, ...(metadata.uid && { uid: metadata.uid }) }
}

function refOf(value: unknown): Reference {
  const { name, uid } = objectOf(value)
  return { name: textOf(name), uid: textOf(uid) }
}
