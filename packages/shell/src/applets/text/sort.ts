import { decodeText, encodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { eachFile } from '../context/each-file.ts'
import { parseOptions, type Options } from '../context/options.ts'

/** Sorted lines are held in memory. Each counts with more than its bytes. */
const LINE_WEIGHT = 96

interface Key {
  readonly from: number
  readonly fromCharacter: number
  readonly to: number
  readonly flags: string
}

const sort: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'nrufbk:t:o:gMcszhVdiT:m' })
  const lines: string[] = []
  const status = await eachFile(context, options.operands, async (input) => {
    for await (const { bytes } of context.lines(input)) {
      context.hold(bytes.length + LINE_WEIGHT)
      lines.push(decodeText(bytes))
    }
  })
  const compare = comparison(options)
  if (options.has('c')) {
    for (let index = 1; index < lines.length; index++) {
      await context.step(COMPARISON)
      if (compare(lines[index - 1] ?? '', lines[index] ?? '') > 0) return 1
    }
    return 0
  }
  const sorted = await mergeSorted(context, lines, compare)
  const differs = keyOrder(options)
  const target = options.value('o')
  using file =
    target === undefined
      ? undefined
      : context.files.open(context.absolute(target), { write: true, create: true, truncate: true })
  for (const [index, line] of sorted.entries()) {
    if (options.has('u') && index > 0 && differs(sorted[index - 1] ?? '', line) === 0) {
      await context.step(COMPARISON)
      continue
    }
    if (file) {
      file.write(encodeText(`${line}\n`))
      await context.step(4)
    } else await context.print(`${line}\n`)
  }
  return status
}

/** The cost of a comparison, in steps: it may split lines into fields. */
const COMPARISON = 2
/** How many lines are sorted without a pause. */
const RUN = 32

/** Sorts with pauses. Lines that are equal keep their order. */
async function mergeSorted(
  context: AppletContext,
  lines: readonly string[],
  compare: (a: string, b: string) => number,
): Promise<string[]> {
  let sorted: string[] = []
  for (let at = 0; at < lines.length; at += RUN) {
    const run = lines.slice(at, at + RUN).sort(compare)
    for (const line of run) sorted.push(line)
    await context.step(RUN * COMPARISON)
  }
  for (let width = RUN; width < sorted.length; width *= 2) {
    const merged: string[] = []
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const [middle, end] = [
        Math.min(start + width, sorted.length),
        Math.min(start + 2 * width, sorted.length),
      ]
      let [left, right] = [start, middle]
      while (left < middle || right < end) {
        const fromLeft =
          right >= end || (left < middle && compare(sorted[left] ?? '', sorted[right] ?? '') <= 0)
        merged.push((fromLeft ? sorted[left++] : sorted[right++]) ?? '')
        if (merged.length % RUN === 0) await context.step(RUN * COMPARISON)
      }
    }
    sorted = merged
  }
  return sorted
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

/** The applet `sort`. */
export const sortApplets: Readonly<Record<string, Applet>> = { sort }
