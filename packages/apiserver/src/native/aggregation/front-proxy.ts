import type { User } from '../../auth/index.ts'
import type { FrontProxyOptions } from '../../port/index.ts'
import { FRONT_PROXY_NAME } from '../../certificates/index.ts'
import { createIfMissing, replaceParts, type Registry } from '../../registry/index.ts'

/** The user as whom the server asks for documents of discovery. */
export const AGGREGATOR: User = { name: 'system:kube-aggregator', groups: ['system:masters'] }
/** The user as whom the server asks for OpenAPI documents. */
export const OPENAPI_AGGREGATOR: User = { name: 'system:aggregator', groups: [] }

/** The headers that tell an extension API server which user sends the request. */
export function userHeaders({ name, uid, groups, extra = {} }: User): Record<string, string | string[]> {
  const attributes = Object.entries(extra).map(
    ([key, values]) => [`x-remote-extra-${escapedKey(key)}`, values.map(headerText)] as const,
  )
  return {
    'x-remote-user': headerText(name),
    ...(uid && { 'x-remote-uid': headerText(uid) }),
    ...(groups.length > 0 && { 'x-remote-group': groups.map(headerText) }),
    ...Object.fromEntries(attributes),
  }
}

/**
 * A key of the user's attributes as a part of a header's name. Characters that such a name cannot have are
 * percent-encoded.
 */
function escapedKey(key: string): string {
  return Array.from(new TextEncoder().encode(key), (byte) => {
    const character = String.fromCharCode(byte)
    return /[a-zA-Z0-9!#$&'*+.^_`|~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}

/**
 * A text as the value of a header, where each character stands for a byte. A text with a character that is not a byte is
 * encoded as UTF-8.
 */
function headerText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u00ff]*$/.test(text)) return text.replaceAll(/[\r\n\0]/g, ' ')
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

const CONFIG_MAP = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
} as const

/**
 * Writes the ConfigMap `kube-system/extension-apiserver-authentication`, from which extension API servers learn
 * what to trust: the authorities whose client certificates this server accepts, and the certificate and headers by
 * which it names users.
 */
export function publishAuthentication(
  registry: Registry,
  authorities: { readonly clients: string; readonly frontProxy: string },
  proxy?: FrontProxyOptions,
): void {
  const allowed = proxy?.allowedNames ?? []
  const data = {
    'client-ca-file': authorities.clients,
    // An empty list trusts proxies of any name, and so also this server.
    'requestheader-allowed-names': proxy && allowed.length === 0 ? '[]' : listed(allowed, FRONT_PROXY_NAME),
    'requestheader-client-ca-file': `${proxy?.authorities ?? ''}${authorities.frontProxy}`,
    'requestheader-extra-headers-prefix': listed(proxy?.extraHeaderPrefixes, 'X-Remote-Extra-'),
    'requestheader-group-headers': listed(proxy?.groupHeaders, 'X-Remote-Group'),
    'requestheader-uid-headers': listed(proxy?.uidHeaders, 'X-Remote-Uid'),
    'requestheader-username-headers': listed(proxy?.usernameHeaders, 'X-Remote-User'),
  }
  createIfMissing(registry, { object: { ...CONFIG_MAP, data } })
  replaceParts(registry, CONFIG_MAP, { data })
}

/** A list of names as JSON: those of the proxy in front of the server, and the one that the server uses itself. */
function listed(names: readonly string[] = [], own: string): string {
  const isListed = names.some((name) => name.toLowerCase() === own.toLowerCase())
  return JSON.stringify(isListed ? names : [...names, own])
}
