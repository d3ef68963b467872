import type { Clock } from '@homeostat/api'
import { authenticated, type TokenReading, type User } from '../auth/index.ts'
import { type JsonObject, quote } from '../schema/index.ts'
import type { ClaimMapping, JwtConfiguration, ValidationRule } from './authentication-configuration.ts'
import { claimEvaluator, textsOf, userEvaluator, type ClaimExpression } from './claim-expressions.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { checkAlgorithm, readToken, type SignedToken } from './json-web-token.ts'
import { TokenProblem } from './token-problem.ts'
import type { Value } from '@homeostat/cel'

const SECOND = 1_000
/** The tolerated difference of clocks for tokens that are not valid yet. */
const LEEWAY = 60 * SECOND
const CREDENTIAL = 'authentication.kubernetes.io/credential-id'

type Evaluate = (expression: ClaimExpression) => Value

/** Finds the users of one issuer's tokens. */
export class JwtAuthenticator {
  readonly #configuration: JwtConfiguration
  readonly #keys: IssuerKeys
  readonly #algorithms: readonly string[]
  readonly #clock: Clock

  constructor(
    configuration: JwtConfiguration,
    keys: IssuerKeys,
    algorithms: readonly string[],
    clock: Clock,
  ) {
    this.#configuration = configuration
    this.#keys = keys
    this.#algorithms = algorithms
    this.#clock = clock
  }

  /** The user of a token, or why it is not accepted. Undefined for tokens of other issuers. */
  async read(token: string, issuer: string): Promise<TokenReading | undefined> {
    if (issuer !== this.#configuration.url) return undefined
    try {
      if (!this.#keys.isReady) throw new TokenProblem('oidc: authenticator not initialized')
      const claims = await this.#verified(token)
      const user = this.#userOf(claims)
      this.#checkUser(user, claims)
      return { user: authenticated(user) }
    } catch (error) {
      if (error instanceof TokenProblem) return { problem: error.message }
      throw error
    }
  }

  async #verified(text: string): Promise<JsonObject> {
    const failed = (why: string): TokenProblem => new TokenProblem(`oidc: verify token: ${why}`)
    const token = readToken(text)
    if (!token) throw failed('oidc: malformed jwt')
    within('oidc: verify token: ', () => checkAlgorithm(token, this.#algorithms))
    if (!(await this.#hasSigned(token, failed))) {
      throw failed('failed to verify signature: failed to verify id token signature')
    }
    within('oidc: verify token: ', () => this.#checkClaims(token.claims))
    return token.claims
  }

  async #hasSigned(token: SignedToken, failed: (why: string) => TokenProblem): Promise<boolean> {
    try {
      return await this.#keys.hasSigned(token)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw failed(`failed to verify signature: fetching keys oidc: get keys failed ${why}`)
    }
  }

  #checkClaims({ sub, aud, exp, nbf }: JsonObject): void {
    if (sub !== undefined && sub !== null && typeof sub !== 'string') {
      const problem = `cannot unmarshal ${jsonType(sub)} into Go struct field idToken.sub of type string`
      throw new TokenProblem(`oidc: failed to unmarshal claims: json: ${problem}`)
    }
    const { audiences } = this.#configuration
    const named = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string')
    if (!named.some((one) => audiences.includes(one))) {
      const [single = ''] = audiences
      const expected = audiences.length === 1 ? quote(single) : `in ${listed(audiences.toSorted())}`
      throw new TokenProblem(`oidc: expected audience ${expected} got ${listed(named)}`)
    }
    const now = this.#clock.now()
    const end = typeof exp === 'number' ? exp * SECOND : undefined
    if (end === undefined || end < now) {
      throw new TokenProblem(`oidc: token is expired (Token Expiry: ${goTime(end)})`)
    }
    if (typeof nbf === 'number' && now + LEEWAY < nbf * SECOND) {
      throw new TokenProblem(
        `oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(nbf * SECOND)}`,
      )
    }
  }

  #userOf(claims: JsonObject): User {
    const { username, groups, uid, extra } = this.#configuration
    const evaluate = claimEvaluator(claims)
    const name = usernameOf(username, claims, evaluate)
    const found = groupsOf(groups, claims, evaluate)
    const id = uidOf(uid, claims, evaluate)
    const attributes = new Map<string, string[]>()
    const { jti } = claims
    if (typeof jti === 'string' && jti !== '') attributes.set(CREDENTIAL, [`JTI=${jti}`])
    for (const { key, expression } of extra.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const value = evaluate(expression)
      const texts = within(`oidc: error evaluating extra claim expression: ${expression.source}: `, () =>
        textsOf(value),
      )
      if (texts.length > 0) attributes.set(key, texts)
    }
    return { name, groups: found, ...(id !== '' && { uid: id }), extra: Object.fromEntries(attributes) }
  }

  #checkUser(user: User, claims: JsonObject): void {
    const { requiredClaims, claimRules, userRules } = this.#configuration
    for (const [claim, value] of requiredClaims) {
      if (!Object.hasOwn(claims, claim)) {
        throw new TokenProblem(`oidc: required claim ${claim} not present in ID token`)
      }
      const found = within(`oidc: parse claim ${claim}: `, () => textClaim(claims[claim]))
      if (found !== value) {
        throw new TokenProblem(
          `oidc: required claim ${claim} value does not match. Got = ${found}, want = ${value}`,
        )
      }
    }
    within('oidc: error evaluating claim validation expression: ', () =>
      checkRules(claimRules, claimEvaluator(claims)),
    )
    within('oidc: error evaluating user info validation rule: ', () =>
      checkRules(userRules, userEvaluator(user)),
    )
  }
}

function checkRules(rules: readonly ValidationRule[], evaluate: Evaluate): void {
  // All rules are evaluated before the first one that fails is reported.
  const results = rules.map((rule) => ({ ...rule, value: evaluate(rule.expression) }))
  for (const { expression, message, value } of results) {
    if (value !== true) {
      throw new TokenProblem(`validation expression '${expression.source}' failed: ${message}`)
    }
  }
}

function usernameOf(
  { claim, prefix, expression }: ClaimMapping,
  claims: JsonObject,
  evaluate: Evaluate,
): string {
  if (expression) {
    const name = within('oidc: error evaluating username claim expression: ', () => {
      const value = evaluate(expression)
      if (typeof value !== 'string') throw new TokenProblem('username claim expression must return a string')
      return value
    })
    if (name === '') throw new TokenProblem('oidc: empty username via CEL expression is not allowed')
    return name
  }
  const name = within(`oidc: parse username claims ${quote(claim)}: `, () => textClaim(claims[claim]))
  if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
    const { email_verified: verified } = claims
    if (typeof verified !== 'boolean') {
      const problem = `json: cannot unmarshal ${jsonType(verified)} into Go value of type bool`
      throw new TokenProblem(`oidc: parse 'email_verified' claim: ${problem}`)
    }
    if (!verified) throw new TokenProblem('oidc: email not verified')
  }
  return `${prefix}${name}`
}

function groupsOf(
  { claim, prefix, expression }: ClaimMapping,
  claims: JsonObject,
  evaluate: Evaluate,
): string[] {
  if (claim !== '') {
    if (!Object.hasOwn(claims, claim)) return []
    const value = claims[claim]
    const groups = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
    const found = groups ?? within(`oidc: parse groups claim ${quote(claim)}: `, () => [textClaim(value)])
    return found.map((group) => `${prefix}${group}`)
  }
  if (!expression) return []
  return within('oidc: error evaluating group claim expression: ', () => textsOf(evaluate(expression)))
}

function uidOf({ claim, expression }: ClaimMapping, claims: JsonObject, evaluate: Evaluate): string {
  if (claim !== '') return within(`oidc: parse uid claim ${quote(claim)}: `, () => textClaim(claims[claim]))
  if (!expression) return ''
  return within('oidc: error evaluating uid claim expression: ', () => {
    const value = evaluate(expression)
    if (typeof value !== 'string') throw new TokenProblem('uid claim expression must return a string')
    return value
  })
}

/** Calls a function, and puts a prefix before the message of its `TokenProblem`. */
function within<T>(prefix: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof TokenProblem) throw new TokenProblem(`${prefix}${error.message}`)
    throw error
  }
}

function textClaim(value: unknown): string {
  if (value === undefined) throw new TokenProblem('claim not present')
  if (value === null) return ''
  if (typeof value === 'string') return value
  throw new TokenProblem(`json: cannot unmarshal ${jsonType(value)} into Go value of type string`)
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function listed(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}

/** A time as Go prints it; undefined where there is none. */
function goTime(time: number | undefined): string {
  if (time === undefined) return '0001-01-01 00:00:00 +0000 UTC'
  return new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.0+)?Z$/, ' +0000 UTC')
}
