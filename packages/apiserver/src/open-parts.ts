import { HomeostatError, type Clock } from '@homeostat/api'
import type { Auditor } from './audit/index.ts'
import { alwaysAllow, type Authorization, type Rbac, type ServiceAccountTokens } from './auth/index.ts'
import type { Authentication, ReloadableAuthentication, TokenWebhook } from './authentication/index.ts'
import type { ReloadableAuthorization } from './authorization/index.ts'
import type { FrontProxyIdentity } from './certificates/index.ts'
import { givenConfiguration } from './configuration/index.ts'
import type { DataFolder } from './data-folder.ts'
import type { ServerMetrics } from './metrics/index.ts'
import type { ApiPort, PortOptions, PortServer } from './port/index.ts'
import type { ApiServerOptions } from './server-options.ts'
import { RevisionStore, type Store } from './storage/index.ts'

// The parts of a server that few servers have. Each loads its modules when it is opened, so that other servers start faster.

/** The authentication by tokens of other issuers, where the options configure it. */
export async function openAuthenticationOf(
  { authentication, tokenAlgorithms }: ApiServerOptions,
  { issuer }: ServiceAccountTokens,
  clock: Clock,
): Promise<ReloadableAuthentication | undefined> {
  if (authentication === undefined) return undefined
  // Imported late, since it loads CEL.
  const { openAuthentication, ReloadableAuthentication } = await import('./authentication/index.ts')
  const options = { reserved: [issuer], clock, algorithms: tokenAlgorithms }
  const open = (configuration: unknown): Authentication => openAuthentication(configuration, options)
  return new ReloadableAuthentication(givenConfiguration(authentication), open, clock)
}

/** The webhook that authenticates tokens, where the options name one. */
export async function openTokenWebhook(
  { tokenWebhook }: ApiServerOptions,
  { audiences }: ServiceAccountTokens,
  clock: Clock,
): Promise<TokenWebhook | undefined> {
  if (tokenWebhook === undefined) return undefined
  // Imported late, since it needs modules of Node.
  const { TokenWebhook } = await import('./authentication/index.ts')
  return TokenWebhook.open(tokenWebhook, { clock, audiences })
}

/** The authorizers of the server: roles, unless its options name others. */
export async function openAuthorizers(
  { authorization, alwaysAllow: allowsAll }: ApiServerOptions,
  rbac: Rbac,
  clock: Clock,
): Promise<Authorization & Partial<ReloadableAuthorization>> {
  if (authorization !== undefined) {
    // Imported late, since it loads CEL and the modules for the network.
    const { openAuthorization, ReloadableAuthorization } = await import('./authorization/index.ts')
    const open = (configuration: unknown) => openAuthorization(configuration, { rbac, clock })
    return new ReloadableAuthorization(await open(givenConfiguration(authorization)), open, clock)
  }
  return allowsAll ? alwaysAllow : rbac
}

/** The audit log, where the options ask for one. */
export async function openAuditor(
  { audit }: ApiServerOptions,
  metrics: ServerMetrics,
  clock: Clock,
): Promise<Auditor | undefined> {
  if (audit === undefined) return undefined
  // Imported late, since few servers have an audit log.
  const { Auditor } = await import('./audit/index.ts')
  return new Auditor(audit, metrics, () => clock.now())
}

/** Opens a port: the former one, if the caller names none and it is free. */
export async function openPreferred(
  server: PortServer,
  options: PortOptions,
  former: number | undefined,
): Promise<ApiPort> {
  // Imported late, so that a server without a port needs no modules of Node.
  const { openPort } = await import('./port/port.ts')
  if (options.port || former === undefined) return openPort(server, options)
  try {
    return await openPort(server, { ...options, port: former })
  } catch (error) {
    if (!(error instanceof HomeostatError) || error.code !== 'PORT_IN_USE') throw error
    return openPort(server, options)
  }
}

/** The identity of the server toward extension API servers: that of its data folder, or a new one. */
export async function openFrontProxy(folder: DataFolder | undefined): Promise<FrontProxyIdentity> {
  if (folder) return folder.frontProxy()
  // Imported late, since a server without a port or an extension API server needs no certificates.
  const { newFrontProxy } = await import('./certificates/front-proxy.ts')
  return newFrontProxy()
}

/** The data folder at a path. */
export async function openDataFolder(path: string | undefined): Promise<DataFolder | undefined> {
  if (path === undefined) return undefined
  // Imported late, so that a server in memory needs no modules of Node.
  const { DataFolder } = await import('./data-folder.ts')
  return new DataFolder(path)
}

/** A store that the server opened itself. */
export interface OwnStore {
  readonly store: Store
  /** Replaces the rules of its encryption. Fails with `ENCRYPTION_CONFIGURATION`; then the former rules stay in effect. */
  readonly encryptBy: (configuration: unknown) => void
}

/** The store of a server that is given none: in the data folder, or in memory. */
export async function openOwnStore(options: ApiServerOptions, clock: Clock): Promise<OwnStore> {
  const { dataDir, acceptDataLoss } = options
  const configuration = givenConfiguration(options.encryption)
  if (dataDir === undefined) {
    if (configuration === undefined)
      return { store: new RevisionStore({ clock }), encryptBy: () => undefined }
    throw new HomeostatError(
      'ENCRYPTION_CONFIGURATION',
      'encryption needs a data folder: give dataDir, or leave out encryption',
    )
  }
  // Imported late, so that a server in memory needs no modules of Node.
  const { openStore } = await import('./storage/open-store.ts')
  const { readEncryption, ValueEncryption } = await import('./encryption/index.ts')
  const encryption = new ValueEncryption(configuration === undefined ? [] : readEncryption(configuration))
  const store = openStore(dataDir, { clock, acceptDataLoss, encryption })
  return { store, encryptBy: (next) => encryption.replace(readEncryption(next), store.revision) }
}
