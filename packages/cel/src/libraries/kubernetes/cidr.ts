import { overloadsWith, type Library } from '../overload.ts'
import { opaqueType } from '../../types/type.ts'
import { fail, OpaqueValue, type Value } from '../../values/value.ts'
import { formatAddress, isMapped, parseAddress, type Address } from './address.ts'
import { ipOrError, IpValue } from './ip.ts'

const overload = overloadsWith<{ 'net.CIDR': CidrValue; 'net.IP': IpValue }>()

const CIDR = opaqueType('net.CIDR')

/** An address with the length of its network's part. */
class CidrValue extends OpaqueValue {
  readonly type = CIDR
  readonly address: Address
  readonly length: number

  constructor(address: Address, length: number) {
    super()
    this.address = address
    this.length = length
  }

  get #shift(): bigint {
    return BigInt(this.address.size - this.length)
  }

  override equals(other: OpaqueValue): boolean {
    if (!(other instanceof CidrValue)) return false
    const { address, length } = other
    return length === this.length && address.size === this.address.size && address.bits === this.address.bits
  }

  override get size(): number {
    return Math.ceil(this.length / 8)
  }

  contains({ bits, size }: Address): boolean {
    return size === this.address.size && bits >> this.#shift === this.address.bits >> this.#shift
  }

  masked(): CidrValue {
    const bits = (this.address.bits >> this.#shift) << this.#shift
    return new CidrValue({ bits, size: this.address.size }, this.length)
  }

  text(): string {
    return `${formatAddress(this.address)}/${this.length}`
  }
}

/** Networks. */
export function cidr(): Library {
  const containsIp = (network: CidrValue, address: IpValue | string): Value => {
    const value = ipOrError(address)
    return value instanceof IpValue ? network.contains(value.address) : fail('no such overload')
  }
  const containsCidr = (network: CidrValue, other: CidrValue | string): Value => {
    const inner = other instanceof CidrValue ? other : parse(other)
    if (!(inner instanceof CidrValue)) return inner
    return network.length <= inner.length && network.contains(inner.address)
  }
  return {
    overloads: [
      overload('cidr', 'string_to_cidr', '(string) -> net.CIDR', (text) => parse(text)),
      overload('isCIDR', 'is_cidr', '(string) -> bool', (text) => parse(text) instanceof CidrValue),
      overload('containsIP', 'cidr_contains_ip_string', 'net.CIDR.(string) -> bool', (network, text) =>
        containsIp(network, text),
      ),
      overload('containsIP', 'cidr_contains_ip_ip', 'net.CIDR.(net.IP) -> bool', (network, address) =>
        containsIp(network, address),
      ),
      overload('containsCIDR', 'cidr_contains_cidr_string', 'net.CIDR.(string) -> bool', (network, text) =>
        containsCidr(network, text),
      ),
      overload('containsCIDR', 'cidr_contains_cidr', 'net.CIDR.(net.CIDR) -> bool', (network, other) =>
        containsCidr(network, other),
      ),
      overload('ip', 'cidr_ip', 'net.CIDR.() -> net.IP', (network) => new IpValue(network.address)),
      overload('prefixLength', 'cidr_prefix_length', 'net.CIDR.() -> int', (network) =>
        BigInt(network.length),
      ),
      overload('masked', 'cidr_masked', 'net.CIDR.() -> net.CIDR', (network) => network.masked()),
      overload('string', 'cidr_to_string', '(net.CIDR) -> string', (network) => network.text()),
    ],
    types: { 'net.CIDR': CIDR },
  }
}

const PARSE = 'network address parse error during conversion from string'

function parse(text: string): Value {
  const problem = (detail: string): Value =>
    fail(`${PARSE}: ${PARSE}: netip.ParsePrefix(${JSON.stringify(text)}): ${detail}`)
  const slash = text.lastIndexOf('/')
  if (slash < 0) return problem("no '/'")
  const address = parseAddress(text.slice(0, slash))
  if (address instanceof Error) {
    return problem(
      address.message === 'with zone' ? 'IPv6 zones cannot be present in a prefix' : address.message,
    )
  }
  const digits = text.slice(slash + 1)
  if (digits.length > 1 && !/^[1-9]/.test(digits))
    return problem(`bad bits after slash: ${JSON.stringify(digits)}`)
  if (!/^\d+$/.test(digits)) return problem(`bad bits after slash: ${JSON.stringify(digits)}`)
  const length = Number(digits)
  if (length > address.size) return problem('prefix length out of range')
  if (isMapped(address))
    return fail(`${PARSE}: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
  return new CidrValue(address, length)
}
