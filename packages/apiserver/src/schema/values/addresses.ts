/** Whether a text is an IPv4 or IPv6 address. As in Kubernetes for old objects, leading zeroes are allowed. */
export function isAddress(text: string): boolean {
  return text.includes(':') ? groupsOf(text) !== undefined : bytesOf(text) !== undefined
}

/** Whether a text is an address, a slash and the length of a prefix. */
export function isNetwork(text: string): boolean {
  const slash = text.indexOf('/')
  if (slash < 0) return false
  const address = text.slice(0, slash)
  const length = text.slice(slash + 1)
  return isAddress(address) && /^\d+$/.test(length) && Number(length) <= (address.includes(':') ? 128 : 32)
}

/** `IPv4` or `IPv6` for an address, `undefined` for anything else. As in Go, `::ffff:1.2.3.4` is an address of IPv4. */
export function familyOf(text: string): 'IPv4' | 'IPv6' | undefined {
  if (!text.includes(':')) return bytesOf(text) === undefined ? undefined : 'IPv4'
  const groups = groupsOf(text)
  if (!groups) return undefined
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0) ? 'IPv4' : 'IPv6'
}

/** The 32 bits of an IPv4 address as a number, or `undefined` for anything else. */
export function bytesOf(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0
  for (const part of parts) {
    if (!/^\d+$/.test(part) || Number(part) > 255) return undefined
    value = value * 256 + Number(part)
  }
  return value
}

/** The eight groups of an IPv6 address, or `undefined` for anything else. */
function groupsOf(text: string): number[] | undefined {
  let rest = text
  const tail: number[] = []
  const dotted = /[^:]*\.[^:]*$/.exec(text)
  if (dotted) {
    const value = bytesOf(dotted[0])
    if (value === undefined) return undefined
    tail.push(Math.floor(value / 65_536), value % 65_536)
    rest = text.slice(0, dotted.index)
    if (!rest.endsWith('::')) rest = rest.slice(0, -1)
  }
  const halves = rest.split('::')
  if (halves.length > 2) return undefined
  const [left, right] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const groups = [...(left ?? []), ...(right ?? [])]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  const missing = 8 - groups.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const numbers = (list: readonly string[] = []): number[] => list.map((group) => Number.parseInt(group, 16))
  return [...numbers(left), ...Array<number>(missing).fill(0), ...numbers(right), ...tail]
}

/** Whether a decimal number in an address, or the length of a prefix, has a leading zero. */
export function hasLeadingZero(text: string): boolean {
  const [address = '', length = ''] = text.split('/')
  const dotted = address.slice(address.lastIndexOf(':') + 1)
  const numbers = dotted.includes('.') ? dotted.split('.') : []
  return [...numbers, length].some((number) => /^0\d/.test(number))
}

/** Whether an IPv6 address stands for one of IPv4: `::ffff:10.0.0.1`. */
export function isMapped(text: string): boolean {
  const groups = text.includes(':') ? groupsOf(text) : undefined
  return groups !== undefined && groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
}

/** The bits of an address, from the highest on; `undefined` for anything else. */
export function bitsOf(text: string): string | undefined {
  if (!text.includes(':')) return bytesOf(text)?.toString(2).padStart(32, '0')
  const groups = groupsOf(text)
  if (groups && isMapped(text))
    return groups
      .slice(6)
      .map((group) => group.toString(2).padStart(16, '0'))
      .join('')
  return groups?.map((group) => group.toString(2).padStart(16, '0')).join('')
}

/** A network by its bits and the length of its prefix; `undefined` for anything else. */
export function networkOf(text: string): { readonly bits: string; readonly length: number } | undefined {
  if (!isNetwork(text)) return undefined
  const [address = '', length] = text.split('/')
  return { bits: bitsOf(address) ?? '', length: Number(length) }
}

/** The shortest form of an IPv6 address. */
export function canonicalAddress(text: string): string {
  const groups = text.includes(':') ? groupsOf(text) : undefined
  if (!groups) return text
  if (isMapped(text)) {
    const [high = 0, low = 0] = groups.slice(6)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const words = groups.map((group) => group.toString(16))
  let longest = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && groups[start + length] === 0) length++
    if (length > longest.length) longest = { start, length }
  }
  if (longest.start < 0) return words.join(':')
  return `${words.slice(0, longest.start).join(':')}::${words.slice(longest.start + longest.length).join(':')}`
}

/** Validates an address in canonical form. */
export function addressProblems(text: string): string[] {
  if (!isAddress(text)) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']
  if (hasLeadingZero(text)) return ['must not have leading 0s']
  if (isMapped(text)) return ['must not be an IPv4-mapped IPv6 address']
  const canonical = canonicalAddress(text)
  return text === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`]
}
