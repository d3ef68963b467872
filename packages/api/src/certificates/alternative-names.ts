import type { AlternativeNames } from './certificate-request.ts'
import { contextual, type Der } from './der.ts'

/** The names and addresses that a certificate is for, each once. Addresses may be of IPv4 and IPv6. */
export function alternativeNames(hosts: readonly string[]): Der[] {
  return [...new Set(hosts)].map((host) => {
    const address = ipv4(host) ?? ipv6(host)
    return address ? contextual(7, false, address) : contextual(2, false, new TextEncoder().encode(host))
  })
}

/** The names of a request, in the order in which Go writes them. */
export function encodedNames({ dns, emails, addresses, uris }: AlternativeNames): Der[] {
  const texts = (tag: number, names: readonly string[]): Der[] =>
    names.map((name) => contextual(tag, false, new TextEncoder().encode(name)))
  return [
    ...texts(2, dns),
    ...texts(1, emails),
    ...addresses.map((address) => contextual(7, false, address)),
    ...texts(6, uris),
  ]
}

function ipv4(host: string): Der | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(host)) return undefined
  return Uint8Array.from(host.split('.').map(Number))
}

/** The bytes of an address such as `::1` or `fe80::1`. A `::` stands for as many zeros as are missing. */
function ipv6(host: string): Der | undefined {
  if (!/^[0-9a-f:]*:[0-9a-f:]*$/i.test(host)) return undefined
  const [before = '', after] = host.split('::')
  const words = (text: string | undefined): number[] =>
    text ? text.split(':').map((word) => Number.parseInt(word, 16)) : []
  const [first, last] = [words(before), words(after)]
  const missing = Math.max(0, 8 - first.length - last.length)
  const all = after === undefined ? first : [...first, ...Array<number>(missing).fill(0), ...last]
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}
