import type { ClusterConfig } from './cluster-config.ts'
import { ConfigError } from './config-error.ts'
import type { Kubeconfig, KubeconfigEntry } from './kubeconfig.ts'

/** Reads a file that an entry names, relative to the file that the entry stands in, and gives its text. */
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
 * What one context of a kubeconfig comes down to. Throws a `ConfigError` that names the file, the entry
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
  const context = entry(config.contexts, 'context', name, where)
  const cluster = referenced(config.clusters, 'cluster', name, context)
  const user = context.entry.fields['user'] ? referenced(config.users, 'user', name, context) : undefined
  if (user) refuseUnsupported(user)

  const server = text(cluster, 'server')
  if (server === undefined) throw invalid(cluster, 'has no server', 'Give the address of the API server')
  checkAddress(cluster, server)
  if (text(cluster, 'proxy-url')) {
    throw new ConfigError(
      'CONFIG_UNSUPPORTED',
      `${label(cluster)} is reached through a proxy (proxy-url), which is not supported yet. Run \`kubectl proxy\` and use its address as the server.`,
    )
  }
  return {
    server: server.replace(/\/+$/, ''),
    tls: {
      ca: pem(cluster, 'certificate-authority', selection),
      cert: user && pem(user, 'client-certificate', selection),
      key: user && pem(user, 'client-key', selection),
      serverName: text(cluster, 'tls-server-name'),
      insecureSkipVerify: cluster.entry.fields['insecure-skip-tls-verify'] === true,
    },
    ...(user && credentials(user, selection)),
    namespace: text(context, 'namespace') ?? 'default',
    source: `context ${JSON.stringify(name)} of ${context.entry.file}`,
  }
}

interface Named {
  readonly kind: 'context' | 'cluster' | 'user'
  readonly name: string
  readonly entry: KubeconfigEntry
}

function credentials(user: Named, selection: ContextSelection): Partial<ClusterConfig> {
  if ((text(user, 'client-certificate') ?? text(user, 'client-certificate-data')) !== undefined) {
    if ((text(user, 'client-key') ?? text(user, 'client-key-data')) === undefined) {
      throw invalid(user, 'has a client-certificate but no client-key', 'Give both or neither')
    }
  }
  const tokenFile = text(user, 'tokenFile')
  const as = text(user, 'as')
  const groups = user.entry.fields['as-groups']
  return {
    token: text(user, 'token'),
    tokenFile: tokenFile && selection.resolve(tokenFile, user.entry.file),
    username: text(user, 'username'),
    password: text(user, 'password'),
    impersonate: as
      ? {
          user: as,
          uid: text(user, 'as-uid'),
          groups: Array.isArray(groups) ? groups.map(String) : undefined,
        }
      : undefined,
  }
}

function refuseUnsupported(user: Named): void {
  const { fields } = user.entry
  if (fields['exec'] !== undefined) {
    const command = Object.entries(fields['exec'] ?? {}).find(([key]) => key === 'command')?.[1]
    throw new ConfigError(
      'CONFIG_UNSUPPORTED',
      `${label(user)} gets its credentials from the program ${JSON.stringify(command ?? '')} (exec), which is not supported yet. Use a user with a token or a client certificate, such as a ServiceAccount's (\`kubectl create token\`).`,
    )
  }
  if (fields['auth-provider'] !== undefined) {
    throw new ConfigError(
      'CONFIG_UNSUPPORTED',
      `${label(user)} uses an auth-provider, which Kubernetes itself has removed. Use a user with a token or a client certificate.`,
    )
  }
}

/** PEM text that stands in the entry (base64, under `<field>-data`) or in a file. What stands inline wins. */
function pem(named: Named, field: string, selection: ContextSelection): string | undefined {
  const inline = text(named, `${field}-data`)
  const path = text(named, field)
  if (inline === undefined && path === undefined) return undefined
  const origin = inline === undefined ? field : `${field}-data`
  const content =
    inline === undefined
      ? selection.read(path!, { file: named.entry.file, what: `${field} of ${describe(named)}` })
      : fromBase64(named, origin, inline)
  if (!content.includes('-----BEGIN ')) {
    throw invalid(named, `has a ${origin} that holds no PEM`, 'Fetch the kubeconfig again')
  }
  return content
}

function fromBase64(named: Named, field: string, encoded: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.codePointAt(0)!))
  } catch (cause) {
    throw new ConfigError(
      'CONFIG_INVALID',
      `${label(named)} has a ${field} that is not base64. Fetch the kubeconfig again, or name a file with ${field.replace('-data', '')}.`,
      { cause },
    )
  }
}

function checkAddress(cluster: Named, server: string): void {
  const address = URL.parse(server)
  if (!address || (address.protocol !== 'https:' && address.protocol !== 'http:')) {
    throw invalid(
      cluster,
      `has the server ${JSON.stringify(server)}, which is no address`,
      'Write it as https://host:port',
    )
  }
}

function text(named: Named, field: string): string | undefined {
  const value = named.entry.fields[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string')
    throw invalid(named, `has a ${field} that is not a string`, 'Put it in quotes')
  return value
}

function entry(
  entries: ReadonlyMap<string, KubeconfigEntry>,
  kind: Named['kind'],
  name: string,
  where: string,
): Named {
  const found = entries.get(name)
  if (found) return { kind, name, entry: found }
  throw new ConfigError(
    'CONFIG_ENTRY_MISSING',
    `${where} has no ${kind} ${JSON.stringify(name)}. Choose one that it has${choices(entries)}, or add it with \`kubectl config set-${kind}\`.`,
  )
}

function referenced(
  entries: ReadonlyMap<string, KubeconfigEntry>,
  kind: 'cluster' | 'user',
  contextName: string,
  context: Named,
): Named {
  const name = text(context, kind)
  if (name === undefined)
    throw invalid(context, `names no ${kind}`, `Set it with \`kubectl config set-context\``)
  const found = entries.get(name)
  if (found) return { kind, name, entry: found }
  throw new ConfigError(
    'CONFIG_ENTRY_MISSING',
    `context ${JSON.stringify(contextName)} of ${context.entry.file} names the ${kind} ${JSON.stringify(name)}, which does not exist${choices(entries)}. Correct the context, or add the ${kind}.`,
  )
}

function choices(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? '' : ` (there is: ${[...entries.keys()].join(', ')})`
}

function invalid(named: Named, what: string, remedy: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${label(named)} ${what}. ${remedy}.`)
}

function describe(named: Named): string {
  return `${named.kind} ${JSON.stringify(named.name)}`
}

function label(named: Named): string {
  return `${describe(named)} of ${named.entry.file}`
}
