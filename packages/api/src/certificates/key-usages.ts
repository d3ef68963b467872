import { bitString, objectIdentifier, sequence, type Der } from './der.ts'

/** The bits of the extension `keyUsage`, by the names that the API of Kubernetes gives to usages. */
const BITS: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
])

/** The identifiers of the extension `extKeyUsage`, in the order in which Go writes them. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
])

/** The content of the extension `keyUsage`; undefined where no usage is one of its bits. */
export function keyUsage(usages: readonly string[]): Der | undefined {
  const bits = usages.map((usage) => BITS.get(usage)).filter((bit) => bit !== undefined)
  if (bits.length === 0) return undefined
  const highest = Math.max(...bits)
  const bytes = new Uint8Array(Math.floor(highest / 8) + 1)
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return bitString(bytes, 7 - (highest & 7))
}

/** The content of the extension `extKeyUsage`; undefined where no usage is one of its purposes. */
export function extendedKeyUsage(usages: readonly string[]): Der | undefined {
  const wanted = new Set(usages.map((usage) => PURPOSES.get(usage)))
  const purposes = [...new Set(PURPOSES.values())].filter((purpose) => wanted.has(purpose))
  return purposes.length === 0 ? undefined : sequence(...purposes.map(objectIdentifier))
}
