import { checkOptionNames, HomeostatError, optionNames } from '@homeostat/api'
import { storedObject, type Registry, type ServerObject, uid } from '../../registry/index.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import type { TokenReading } from '../access/authenticate.ts'
import { quoteAll } from '../rbac/covers.ts'
import { serviceAccountGroups, serviceAccountUser } from '../access/service-account-name.ts'
import { claimsOf, type TokenKey, TokenKeys } from './token-keys.ts'
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
  /** The object with which the token ends; for a Pod, with its node. */
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
  readonly #registry: Registry

  constructor(registry: Registry, options: ServiceAccountOptions = {}) {
    checkOptionNames(options, ACCOUNT_OPTIONS)
    this.#registry = registry
    this.issuer = options.issuer ?? DEFAULT_ISSUER
    this.audiences = options.audiences ?? [this.issuer]
    this.keys = new TokenKeys(options.signingKey, options.verificationKeys)
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

  /** The user of a token. Undefined for a token that names another issuer. */
  async read(token: string, audiences: readonly string[]): Promise<TokenReading | undefined> {
    if (claimsOf(token)?.['iss'] !== this.issuer) return undefined
    try {
      const claims = await this.keys.verify(token)
      if (!claims) throw new Refusal('go-jose/go-jose: error in cryptographic primitive')
      return this.#reading(claims, audiences)
    } catch (error) {
      if (error instanceof Refusal) return { problem: error.message }
      throw error
    }
  }

  #reading(claims: JsonObject, audiences: readonly string[]): TokenReading {
    const meant = listOf(claims['aud']).filter((one) => typeof one === 'string')
    const shared = meant.filter((one) => audiences.includes(one))
    if (shared.length === 0) {
      throw new Refusal(
        `token audiences ${quoteAll(meant)} is invalid for the target audiences ${quoteAll(audiences)}`,
      )
    }
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
    return { user, audiences: shared }
  }

  #checkTimes(claims: JsonObject): void {
    const now = this.#registry.clock.now()
    const { nbf, exp, iat } = claims
    if (Number(nbf ?? 0) * SECOND > now + LEEWAY) throw new Refusal('service account token is not valid yet')
    if (Number(exp ?? 0) * SECOND < now - LEEWAY) throw new Refusal('service account token has expired')
    if (Number(iat ?? 0) * SECOND > now + LEEWAY) {
      throw new Refusal('service account token is issued in the future')
    }
  }

  #checkAccount(namespace: string, { name, uid }: Reference): void {
    const found = this.#find('serviceaccounts', `${namespace}/${name}`)
    if (!found) throw new Refusal(`serviceaccounts ${JSON.stringify(name)} not found`)
    if (found.metadata.uid !== uid) {
      throw new Refusal(`service account UID (${found.metadata.uid}) does not match claim (${uid})`)
    }
    if (this.#isGone(found)) throw new Refusal(`service account ${namespace}/${name} has been deleted`)
  }

  #checkBound(kind: string, plural: string, prefix: string, { name, uid }: Reference): void {
    const found = this.#find(plural, `${prefix}${name}`)
    if (!found) throw new Refusal(INVALIDATED)
    if (found.metadata.uid !== uid) {
      throw new Refusal(
        `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${uid})`,
      )
    }
    if (this.#isGone(found)) throw new Refusal(INVALIDATED)
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

/** Why a token is not accepted, in the API's words. */
class Refusal extends HomeostatError {
  override readonly name = 'Refusal'

  constructor(message: string) {
    super('TOKEN_REFUSED', message)
  }
}
