import { FileError } from '../../files/index.ts'
import type { Input } from '../../process/input.ts'
import { charactersOf, decodeText, encodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { cannotOpen, eachFile } from '../context/each-file.ts'
import { countOf, parseOptions } from '../context/options.ts'

const wc: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'clwmL' })
  const all = !['c', 'l', 'w', 'm', 'L'].some((letter) => options.has(letter))
  const chosen = (['l', 'w', 'm', 'c', 'L'] as const).filter(
    (letter) => options.has(letter) || (all && 'lwc'.includes(letter)),
  )
  const total = { l: 0, w: 0, m: 0, c: 0, L: 0 }
  const several = options.operands.length > 1
  const show = async (counts: typeof total, name: string): Promise<void> => {
    const wide = chosen.length > 1 || several
    const numbers = chosen.map((letter) =>
      wide ? String(counts[letter]).padStart(9) : String(counts[letter]),
    )
    await context.print(`${numbers.join(wide ? ' ' : '')}${name === '' ? '' : ` ${name}`}\n`)
  }
  const status = await eachFile(context, options.operands, async (input, path) => {
    const counts = await countsOf(context, input)
    for (const letter of ['l', 'w', 'm', 'c'] as const) total[letter] += counts[letter]
    total.L = Math.max(total.L, counts.L)
    await show(counts, options.operands.length === 0 ? '' : path)
  })
  if (several) await show(total, 'total')
  return status
}

interface Counts {
  l: number
  w: number
  m: number
  c: number
  L: number
}

/** Counts byte by byte, so that lines may have any length. */
async function countsOf(context: AppletContext, input: Input): Promise<Counts> {
  const counts = { l: 0, w: 0, m: 0, c: 0, L: 0 }
  let [inWord, width] = [false, 0]
  for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
    counts.c += bytes.length
    for (const byte of bytes) {
      // The continuation bytes of a character do not count as characters.
      if ((byte & 0xc0) !== 0x80) counts.m++
      if (byte === 10) {
        counts.l++
        counts.L = Math.max(counts.L, width)
        width = 0
      } else if ((byte & 0xc0) !== 0x80) width++
      const space = byte === 32 || (byte >= 9 && byte <= 13)
      if (!space && !inWord) counts.w++
      inWord = !space
    }
    await context.step(1 + (bytes.length >> 10))
  }
  counts.L = Math.max(counts.L, width)
  return counts
}

const uniq: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'cduif:s:w:' })
  const [path = '-', target] = options.operands
  if (target !== undefined) throw new AppletFailure('an output file is not supported: use >')
  const [fields, skipped] = [countOf(options.value('f') ?? '0'), countOf(options.value('s') ?? '0')]
  const key = (line: string): string => {
    const field = /\s*\S*/y
    for (let number = 0; number < fields && field.lastIndex < line.length; number++) {
      const end = field.lastIndex + (field.exec(line)?.[0].length ?? 0)
      field.lastIndex = end
    }
    const cut = charactersOf(line.slice(field.lastIndex))
      .slice(skipped, options.has('w') ? skipped + countOf(options.value('w') ?? '') : undefined)
      .join('')
    return options.has('i') ? cut.toLowerCase() : cut
  }
  let before: { line: string; key: string; count: number } | undefined
  const emit = async (): Promise<void> => {
    if (!before || (options.has('d') && before.count < 2) || (options.has('u') && before.count > 1)) return
    await context.print(`${options.has('c') ? `${String(before.count).padStart(7)} ` : ''}${before.line}\n`)
  }
  const status = await eachFile(context, [path], async (input) => {
    for await (const { bytes } of context.lines(input)) {
      const line = decodeText(bytes)
      const own = key(line)
      if (before?.key === own) before.count++
      else {
        await emit()
        before = { line, key: own, count: 1 }
      }
    }
  })
  await emit()
  return status
}

const cut: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'b:c:f:d:sn',
    long: { complement: 'n', 'output-delimiter': 'd' },
  })
  const list = options.value('f') ?? options.value('c') ?? options.value('b')
  if (list === undefined) throw new AppletFailure('expected a list of bytes, characters, or fields')
  const chosen = rangesOf(list)
  const delimiter = options.value('d') ?? '\t'
  return eachFile(context, options.operands, async (input) => {
    for await (const { bytes } of context.lines(input)) {
      const line = decodeText(bytes)
      if (!options.has('f')) {
        await context.print(`${chosen(charactersOf(line)).join('')}\n`)
      } else if (!line.includes(delimiter)) {
        if (!options.has('s')) await context.print(`${line}\n`)
      } else {
        await context.print(`${chosen(line.split(delimiter)).join(delimiter)}\n`)
      }
    }
  })
}

/** Selects the parts whose numbers, from 1, are in a list such as `1,3-5,7-`. */
function rangesOf(list: string): (parts: readonly string[]) => string[] {
  const ranges = list.split(',').map((range) => {
    const match = /^([0-9]*)(-?)([0-9]*)$/.exec(range)
    if (!match || range === '' || range === '-') throw new AppletFailure(`invalid range '${list}'`)
    const [, from = '', dash, to = ''] = match
    const start = from === '' ? 1 : Number(from)
    return { start, end: dash === '' ? start : to === '' ? Number.POSITIVE_INFINITY : Number(to) }
  })
  ranges.sort((a, b) => a.start - b.start)
  return (parts) => {
    const chosen: string[] = []
    let at = 0
    for (const { start, end } of ranges) {
      at = Math.max(at, start - 1)
      for (; at < Math.min(end, parts.length); at++) chosen.push(parts[at] ?? '')
    }
    return chosen
  }
}

/** The memory of a kept line besides its bytes. */
const LINE_WEIGHT = 64

const paste: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'd:s' })
  const delimiters = charactersOf(
    (options.value('d') ?? '\t').replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
  )
  const columns: string[][] = []
  const status = await eachFile(context, options.operands, async (input) => {
    const lines: string[] = []
    for await (const { bytes } of context.lines(input)) {
      context.hold(bytes.length + LINE_WEIGHT)
      lines.push(decodeText(bytes))
    }
    columns.push(lines)
  })
  const join = (values: readonly string[]): string =>
    values
      .map((value, index) =>
        index === 0 ? value : `${delimiters[(index - 1) % delimiters.length] ?? ''}${value}`,
      )
      .join('')
  if (options.has('s')) {
    for (const column of columns) await context.print(`${join(column)}\n`)
    return status
  }
  for (let row = 0; columns.some((column) => row < column.length); row++) {
    await context.print(`${join(columns.map((column) => column[row] ?? ''))}\n`)
  }
  return status
}

const fold: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'w:bs' })
  const width = countOf(options.value('w') ?? '80')
  if (width < 1) throw new AppletFailure(`invalid number '${width}'`)
  return eachFile(context, options.operands, async (input) => {
    for await (const { bytes, ended } of context.lines(input)) {
      const characters = charactersOf(decodeText(bytes))
      let at = 0
      while (characters.length - at > width) {
        const row = characters.slice(at, at + width)
        const space = options.has('s') ? row.lastIndexOf(' ') : -1
        const length = space > 0 ? space + 1 : width
        await context.print(`${row.slice(0, length).join('')}\n`)
        at += length
      }
      await context.print(`${characters.slice(at).join('')}${ended ? '\n' : ''}`)
    }
  })
}

const tee: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'ai' })
  let status = 0
  const files = []
  try {
    for (const name of options.operands) {
      try {
        const append = options.has('a')
        files.push(
          context.files.open(context.absolute(name), {
            write: true,
            create: true,
            append,
            truncate: !append,
          }),
        )
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        await context.complain(cannotOpen(name, error))
        status = 1
      }
    }
    for (
      let bytes = await context.stdin.read(context.signal);
      bytes;
      bytes = await context.stdin.read(context.signal)
    ) {
      for (const file of files) file.write(bytes)
      await context.print(bytes)
      await context.flush()
    }
    return status
  } finally {
    for (const file of files) file.close()
  }
}

const yes: Applet = async (context: AppletContext) => {
  const line = `${context.args.length > 0 ? context.args.join(' ') : 'y'}\n`
  const block = encodeText(line.repeat(Math.max(1, Math.floor(8_192 / line.length))))
  for (;;) await context.print(block)
}

const seq: Applet = async (context) => {
  const { numbers, separator, padded } = seqWords(context.args)
  const values = numbers.map((text) => {
    if (text === '' || Number.isNaN(Number(text))) throw new AppletFailure(`invalid number '${text}'`)
    return Number(text)
  })
  if (values.length === 0 || values.length > 3) throw new AppletFailure('usage: seq [FIRST [INC]] LAST')
  const [first, step, last] =
    values.length === 1
      ? [1, 1, values[0] ?? 0]
      : values.length === 2
        ? [values[0] ?? 0, 1, values[1] ?? 0]
        : (values as [number, number, number])
  if (step === 0) throw new AppletFailure("increment can't be zero")
  const digits = Math.max(...numbers.map((text) => text.split('.')[1]?.length ?? 0))
  const wide = padded ? Math.max(...[first, last].map((value) => value.toFixed(digits).length)) : 0
  let any = false
  for (let index = 0; ; index++) {
    const value = first + index * step
    if (step > 0 ? value > last + step * 1e-9 : value < last + step * 1e-9) break
    await context.print(`${any ? separator : ''}${value.toFixed(digits).padStart(wide, '0')}`)
    any = true
  }
  if (any) await context.print('\n')
  return 0
}

/** A number may look like an option: `-1`. */
function seqWords(args: readonly string[]): { numbers: string[]; separator: string; padded: boolean } {
  const numbers: string[] = []
  let separator = '\n'
  let padded = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-w') padded = true
    else if (arg.startsWith('-s')) separator = arg === '-s' ? (args[++at] ?? '\n') : arg.slice(2)
    else numbers.push(arg)
  }
  return { numbers, separator, padded }
}

/** Applets that work on lines. */
export const lineApplets: Readonly<Record<string, Applet>> = { wc, uniq, cut, paste, fold, tee, yes, seq }
