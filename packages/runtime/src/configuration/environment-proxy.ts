import { nodeModules } from '../process/index.ts'

/**
 * The proxy that the environment names for a server: `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` names the
 * server. `NO_PROXY` lists hosts (which include their subdomains), `.domains` (only their subdomains), addresses and
 * address ranges, each optionally with a port, or `*`. This machine is never reached through a proxy.
 */
export function environmentProxy(
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { protocol, hostname, port: given } = new URL(server)
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = env[name.toUpperCase()] || env[name]
  if (!proxy) return undefined
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '').toLowerCase()
  const port = given || (protocol === 'https:' ? '443' : '80')
  if (host === 'localhost' || isLoopback(host)) return undefined
  const exceptions = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((entry) => entry.trim())
  if (exceptions.some((entry) => excepts(entry.toLowerCase(), host, port))) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function isLoopback(host: string): boolean {
  return isWithin(host, '127.0.0.0', 8) || isWithin(host, '::1', 128)
}

function excepts(entry: string, host: string, port: string): boolean {
  if (entry === '') return false
  if (entry === '*') return true
  const range = /^(.+)\/(\d+)$/.exec(entry)
  if (range) return isWithin(host, range[1]!, Number(range[2]))
  const withPort = nodeModules.net.isIP(entry) === 6 ? null : /^(.*):(\d+)$/.exec(entry)
  if (withPort && withPort[2] !== port) return false
  const name = (withPort?.[1] ?? entry).replaceAll(/^\[|\]$/g, '').replace(/^\*(?=\.)/, '')
  if (nodeModules.net.isIP(name) !== 0 || nodeModules.net.isIP(host) !== 0) return name === host
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`)
}

function isWithin(host: string, network: string, prefix: number): boolean {
  const version = nodeModules.net.isIP(network)
  if (version === 0 || nodeModules.net.isIP(host) !== version || prefix > (version === 4 ? 32 : 128))
    return false
  const list = new nodeModules.net.BlockList()
  list.addSubnet(network, prefix, family(network))
  return list.check(host, family(host))
}

function family(host: string): 'ipv4' | 'ipv6' {
  return nodeModules.net.isIP(host) === 6 ? 'ipv6' : 'ipv4'
}
