import { HomeostatError } from '@homeostat/api'
import { configurationProblem, domainPrefixedPath, type ConfigurationShape } from '../checks/index.ts'
import {
  aggregate,
  duplicateValue,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  requiredValue,
} from '../schema/index.ts'
import { addAll } from '../work/index.ts'
import { compileClaims, compileUser, type ClaimExpression } from './claim-expressions.ts'

const MAPPING = { claim: 'string', prefix: 'string', expression: 'string' } as const

const SHAPE: ConfigurationShape = {
  apiVersion: 'string',
  kind: 'string',
  jwt: [
    {
      issuer: {
        url: 'string',
        discoveryURL: 'string',
        certificateAuthority: 'string',
        audiences: ['string'],
        audienceMatchPolicy: 'string',
        egressSelectorType: 'string',
      },
      claimValidationRules: [
        { claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' },
      ],
      claimMappings: {
        username: MAPPING,
        groups: MAPPING,
        uid: { claim: 'string', expression: 'string' },
        extra: [{ key: 'string', valueExpression: 'string' }],
      },
      userValidationRules: [{ expression: 'string', message: 'string' }],
    },
  ],
  anonymous: { enabled: 'boolean', conditions: [{ path: 'string' }] },
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1']

/** A claim with its prefix, or an expression; neither where nothing is mapped. */
export interface ClaimMapping {
  readonly claim: string
  readonly prefix: string
  readonly expression: ClaimExpression | undefined
}

/** A rule about claims or about the user. */
export interface ValidationRule {
  readonly expression: ClaimExpression
  readonly message: string
}

/** One issuer whose tokens are accepted, and how a token names its user. */
export interface JwtConfiguration {
  readonly url: string
  readonly discoveryUrl: string
  /** In PEM; empty for the authorities of the machine. */
  readonly certificateAuthority: string
  readonly audiences: readonly string[]
  readonly username: ClaimMapping
  readonly groups: ClaimMapping
  readonly uid: ClaimMapping
  readonly extra: readonly { readonly key: string; readonly expression: ClaimExpression }[]
  /** Claims that a token must have, with their values. */
  readonly requiredClaims: readonly (readonly [string, string])[]
  readonly claimRules: readonly ValidationRule[]
  readonly userRules: readonly ValidationRule[]
}

/** The content of an AuthenticationConfiguration. */
export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtConfiguration[]
  /** The paths that anonymous requests may ask for: all, none, or some. */
  readonly anonymous: 'all' | 'none' | ReadonlySet<string>
}

/**
 * Reads an AuthenticationConfiguration. Fails with `AUTHENTICATION_CONFIGURATION_INVALID` and kube-apiserver's messages.
 * No issuer may be one of `reserved`.
 */
export function readConfiguration(value: unknown, reserved: readonly string[]): AuthenticationConfiguration {
  const problem = configurationProblem(value, 'AuthenticationConfiguration', VERSIONS, SHAPE)
  if (problem !== undefined || !isObject(value)) throw invalid(problem ?? 'it is not an object')
  const errors: FieldError[] = []
  const seen = { url: new Set<string>(), discoveryURL: new Set<string>() }
  const issuers = objects(value['jwt']).map((jwt, index) => {
    const at = `jwt[${index}]`
    const issuer = objectIn(jwt, 'issuer')
    const read = readIssuer(jwt, issuer, at, reserved, errors)
    for (const name of ['url', 'discoveryURL'] as const) {
      const url = text(issuer, name)
      if (url !== '' && seen[name].has(url)) errors.push(duplicateValue(`${at}.issuer.${name}`, url))
      seen[name].add(url)
    }
    return read
  })
  const anonymous = readAnonymous(value['anonymous'], errors)
  if (errors.length > 0) throw invalid(aggregate(errors))
  return { issuers, anonymous }
}

function invalid(problem: string): HomeostatError {
  return new HomeostatError(
    'AUTHENTICATION_CONFIGURATION_INVALID',
    `the authentication configuration cannot be used: ${problem}`,
  )
}

function readAnonymous(value: unknown, errors: FieldError[]): AuthenticationConfiguration['anonymous'] {
  if (!isObject(value)) return 'all'
  const conditions = objects(value['conditions'])
  if (value['enabled'] !== true) {
    if (conditions.length > 0) {
      const detail = 'enabled should be set to true when conditions are defined'
      errors.push(invalidValue('anonymous.conditions', conditions, detail))
    }
    return 'none'
  }
  return conditions.length === 0 ? 'all' : new Set(conditions.map((one) => text(one, 'path')))
}

function readIssuer(
  jwt: JsonObject,
  issuer: JsonObject,
  at: string,
  reserved: readonly string[],
  errors: FieldError[],
): JwtConfiguration {
  addAll(errors, issuerErrors(issuer, `${at}.issuer`, reserved))
  const rules = readClaimRules(objects(jwt['claimValidationRules']), `${at}.claimValidationRules`, errors)
  const mappings = objectIn(jwt, 'claimMappings')
  const field = `${at}.claimMappings`
  const username = readMapping(objectIn(mappings, 'username'), `${field}.username`, errors)
  if (username.claim === '' && text(objectIn(mappings, 'username'), 'expression') === '') {
    errors.push(requiredValue(`${field}.username`, 'claim or expression is required'))
  }
  const groups = readMapping(objectIn(mappings, 'groups'), `${field}.groups`, errors)
  const uid = readMapping(objectIn(mappings, 'uid'), `${field}.uid`, errors, false)
  const extra = readExtra(objects(mappings['extra']), `${field}.extra`, errors)
  checkEmail(username, [...extra, ...rules.claimRules], `${field}.username.expression`, errors)
  return {
    url: text(issuer, 'url'),
    discoveryUrl: text(issuer, 'discoveryURL'),
    certificateAuthority: text(issuer, 'certificateAuthority'),
    audiences: texts(issuer['audiences']),
    username,
    groups,
    uid,
    extra,
    ...rules,
    userRules: readUserRules(objects(jwt['userValidationRules']), `${at}.userValidationRules`, errors),
  }
}

function issuerErrors(issuer: JsonObject, at: string, reserved: readonly string[]): FieldError[] {
  const [url, discovery] = [text(issuer, 'url'), text(issuer, 'discoveryURL')]
  const errors = url === '' ? [requiredValue(`${at}.url`)] : urlErrors(url, `${at}.url`, reserved)
  if (discovery !== '') {
    if (url !== '' && withoutSlash(url) === withoutSlash(discovery)) {
      errors.push(invalidValue(`${at}.discoveryURL`, discovery, 'discoveryURL must be different from URL'))
    }
    addAll(errors, urlErrors(discovery, `${at}.discoveryURL`, []))
  }
  addAll(errors, audienceErrors(texts(issuer['audiences']), text(issuer, 'audienceMatchPolicy'), at))
  const authority = text(issuer, 'certificateAuthority')
  if (authority !== '' && !/-----BEGIN CERTIFICATE-----/.test(authority)) {
    const detail = 'data does not contain any valid RSA or ECDSA certificates'
    errors.push(invalidValue(`${at}.certificateAuthority`, '<omitted>', detail))
  }
  const egress = text(issuer, 'egressSelectorType')
  if (egress !== '') {
    const detail = 'this server has no egress selectors: leave it out'
    errors.push(invalidValue(`${at}.egressSelectorType`, egress, detail))
  }
  return errors
}

function audienceErrors(audiences: readonly string[], policy: string, at: string): FieldError[] {
  const field = `${at}.audiences`
  if (audiences.length === 0) return [requiredValue(field, `at least one ${field} is required`)]
  const errors: FieldError[] = []
  for (const [index, audience] of audiences.entries()) {
    if (audience === '') errors.push(requiredValue(`${field}[${index}]`))
    if (audiences.indexOf(audience) < index) errors.push(duplicateValue(`${field}[${index}]`, audience))
  }
  const detail =
    audiences.length > 1
      ? policy !== 'MatchAny' && 'audienceMatchPolicy must be MatchAny for multiple audiences'
      : policy !== '' &&
        policy !== 'MatchAny' &&
        'audienceMatchPolicy must be empty or MatchAny for single audience'
  if (detail) errors.push(invalidValue(`${at}.audienceMatchPolicy`, policy, detail))
  return errors
}

function urlErrors(url: string, field: string, reserved: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  const add = (detail: string): void => void errors.push(invalidValue(field, url, detail))
  if (reserved.includes(url)) {
    add(`URL must not overlap with disallowed issuers: [${reserved.toSorted().join(' ')}]`)
  }
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:') add('URL scheme must be https')
  if (parsed?.username || parsed?.password) add('URL must not contain a username or password')
  if (parsed?.search) add('URL must not contain a query')
  if (parsed?.hash) add('URL must not contain a fragment')
  return errors
}

function readMapping(
  mapping: JsonObject,
  field: string,
  errors: FieldError[],
  prefixed = true,
): ClaimMapping {
  const [claim, source] = [text(mapping, 'claim'), text(mapping, 'expression')]
  const { prefix } = mapping
  const none = { claim, prefix: typeof prefix === 'string' ? prefix : '', expression: undefined }
  if (claim !== '' && source !== '') {
    errors.push(invalidValue(field, '', "claim and expression can't both be set"))
    return none
  }
  if (prefixed && source !== '' && typeof prefix === 'string') {
    errors.push(invalidValue(`${field}.prefix`, prefix, "prefix can't be set when expression is set"))
  }
  if (prefixed && claim !== '' && typeof prefix !== 'string') {
    errors.push(
      requiredValue(
        `${field}.prefix`,
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
      ),
    )
  }
  return source === '' ? none : { ...none, expression: compileClaims(source, `${field}.expression`, errors) }
}

function readExtra(
  mappings: readonly JsonObject[],
  field: string,
  errors: FieldError[],
): JwtConfiguration['extra'] {
  const seen = new Set<string>()
  return mappings.flatMap((mapping, index) => {
    const at = `${field}[${index}]`
    const [key, source] = [text(mapping, 'key'), text(mapping, 'valueExpression')]
    addAll(errors, domainPrefixedPath(key, `${at}.key`))
    if (key !== key.toLowerCase()) errors.push(invalidValue(`${at}.key`, key, 'must be lowercase'))
    if (/^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(key)) {
      const detail = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'
      errors.push(invalidValue(`${at}.key`, key, detail))
    }
    if (seen.has(key)) {
      errors.push(duplicateValue(`${at}.key`, key))
      return []
    }
    seen.add(key)
    if (source === '') {
      errors.push(requiredValue(`${at}.valueExpression`))
      return []
    }
    const expression = compileClaims(source, `${at}.valueExpression`, errors)
    return expression ? [{ key, expression }] : []
  })
}

function readClaimRules(
  rules: readonly JsonObject[],
  field: string,
  errors: FieldError[],
): Pick<JwtConfiguration, 'requiredClaims' | 'claimRules'> {
  const requiredClaims: [string, string][] = []
  const claimRules: ValidationRule[] = []
  for (const [index, rule] of rules.entries()) {
    const at = `${field}[${index}]`
    const [claim, source, message] = [text(rule, 'claim'), text(rule, 'expression'), text(rule, 'message')]
    if (claim !== '' && source !== '') {
      errors.push(invalidValue(at, claim, "claim and expression can't both be set"))
    } else if (claim === '' && source === '') {
      errors.push(requiredValue(at, 'claim or expression is required'))
    } else if (claim !== '') {
      if (message !== '') {
        errors.push(invalidValue(`${at}.message`, message, 'may not be specified when claim is set'))
      }
      if (requiredClaims.some(([name]) => name === claim)) {
        errors.push(duplicateValue(`${at}.claim`, claim))
      }
      requiredClaims.push([claim, text(rule, 'requiredValue')])
    } else {
      const value = text(rule, 'requiredValue')
      if (value !== '') {
        errors.push(invalidValue(`${at}.requiredValue`, value, 'may not be specified when expression is set'))
      }
      if (claimRules.some(({ expression }) => expression.source === source)) {
        errors.push(duplicateValue(`${at}.expression`, source))
        continue
      }
      const expression = compileClaims(source, `${at}.expression`, errors, true)
      if (expression) claimRules.push({ expression, message })
    }
  }
  return { requiredClaims, claimRules }
}

function readUserRules(rules: readonly JsonObject[], field: string, errors: FieldError[]): ValidationRule[] {
  const seen = new Set<string>()
  return rules.flatMap((rule, index) => {
    const at = `${field}[${index}].expression`
    const source = text(rule, 'expression')
    if (source === '') {
      errors.push(requiredValue(at))
      return []
    }
    if (seen.has(source)) {
      errors.push(duplicateValue(at, source))
      return []
    }
    seen.add(source)
    const expression = compileUser(source, at, errors)
    return expression ? [{ expression, message: text(rule, 'message') }] : []
  })
}

const USES_EMAIL = /\bclaims\s*\.\s*\??\s*email\b/
const USES_VERIFIED = /\bclaims\s*\.\s*\??\s*email_verified\b/

/** A user name may be an email only where an expression also reads `email_verified`. */
function checkEmail(
  { expression }: ClaimMapping,
  others: readonly { readonly expression: ClaimExpression }[],
  field: string,
  errors: FieldError[],
): void {
  if (!expression || !USES_EMAIL.test(expression.source)) return
  if ([{ expression }, ...others].some((one) => USES_VERIFIED.test(one.expression.source))) return
  const detail =
    'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  errors.push(invalidValue(field, expression.source, detail))
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isObject(value) ? value : {}
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function text(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
