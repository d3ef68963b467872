import { joinBytes } from '@homeostat/api'
import { charactersOf, decodeText, encodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { eachFile } from '../context/each-file.ts'
import { parseOptions } from '../context/options.ts'

const NEWLINE = encodeText('\n')

const cat: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'nbuvetAET' })
  const numbers = options.has('n') || options.has('b')
  let number = 0
  return eachFile(context, options.operands, async (input) => {
    if (numbers) {
      for await (const { bytes, ended } of context.lines(input)) {
        const shown = options.has('b') && bytes.length === 0 ? '' : `${String(++number).padStart(6)}\t`
        await context.print(joinBytes([encodeText(shown), bytes, ended ? NEWLINE : new Uint8Array()]))
      }
      return
    }
    for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
      await context.print(bytes)
      await context.flush()
    }
  })
}

const tac: Applet = async (context) =>
  eachFile(context, parseOptions(context, { letters: '' }).operands, async (input) => {
    const pieces: Uint8Array[] = []
    for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
      context.hold(bytes.length)
      pieces.push(bytes)
      await context.step(4)
    }
    const bytes = joinBytes(pieces)
    for (let end = bytes.length; end > 0;) {
      const before = end >= 2 ? bytes.lastIndexOf(10, end - 2) : -1
      await context.print(bytes.subarray(before + 1, end))
      end = before + 1
    }
    context.release()
  })

const rev: Applet = async (context) =>
  eachFile(context, parseOptions(context, { letters: '' }).operands, async (input) => {
    for await (const { bytes, ended } of context.lines(input)) {
      await context.print(`${charactersOf(decodeText(bytes)).reverse().join('')}${ended ? '\n' : ''}`)
    }
  })

const nl: Applet = async (context) => {
  const { operands, value } = boundOptions(context)
  const all = value('b') === 'a'
  const width = Number(value('w') ?? 6)
  if (!(width >= 1 && width <= 1_000)) throw new AppletFailure(`invalid number '${value('w')}'`)
  let number = 0
  return eachFile(context, operands, async (input) => {
    for await (const { bytes } of context.lines(input)) {
      const line = decodeText(bytes)
      const shown = line !== '' || all
      await context.print(
        shown ? `${String(++number).padStart(width)}\t${line}\n` : `${' '.repeat(width)} \n`,
      )
    }
  })
}

function boundOptions(context: AppletContext): {
  operands: string[]
  value: (letter: string) => string | undefined
} {
  const options = parseOptions(context, { letters: 'b:w:s:v:i:' })
  return { operands: options.operands, value: (letter) => options.value(letter) }
}

/** Applets that print files: `cat`, `tac`, `rev` and `nl`. */
export const catApplets: Readonly<Record<string, Applet>> = { cat, tac, rev, nl }
