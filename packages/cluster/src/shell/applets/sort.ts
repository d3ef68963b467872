import { decodeText } from '../text.ts'
import { AppletFailure, type Applet } from './applet-context.ts'
import { eachFile } from './each-file.ts'
import { parseOptions, type Options } from './options.ts'

/** What is sorted is held in memory; each line counts for more than its bytes. */
const LARGEST_INPUT = 32 * 1024 ** 2
const LINE_WEIGHT = 64

interface Key {
  readonly from: number
  readonly fromCharacter: number
  readonly to: number
  readonly flags: string
}

const sort: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'nrufbk:t:o:gMcszhVdiT:m' })
  const lines: string[] = []
  let size = 0
  const status = await eachFile(context, options.operands, async (input) => {
    for await (const { bytes } of context.lines(input)) {
      size += bytes.length + LINE_WEIGHT
      if (size > LARGEST_INPUT) throw new AppletFailure('too much to hold in memory')
      lines.push(decodeText(bytes))
    }
  })
  const compare = comparison(options)
  if (options.has('c'))
    return lines.some((line, index) => index > 0 && compare(lines[index - 1] ?? '', line) > 0) ? 1 : 0
  const sorted = lines.sort(compare)
  const shown = options.has('u')
    ? sorted.filter((line, index) => index === 0 || keyOrder(options)(sorted[index - 1] ?? '', line) !== 0)
    : sorted
  const target = options.value('o')
  if (target !== undefined) {
    context.files.write(context.absolute(target), shown.map((line) => `${line}\n`).join(''))
    return status
  }
  for (const line of shown) await context.print(`${line}\n`)
  return status
}

/** By the keys, and where those are equal by the whole line. */
function comparison(options: Options): (a: string, b: string) => number {
  const byKeys = keyOrder(options)
  const sign = options.has('r') ? -1 : 1
  return (a, b) =>
    byKeys(a, b) || (options.has('s') || options.has('u') ? 0 : sign * (a < b ? -1 : a > b ? 1 : 0))
}

function keyOrder(options: Options): (a: string, b: string) => number {
  const global = ['n', 'r', 'f', 'b', 'g', 'h', 'V'].filter((letter) => options.has(letter)).join('')
  const keys = options.values('k').map((text) => keyOf(text, global))
  if (keys.length === 0) return (a, b) => order(a, b, global)
  const separator = options.value('t')
  return (a, b) => {
    for (const key of keys) {
      const result = order(fieldOf(a, key, separator), fieldOf(b, key, separator), key.flags)
      if (result !== 0) return result
    }
    return 0
  }
}

function keyOf(text: string, global: string): Key {
  const match = /^([0-9]+)(?:\.([0-9]+))?([a-zA-Z]*)(?:,([0-9]+)(?:\.[0-9]+)?([a-zA-Z]*))?$/.exec(text)
  if (!match) throw new AppletFailure(`bad field specification '${text}'`)
  const flags = `${match[3] ?? ''}${match[5] ?? ''}`
  return {
    from: Number(match[1]) - 1,
    fromCharacter: match[2] === undefined ? 0 : Number(match[2]) - 1,
    to: match[4] === undefined ? Number.POSITIVE_INFINITY : Number(match[4]),
    flags: flags === '' ? global : flags,
  }
}

function fieldOf(line: string, key: Key, separator: string | undefined): string {
  const fields = separator === undefined ? (line.match(/\s*\S+/g) ?? []) : line.split(separator)
  return fields
    .slice(key.from, key.to)
    .join(separator ?? '')
    .slice(key.fromCharacter)
}

function order(a: string, b: string, flags: string): number {
  const sign = flags.includes('r') ? -1 : 1
  if (/[ngh]/.test(flags)) return sign * (numberOf(a) - numberOf(b))
  if (flags.includes('V')) return sign * byVersion(a, b)
  const [left, right] = [prepared(a, flags), prepared(b, flags)]
  return sign * (left < right ? -1 : left > right ? 1 : 0)
}

function prepared(text: string, flags: string): string {
  const trimmed = flags.includes('b') ? text.trimStart() : text
  return flags.includes('f') ? trimmed.toUpperCase() : trimmed
}

function numberOf(text: string): number {
  const match = /^\s*(-?[0-9]*\.?[0-9]+)([KMGT]?)/i.exec(text)
  const factor = { k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }[match?.[2]?.toLowerCase() ?? ''] ?? 1
  return match ? Number(match[1]) * factor : 0
}

/** Runs of digits as numbers: `v10` after `v9`. */
function byVersion(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [x = '', y = ''] = [left[index], right[index]]
    const result = /^\d/.test(x) && /^\d/.test(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0
    if (result !== 0) return result
  }
  return 0
}

/** Sorting. */
export const sortApplets: Readonly<Record<string, Applet>> = { sort }
