import { ConfigError } from './config-error.ts'

/**
 * Checks the address of a proxy. `named` says where the address comes from. Errors do not show the address, because
 * it may contain a password.
 */
export function checkedProxy(address: string, named: string): string {
  const url = URL.parse(address)
  if (url?.protocol.startsWith('socks')) {
    throw new ConfigError(
      'CONFIG_UNSUPPORTED',
      `${named} is a SOCKS proxy (${url.protocol}//${url.host}), which is not supported. Use an HTTP proxy, or tunnel the port of the API server with ssh -L and use its address as the server.`,
    )
  }
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return address
  throw new ConfigError(
    'CONFIG_INVALID',
    `${named} is not the address of a proxy. Write it as http://host:port.`,
  )
}
