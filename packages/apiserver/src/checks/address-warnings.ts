import {
  canonicalAddress,
  hasLeadingZero,
  isAddress,
  isMapped,
  networkOf,
  quote,
  textOf,
} from '../schema/index.ts'

/** The warning for an address that is accepted but not in canonical form. */
export function addressWarnings(value: unknown, field: string): string[] {
  const text = textOf(value ?? '')
  if (!isAddress(text)) return []
  if (hasLeadingZero(text) || isMapped(text)) {
    const plain = isMapped(text) ? text.slice(text.lastIndexOf(':') + 1) : text.replaceAll(/\b0+(?=\d)/g, '')
    return [`${field}: non-standard IP address ${quote(text)} is invalid: use ${quote(plain)}`]
  }
  const canonical = text.includes(':') ? canonicalAddress(text) : text
  if (canonical === text) return []
  return [
    `${field}: IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`,
  ]
}

/** The warning for a network that is accepted but not in canonical form. */
export function networkWarnings(value: unknown, field: string): string[] {
  const text = textOf(value ?? '')
  const [base = '', length = ''] = text.split('/')
  if (!base.includes(':') || !networkOf(text)) return []
  const canonical = `${canonicalAddress(base)}/${length}`
  if (canonical === text) return []
  return [
    `${field}: IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`,
  ]
}
