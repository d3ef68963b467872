import { resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { followFile } from '../flags/configuration-file.ts'
import { parseYaml } from '../flags/files.ts'
import type { Flag } from '../flags/flags.ts'

/** The flags that say which authorizers decide what users may do. */
export const AUTHORIZATION_FLAGS = {
  'authorization-mode': {
    value: 'MODES',
    help: 'the authorizers in their order: RBAC (the default), Webhook, AlwaysAllow, AlwaysDeny; others have no effect',
  },
  'authorization-config': {
    value: 'FILE',
    help: 'an AuthorizationConfiguration: the authorizers in their order; instead of the other flags',
  },
  'authorization-webhook-config-file': {
    value: 'FILE',
    help: 'a kubeconfig for the webhook of the mode Webhook',
  },
  'authorization-webhook-version': {
    value: 'VERSION',
    help: 'the version of SubjectAccessReview that the webhook gets: v1beta1 (default) or v1',
  },
  'authorization-webhook-cache-authorized-ttl': {
    value: 'DURATION',
    help: 'how long answers that allow a request are kept (default 5m; 0 keeps none)',
  },
  'authorization-webhook-cache-unauthorized-ttl': {
    value: 'DURATION',
    help: 'how long answers that do not allow a request are kept (default 30s; 0 keeps none)',
  },
} satisfies Record<string, Flag>

type AuthorizationFlag = keyof typeof AUTHORIZATION_FLAGS

/** The flags that a configuration replaces. */
const LEGACY: readonly AuthorizationFlag[] = [
  'authorization-mode',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
]

/** The options of a server that the flags ask for. */
export interface AuthorizationOptions {
  readonly authorization?: unknown
  readonly alwaysAllow?: boolean
}

/** The modes of kube-apiserver. */
const MODES: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node']
const WITHOUT_EFFECT: readonly string[] = ['ABAC', 'Node']

/** Reads the flags. Calls `warn` for a mode without an effect. Fails with a message that names the flag. */
export async function authorizationOptions(
  value: (flag: AuthorizationFlag) => string | undefined,
  warn: (message: string) => void,
): Promise<AuthorizationOptions> {
  const file = value('authorization-config')
  if (file !== undefined) {
    if (LEGACY.some((name) => value(name) !== undefined)) {
      throw usage(
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      )
    }
    return {
      authorization: await followFile('authorization-config', file, (text) =>
        parseYaml('authorization-config', file, text),
      ),
    }
  }
  const modes = modesOf(value('authorization-mode'))
  for (const mode of modes.filter((one) => WITHOUT_EFFECT.includes(one))) {
    warn(
      `--authorization-mode: ${mode} has no effect: this server has RBAC, Webhook, AlwaysAllow and AlwaysDeny`,
    )
  }
  const kubeconfig = value('authorization-webhook-config-file')
  if (kubeconfig !== undefined && !modes.includes('Webhook')) {
    throw usage('cannot specify --authorization-webhook-config-file without mode Webhook')
  }
  const effective = modes.filter((mode) => !WITHOUT_EFFECT.includes(mode))
  if (effective.every((mode) => mode === 'RBAC' || mode === 'AlwaysAllow')) {
    return effective.includes('AlwaysAllow') ? { alwaysAllow: true } : {}
  }
  return {
    authorization: {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthorizationConfiguration',
      authorizers: effective.map((type) =>
        type === 'Webhook'
          ? { type, name: 'default', webhook: webhookOf(value, kubeconfig) }
          : { type, name: type.toLowerCase() },
      ),
    },
  }
}

function modesOf(text: string | undefined): string[] {
  const modes = (text ?? '')
    .split(',')
    .map((mode) => mode.trim())
    .filter(Boolean)
  for (const mode of modes) {
    if (!MODES.includes(mode)) throw usage(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`)
    if (modes.indexOf(mode) !== modes.lastIndexOf(mode)) {
      const given = modes.map((one) => JSON.stringify(one)).join(' ')
      throw usage(`authorization-mode [${given}] has mode specified more than once`)
    }
  }
  return modes
}

function webhookOf(
  value: (flag: AuthorizationFlag) => string | undefined,
  kubeconfig: string | undefined,
): object {
  if (kubeconfig === undefined) {
    throw usage(
      "authorization-mode Webhook's authorization config file not passed: give --authorization-webhook-config-file",
    )
  }
  const authorizedTTL = value('authorization-webhook-cache-authorized-ttl') ?? '5m'
  const unauthorizedTTL = value('authorization-webhook-cache-unauthorized-ttl') ?? '30s'
  return {
    timeout: '30s',
    failurePolicy: 'NoOpinion',
    subjectAccessReviewVersion: value('authorization-webhook-version') ?? 'v1beta1',
    authorizedTTL,
    cacheAuthorizedRequests: !isZero(authorizedTTL),
    unauthorizedTTL,
    cacheUnauthorizedRequests: !isZero(unauthorizedTTL),
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: resolve(kubeconfig) },
  }
}

function isZero(duration: string): boolean {
  return /^0+(?:ns|us|µs|ms|s|m|h)?$/.test(duration)
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
