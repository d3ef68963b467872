/** An IP address: its bits, and whether there are 32 or 128 of them. */
export interface Address {
  readonly bits: bigint
  readonly size: 32 | 128
}

/** An address from its text, or the text's error in the words of the API's messages. */
export function parseAddress(text: string): Address | Error {
  for (const char of text) {
    if (char === '.') return parseFour(text)
    if (char === ':') return parseSix(text)
    if (char === '%') return problem(text, 'missing IPv6 address')
  }
  return problem(text, 'unable to parse IP')
}

function problem(text: string, detail: string, at = ''): Error {
  const where = at === '' ? '' : ` (at ${JSON.stringify(at)})`
  return new Error(`ParseAddr(${JSON.stringify(text)}): ${detail}${where}`)
}

function parseFour(text: string): Address | Error {
  const bits = fourBits(text)
  return bits instanceof Error ? problem(text, bits.message) : { bits, size: 32 }
}

function fourBits(text: string): bigint | Error {
  let bits = 0n
  let value = 0
  let fields = 0
  let digits = 0
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    if (char >= '0' && char <= '9') {
      if (digits === 1 && value === 0) return new Error('IPv4 field has octet with leading zero')
      value = value * 10 + Number(char)
      digits++
      if (value > 255) return new Error('IPv4 field has value >255')
    } else if (char === '.') {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.') {
        return new Error(`IPv4 field must have at least one digit (at ${JSON.stringify(text.slice(index))})`)
      }
      if (fields === 3) return new Error('IPv4 address too long')
      bits = bits * 256n + BigInt(value)
      value = 0
      digits = 0
      fields++
    } else {
      return new Error(`unexpected character (at ${JSON.stringify(text.slice(index))})`)
    }
  }
  return fields < 3 ? new Error('IPv4 address too short') : bits * 256n + BigInt(value)
}

function parseSix(original: string): Address | Error {
  const zone = original.indexOf('%')
  if (zone >= 0) return new Error('with zone')
  let text = original
  const groups: number[] = []
  let gap = -1
  if (text.startsWith('::')) {
    gap = 0
    text = text.slice(2)
    if (text === '') return { bits: 0n, size: 128 }
  }
  while (groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(text)![0]
    if (digits.length > 4) return problem(original, 'each group must have 4 or less digits', text)
    if (digits === '')
      return problem(original, 'each colon-separated field must have at least one digit', text)
    if (text[digits.length] === '.') {
      if (gap < 0 && groups.length !== 6) {
        return problem(original, 'embedded IPv4 address must replace the final 2 fields of the address', text)
      }
      if (groups.length > 6) {
        return problem(
          original,
          'too many hex fields to fit an embedded IPv4 at the end of the address',
          text,
        )
      }
      const four = fourBits(text)
      if (four instanceof Error) return problem(original, four.message)
      groups.push(Number(four >> 16n), Number(four & 0xffffn))
      text = ''
      break
    }
    groups.push(Number.parseInt(digits, 16))
    text = text.slice(digits.length)
    if (text === '') break
    if (!text.startsWith(':')) return problem(original, 'unexpected character, want colon', text)
    if (text.length === 1) return problem(original, 'colon must be followed by more characters', text)
    text = text.slice(1)
    if (text.startsWith(':')) {
      if (gap >= 0) return problem(original, 'multiple :: in address', text)
      gap = groups.length
      text = text.slice(1)
      if (text === '') break
    }
  }
  if (text !== '') return problem(original, 'trailing garbage after address', text)
  if (groups.length < 8) {
    if (gap < 0) return problem(original, 'address string too short')
    groups.splice(gap, 0, ...Array.from({ length: 8 - groups.length }, () => 0))
  } else if (gap >= 0) {
    return problem(original, 'the :: must expand to at least one field of zeros')
  }
  return { bits: groups.reduce((bits, group) => bits * 65536n + BigInt(group), 0n), size: 128 }
}

/** Whether the address is one of IPv4 written as one of IPv6. */
export function isMapped({ bits, size }: Address): boolean {
  return size === 128 && bits >> 32n === 0xffffn
}

/** The address in its one canonical form. */
export function formatAddress({ bits, size }: Address): string {
  if (size === 32) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => Number((bits >> BigInt(112 - 16 * index)) & 0xffffn))
  let start = -1
  let length = 1
  for (let index = 0; index < 8; index++) {
    let end = index
    while (end < 8 && groups[end] === 0) end++
    if (end - index > length) [start, length] = [index, end - index]
  }
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  return start < 0 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}
