import { overloadsWith, type Library, type Overload } from '../overload.ts'
import { opaqueType } from '../../types/type.ts'
import { fail, OpaqueValue, type Value } from '../../values/value.ts'
import { formatAddress, isMapped, parseAddress, type Address } from './address.ts'

const overload = overloadsWith<{ 'net.IP': IpValue }>()

const IP = opaqueType('net.IP')

/** An IP address as a value. */
export class IpValue extends OpaqueValue {
  readonly type = IP
  readonly address: Address

  constructor(address: Address) {
    super()
    this.address = address
  }

  override equals(other: OpaqueValue): boolean {
    if (!(other instanceof IpValue)) return false
    return other.address.size === this.address.size && other.address.bits === this.address.bits
  }

  override get size(): number {
    return this.address.size / 8
  }
}

/** IP addresses. */
export function ip(): Library {
  const parse = (text: string): Value => {
    const address = ipAddress(text)
    return address instanceof Error ? fail(address.message) : new IpValue(address)
  }
  const test = (name: string, id: string, holds: (address: Address) => boolean): Overload =>
    overload(name, id, 'net.IP.() -> bool', (value) => holds(value.address))
  return {
    overloads: [
      overload('ip', 'string_to_ip', '(string) -> net.IP', parse),
      overload('isIP', 'is_ip', '(string) -> bool', (text) => !(ipAddress(text) instanceof Error)),
      overload('ip.isCanonical', 'ip_is_canonical', '(string) -> bool', (text) => {
        const address = ipAddress(text)
        return address instanceof Error ? fail(address.message) : formatAddress(address) === text
      }),
      overload('family', 'ip_family', 'net.IP.() -> int', (value) => (value.address.size === 32 ? 4n : 6n)),
      overload('string', 'ip_to_string', '(net.IP) -> string', (value) => formatAddress(value.address)),
      test('isUnspecified', 'ip_is_unspecified', ({ bits }) => bits === 0n),
      test('isLoopback', 'ip_is_loopback', isLoopback),
      test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
      test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
      test(
        'isGlobalUnicast',
        'ip_is_global_unicast',
        (address) =>
          address.bits !== 0n &&
          !(address.size === 32 && address.bits === 0xffffffffn) &&
          !isLoopback(address) &&
          !isMulticast(address) &&
          !isLinkLocalUnicast(address),
      ),
    ],
    types: { 'net.IP': IP },
  }
}

function ipAddress(text: string): Address | Error {
  const address = parseAddress(text)
  if (address instanceof Error) {
    if (address.message === 'with zone')
      return new Error(`IP address "${text}" with zone value is not allowed`)
    return new Error(`IP Address "${text}" parse error during conversion from string: ${address.message}`)
  }
  return isMapped(address) ? new Error(`IPv4-mapped IPv6 address "${text}" is not allowed`) : address
}

function isLoopback({ bits, size }: Address): boolean {
  return size === 32 ? bits >> 24n === 127n : bits === 1n
}

function isMulticast({ bits, size }: Address): boolean {
  return size === 32 ? bits >> 28n === 0xen : bits >> 120n === 0xffn
}

function isLinkLocalMulticast({ bits, size }: Address): boolean {
  return size === 32 ? bits >> 8n === 0xe00000n : (bits >> 112n) % 16n === 2n && bits >> 120n === 0xffn
}

function isLinkLocalUnicast({ bits, size }: Address): boolean {
  return size === 32 ? bits >> 16n === 0xa9fen : bits >> 118n === 0x3fan
}

/** Parses the address where it is a text. */
export function ipOrError(value: IpValue | string): Value {
  if (value instanceof IpValue) return value
  const address = ipAddress(value)
  return address instanceof Error ? fail(address.message) : new IpValue(address)
}
