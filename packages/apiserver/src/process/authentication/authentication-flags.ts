import { resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import type { TokenWebhookOptions } from '../../authentication/index.ts'
import { followFile } from '../flags/configuration-file.ts'
import { parseYaml, readText } from '../flags/files.ts'
import type { Flag } from '../flags/flags.ts'

/** The flags that say which tokens authenticate users, besides those of ServiceAccounts. */
export const AUTHENTICATION_FLAGS = {
  'authentication-config': {
    value: 'FILE',
    help: 'an AuthenticationConfiguration: issuers of JSON web tokens (OIDC), and anonymous requests',
  },
  'anonymous-auth': {
    value: 'BOOL',
    help: 'whether requests without credentials are allowed (default true; false with the mode AlwaysAllow)',
  },
  'authentication-token-webhook-config-file': {
    value: 'FILE',
    help: 'a kubeconfig for the webhook that finds the users of all other tokens',
  },
  'authentication-token-webhook-version': {
    value: 'VERSION',
    help: 'the version of TokenReview that the webhook gets: v1beta1 (default) or v1',
  },
  'authentication-token-webhook-cache-ttl': {
    value: 'DURATION',
    help: 'how long the answers of the webhook are kept (default 2m)',
  },
  'oidc-issuer-url': { value: 'URL', help: 'an issuer of JSON web tokens (OIDC), by https' },
  'oidc-client-id': { value: 'NAME', help: 'the audience that tokens of the issuer must have' },
  'oidc-username-claim': { value: 'NAME', help: 'the claim with the name of the user (default sub)' },
  'oidc-username-prefix': {
    value: 'TEXT',
    help: 'the prefix of the name; - for none (default: the issuer and #, unless the claim is email)',
  },
  'oidc-groups-claim': { value: 'NAME', help: 'the claim with the groups of the user (default: none)' },
  'oidc-groups-prefix': { value: 'TEXT', help: 'the prefix of each group (default: none)' },
  'oidc-required-claim': { value: 'CLAIMS', help: 'claims that tokens must have: name=value,name=value' },
  'oidc-ca-file': {
    value: 'FILE',
    help: 'the authorities of the issuer’s certificate (default: the machine’s)',
  },
  'oidc-signing-algs': {
    value: 'NAMES',
    help: 'the accepted algorithms of signatures (default RS256)',
  },
} satisfies Record<string, Flag>

type AuthenticationFlag = keyof typeof AUTHENTICATION_FLAGS

const OIDC_FLAGS: readonly AuthenticationFlag[] = [
  'oidc-issuer-url',
  'oidc-client-id',
  'oidc-username-claim',
  'oidc-username-prefix',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-required-claim',
  'oidc-ca-file',
  'oidc-signing-algs',
]

/** The options of a server that the flags ask for. */
export interface AuthenticationOptions {
  readonly authentication?: unknown
  readonly tokenAlgorithms?: readonly string[]
  readonly tokenWebhook?: TokenWebhookOptions
}

const API = 'apiserver.config.k8s.io/v1'

/** Gives the value of a flag. The mode of authorization is one of them, since it decides about anonymous requests. */
type ReadFlag = (flag: AuthenticationFlag | 'authorization-mode') => string | undefined

/**
 * Reads the flags. Calls `warn` where the mode of authorization turns off anonymous requests. Fails with a message that
 * names the flag.
 */
export async function authenticationOptions(
  value: ReadFlag,
  warn: (message: string) => void,
): Promise<AuthenticationOptions> {
  return { ...(await configurationOptions(value, warn)), ...(await tokenWebhookOptions(value)) }
}

async function tokenWebhookOptions(value: ReadFlag): Promise<Pick<AuthenticationOptions, 'tokenWebhook'>> {
  const file = value('authentication-token-webhook-config-file')
  if (file === undefined) return {}
  const version = value('authentication-token-webhook-version') ?? 'v1beta1'
  if (version !== 'v1' && version !== 'v1beta1') {
    throw usage(`--authentication-token-webhook-version=${version} is not supported: give v1 or v1beta1`)
  }
  const lifetime = value('authentication-token-webhook-cache-ttl')
  // Imported late, since `--help` needs nothing of the server.
  const { durationOf } = await import('../flags/durations.ts')
  return {
    tokenWebhook: {
      kubeconfig: resolve(file),
      version,
      ...(lifetime !== undefined && {
        cacheLifetime: durationOf('authentication-token-webhook-cache-ttl', lifetime),
      }),
    },
  }
}

async function configurationOptions(
  value: ReadFlag,
  warn: (message: string) => void,
): Promise<AuthenticationOptions> {
  const usesOidc = OIDC_FLAGS.some((name) => value(name) !== undefined)
  const file = value('authentication-config')
  const anonymous = anonymousFlag(value, warn)
  if (file !== undefined) {
    if (usesOidc) throw usage('authentication-config file and oidc-* flags are mutually exclusive')
    return { authentication: await openConfiguration(file, anonymous, value('anonymous-auth') !== undefined) }
  }
  if (!usesOidc && anonymous === undefined) return {}
  return {
    authentication: {
      apiVersion: API,
      kind: 'AuthenticationConfiguration',
      ...(usesOidc && { jwt: [oidcIssuer(value)] }),
      ...anonymousPart(anonymous),
    },
    ...(usesOidc && { tokenAlgorithms: (value('oidc-signing-algs') ?? 'RS256').split(',') }),
  }
}

/** The flag for anonymous requests. They are turned off, as in kube-apiserver, where every user may do everything. */
function anonymousFlag(value: ReadFlag, warn: (message: string) => void): string | undefined {
  const given = value('anonymous-auth')
  const modes = (value('authorization-mode') ?? '').split(',').map((mode) => mode.trim())
  if (!modes.includes('AlwaysAllow') || given === 'false') return given
  warn('--authorization-mode: AlwaysAllow turns off anonymous requests: send a token or a certificate')
  return 'false'
}

function anonymousPart(text: string | undefined): { anonymous?: { enabled: boolean } } {
  return text === undefined ? {} : { anonymous: { enabled: text !== 'false' } }
}

function oidcIssuer(value: (flag: AuthenticationFlag) => string | undefined): object {
  const [url, audience] = [value('oidc-issuer-url'), value('oidc-client-id')]
  if (!url || !audience) {
    throw usage('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set')
  }
  const claim = value('oidc-username-claim') ?? 'sub'
  const given = value('oidc-username-prefix')
  const prefix = given === '-' ? '' : (given ?? (claim === 'email' ? '' : `${url}#`))
  const groups = value('oidc-groups-claim')
  const authority = value('oidc-ca-file')
  const required = (value('oidc-required-claim') ?? '').split(',').filter(Boolean)
  return {
    issuer: {
      url,
      audiences: [audience],
      ...(authority !== undefined && { certificateAuthority: readText('oidc-ca-file', authority) }),
    },
    claimMappings: {
      username: { claim, prefix },
      ...(groups !== undefined && { groups: { claim: groups, prefix: value('oidc-groups-prefix') ?? '' } }),
    },
    claimValidationRules: required.map((one) => {
      const at = one.indexOf('=')
      if (at < 0) throw usage(`--oidc-required-claim: ${one} must be formatted as key=value`)
      return { claim: one.slice(0, at), requiredValue: one.slice(at + 1) }
    }),
  }
}

/**
 * The configuration in a file. Where it does not mention anonymous requests, the flags decide about them. It must not
 * mention them if `isGiven` is true: then a flag is about them alone.
 */
function openConfiguration(file: string, anonymous: string | undefined, isGiven: boolean): Promise<unknown> {
  return followFile('authentication-config', file, async (text) => {
    const value = await parseYaml('authentication-config', file, text)
    const { isObject } = await import('../../schema/values/json.ts')
    if (!isObject(value)) {
      throw usage(`--authentication-config: ${file} is not an AuthenticationConfiguration`)
    }
    const configured = value['anonymous'] ?? undefined
    if (configured === undefined) return { ...value, ...anonymousPart(anonymous) }
    if (isGiven) {
      throw usage(
        '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
      )
    }
    return value
  })
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
