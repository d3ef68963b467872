import type { Clock } from '@homeostat/api'
import {
  ServiceAccountTokens,
  tokenReader,
  tokenReviewer,
  type TokenReader,
  type User,
} from './auth/index.ts'
import type { ReloadableAuthentication } from './authentication/index.ts'
import type { DataFolder } from './data-folder.ts'
import { openAuthenticationOf, openTokenWebhook } from './open-parts.ts'
import type { Registry } from './registry/index.ts'
import type { ApiServerOptions } from './server-options.ts'

/** The parts of a server that authenticate users by bearer tokens. */
export interface Authenticators {
  /** The users that bearer tokens stand for. Each port adds its own token. */
  readonly tokens: Map<string, User>
  readonly serviceAccounts: ServiceAccountTokens
  readonly authentication: ReloadableAuthentication | undefined
  readonly tokenWebhook: Disposable | undefined
  readonly readToken: TokenReader
  readonly reviewToken: ReturnType<typeof tokenReviewer>
}

/** Opens all that the options configure, besides the tokens of ServiceAccounts. */
export async function openAuthenticators(
  options: ApiServerOptions,
  registry: Registry,
  folder: DataFolder | undefined,
  clock: Clock,
): Promise<Authenticators> {
  const tokens = new Map<string, User>(options.users)
  const serviceAccounts = new ServiceAccountTokens(registry, {
    ...options.serviceAccounts,
    signingKey: options.serviceAccounts?.signingKey ?? folder?.signingKey(),
  })
  const authentication = await openAuthenticationOf(options, serviceAccounts, clock)
  const tokenWebhook = await openTokenWebhook(options, serviceAccounts, clock)
  const readToken = tokenReader(tokens, serviceAccounts, [
    ...(authentication ? [(token: string) => authentication.read(token)] : []),
    ...(tokenWebhook ? [tokenWebhook.read.bind(tokenWebhook)] : []),
  ])
  const allowsAnonymous = (): boolean => authentication?.allowsAnonymous('') ?? true
  const reviewToken = tokenReviewer(readToken, serviceAccounts.audiences, allowsAnonymous)
  return { tokens, serviceAccounts, authentication, tokenWebhook, readToken, reviewToken }
}
