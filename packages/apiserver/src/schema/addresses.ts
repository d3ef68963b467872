/** Whether a text is an IPv4 or IPv6 address. Leading zeroes are taken, as Kubernetes does for old objects. */
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

/** `IPv4` or `IPv6` for an address, `undefined` for anything else. */
export function familyOf(text: string): 'IPv4' | 'IPv6' | undefined {
  if (!isAddress(text)) return undefined
  return text.includes(':') ? 'IPv6' : 'IPv4'
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
