import type { PortOptions } from '../port/index.ts'
import type { ApiServerOptions } from '../server-options.ts'
import { AUTHENTICATION_FLAGS, authenticationOptions } from './authentication/authentication-flags.ts'
import { FRONT_PROXY_FLAGS, frontProxyOptions } from './authentication/front-proxy-flags.ts'
import { readTokenFile } from './authentication/token-file.ts'
import { AUTHORIZATION_FLAGS, authorizationOptions } from './authorization/authorization-flags.ts'
import { readText } from './flags/files.ts'
import { flagsHelp, type Flag } from './flags/flags.ts'
import { AUDIT_FLAGS, auditOptions, ENCRYPTION_FLAGS, encryptionConfiguration } from './operation-flags.ts'

export { describeDataLoss } from './data-loss.ts'
export { flagsHelp }

/** The flags of kube-apiserver that `homeostat-apiserver` and `homeostat-cluster` have: users and their rights, the audit log, encryption. */
export const SERVER_FLAGS = {
  ...ENCRYPTION_FLAGS,
  ...AUDIT_FLAGS,
  'token-auth-file': { value: 'FILE', help: 'further users: a line for each, token,user,uid,"group,group"' },
  'client-ca-file': {
    value: 'FILE',
    help: 'authorities that sign client certificates: CN is the user, O the groups',
  },
  ...AUTHENTICATION_FLAGS,
  ...AUTHORIZATION_FLAGS,
  ...FRONT_PROXY_FLAGS,
} satisfies Record<string, Flag>

/** One of `SERVER_FLAGS`. */
export type ServerFlag = keyof typeof SERVER_FLAGS

/** The options of a server and of its port that the flags ask for. */
export interface FlaggedOptions {
  readonly server: Pick<
    ApiServerOptions,
    | 'encryption'
    | 'audit'
    | 'users'
    | 'authentication'
    | 'tokenAlgorithms'
    | 'tokenWebhook'
    | 'authorization'
    | 'alwaysAllow'
  >
  readonly port: Pick<PortOptions, 'clientAuthorities' | 'frontProxy'>
}

/** Reads the flags and the files that they name. Calls `warn` for a value without an effect. Fails with a message that names the flag. */
export async function flaggedOptions(
  value: (flag: ServerFlag) => string | undefined,
  { dataDir, warn }: { readonly dataDir: string | undefined; readonly warn: (message: string) => void },
): Promise<FlaggedOptions> {
  const text = (flag: ServerFlag): string | undefined => {
    const file = value(flag)
    return file === undefined ? undefined : readText(flag, file)
  }
  const tokens = text('token-auth-file')
  return {
    server: {
      encryption: await encryptionConfiguration(value, dataDir),
      audit: await auditOptions(value),
      users: tokens === undefined ? undefined : readTokenFile(tokens),
      ...(await authenticationOptions(value, warn)),
      ...(await authorizationOptions(value, warn)),
    },
    port: { clientAuthorities: text('client-ca-file'), frontProxy: frontProxyOptions(value) },
  }
}
