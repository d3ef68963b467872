import { isJsonObject } from '@homeostat/api'
import type { ClusterConfig } from './cluster-config.ts'
import { ConfigEntry } from './config-entry.ts'
import { ConfigError } from './config-error.ts'
import { readExecConfig } from './exec-config.ts'
import type { Kubeconfig, KubeconfigEntry } from './kubeconfig.ts'
import { checkedProxy } from './proxy-address.ts'

/** Returns the text of a file that an entry names, relative to the file of the entry. */
type ReadReferenced = (path: string, entry: { file: string; what: string }) => string
/** The absolute path of a file that an entry names. */
type ResolveReferenced = (path: string, entryFile: string) => string

export interface ContextSelection {
  /** Default: the current context. */
  context?: string | undefined
  read: ReadReferenced
  resolve: ResolveReferenced
}

/**
 * The configuration that one context of a kubeconfig selects. Throws a `ConfigError` that names the file, the entry
 * and what to do.
 */
export function selectContext(config: Kubeconfig, selection: ContextSelection): ClusterConfig {
  const where = config.files.join(', ')
  const name = selection.context ?? config.currentContext
  if (name === undefined) {
    throw new ConfigError(
      'CONFIG_ENTRY_MISSING',
      `${where} has no current-context. Choose one with \`kubectl config use-context\`${choices(config.contexts)}.`,
    )
  }
  const context = namedContext(config, name, where)
  const cluster = referenced(config.clusters, 'cluster', context)
  const user = context.fields['user'] ? referenced(config.users, 'user', context) : undefined

  const server = cluster.text('server')
  if (server === undefined) throw cluster.invalid('has no server', 'Give the address of the API server')
  checkAddress(cluster, server)
  const proxy = cluster.text('proxy-url')
  const ca = pem(cluster, 'certificate-authority', selection)
  return {
    server: server.replace(/\/+$/, ''),
    tls: {
      ca,
      cert: user && pem(user, 'client-certificate', selection),
      key: user && pem(user, 'client-key', selection),
      serverName: cluster.text('tls-server-name'),
      insecureSkipVerify: cluster.fields['insecure-skip-tls-verify'] === true,
    },
    ...(user && credentials(user, { cluster, ca, selection })),
    proxy: proxy && checkedProxy(proxy, `the proxy-url of ${cluster.label}`),
    namespace: context.text('namespace') ?? 'default',
    source: context.label,
  }
}

function credentials(
  user: ConfigEntry,
  options: { cluster: ConfigEntry; ca: string | undefined; selection: ContextSelection },
): Partial<ClusterConfig> {
  const { selection } = options
  const certificate = user.text('client-certificate') ?? user.text('client-certificate-data')
  if (certificate !== undefined && (user.text('client-key') ?? user.text('client-key-data')) === undefined) {
    throw user.invalid('has a client-certificate but no client-key', 'Give both or neither')
  }
  if (user.fields['auth-provider'] !== undefined) {
    throw user.unsupported(
      'uses an auth-provider, which Kubernetes itself has removed',
      'Use a user with a token, a client certificate or a credential program (exec)',
    )
  }
  const token = user.text('token')
  const tokenFile = user.text('tokenFile')
  const username = user.text('username')
  // Credentials in the file itself need no program.
  const given = certificate ?? token ?? tokenFile ?? username
  return {
    token,
    tokenFile: tokenFile && selection.resolve(tokenFile, user.file),
    username,
    password: user.text('password'),
    exec:
      user.fields['exec'] === undefined || given !== undefined
        ? undefined
        : readExecConfig(user, {
            ...options,
            resolve: (path) => selection.resolve(path, user.file),
          }),
    impersonate: impersonation(user),
  }
}

function impersonation(user: ConfigEntry): ClusterConfig['impersonate'] {
  const name = user.text('as')
  const uid = user.text('as-uid')
  const groups = user.checkedTexts('as-groups', user.fields['as-groups'])
  const given = user.fields['as-user-extra'] ?? {}
  if (!isJsonObject(given))
    throw user.invalid('has an as-user-extra that is not a mapping', 'Correct the file')
  const extra = Object.fromEntries(
    Object.entries(given).map(([key, values]) => [key, user.checkedTexts(`as-user-extra.${key}`, values)]),
  )
  if (name !== undefined) return { user: name, uid, groups, extra }
  if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return undefined
  throw user.invalid('has as-groups, as-uid or as-user-extra, but no as', 'Name the user to act as')
}

/** PEM text from the entry (base64, under `<field>-data`) or from a file. Inline text takes precedence. */
function pem(entry: ConfigEntry, field: string, selection: ContextSelection): string | undefined {
  const inline = entry.text(`${field}-data`)
  const path = entry.text(field)
  if (inline === undefined && path === undefined) return undefined
  const origin = inline === undefined ? field : `${field}-data`
  const content =
    inline === undefined
      ? selection.read(path!, { file: entry.file, what: `${field} of ${entry.title}` })
      : fromBase64(entry, origin, inline)
  if (!content.includes('-----BEGIN ')) {
    throw entry.invalid(`has a ${origin} that contains no PEM`, 'Fetch the kubeconfig again')
  }
  return content
}

function fromBase64(entry: ConfigEntry, field: string, encoded: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.codePointAt(0)!))
  } catch (cause) {
    throw new ConfigError(
      'CONFIG_INVALID',
      `${entry.label} has a ${field} that is not base64. Fetch the kubeconfig again, or name a file with ${field.replace('-data', '')}.`,
      { cause },
    )
  }
}

function checkAddress(cluster: ConfigEntry, server: string): void {
  const address = URL.parse(server)
  if (!address || (address.protocol !== 'https:' && address.protocol !== 'http:')) {
    throw cluster.invalid(
      `has the server ${JSON.stringify(server)}, which is not an address`,
      'Write it as https://host:port',
    )
  }
}

function namedContext(config: Kubeconfig, name: string, where: string): ConfigEntry {
  const found = config.contexts.get(name)
  if (found) return new ConfigEntry('context', name, found)
  throw new ConfigError(
    'CONFIG_ENTRY_MISSING',
    `${where} has no context ${JSON.stringify(name)}. Choose one that it has${choices(config.contexts)}, or add it with \`kubectl config set-context\`.`,
  )
}

function referenced(
  entries: ReadonlyMap<string, KubeconfigEntry>,
  kind: 'cluster' | 'user',
  context: ConfigEntry,
): ConfigEntry {
  const name = context.text(kind)
  if (name === undefined)
    throw context.invalid(`names no ${kind}`, `Set it with \`kubectl config set-context\``)
  const found = entries.get(name)
  if (found) return new ConfigEntry(kind, name, found)
  throw new ConfigError(
    'CONFIG_ENTRY_MISSING',
    `${context.label} names the ${kind} ${JSON.stringify(name)}, which does not exist${choices(entries)}. Correct the context, or add the ${kind}.`,
  )
}

function choices(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? '' : ` (available: ${[...entries.keys()].join(', ')})`
}
