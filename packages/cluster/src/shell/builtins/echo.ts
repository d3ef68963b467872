import { LETTER_ESCAPES } from '../syntax/escapes.ts'
import { byteText } from '../text.ts'
import type { Builtin } from './builtin.ts'
import { format } from './printf-format.ts'

const echo: Builtin = async (shell, args) => {
  let newline = true
  let escapes = false
  let at = 0
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) {
    for (const letter of args[at]?.slice(1) ?? '') {
      if (letter === 'n') newline = false
      else escapes = letter === 'e'
    }
  }
  const text = args.slice(at).join(' ')
  const { result, stopped } = escapes ? unescape(text) : { result: text, stopped: false }
  await shell.print(newline && !stopped ? `${result}\n` : result)
  return 0
}

const printf: Builtin = async (shell, args) => {
  const words = args[0] === '--' ? args.slice(1) : args
  const [pattern, ...values] = words
  if (pattern === undefined) {
    await shell.complain('printf: usage: printf FORMAT [ARG]...')
    return 2
  }
  const { text, problems } = format(pattern, values)
  await shell.print(text)
  for (const problem of problems) await shell.complain(`printf: ${problem}`)
  return problems.length > 0 ? 1 : 0
}

const ESCAPES: Readonly<Record<string, string>> = { ...LETTER_ESCAPES, '\\': '\\' }

/** The escapes of `echo -e`; `\c` stops everything. */
function unescape(text: string): { result: string; stopped: boolean } {
  const stop = /^(?:[^\\]|\\[^c])*?\\c/s.exec(text)
  const shown = stop ? stop[0].slice(0, -2) : text
  const result = shown.replace(
    /\\(0[0-7]{0,3}|[1-7][0-7]{0,2}|x[0-9a-fA-F]{1,2}|[^])/g,
    (whole, code: string) => {
      if (/^[0-7]/.test(code)) return byteText(Number.parseInt(code, 8) & 0xff)
      if (code.startsWith('x') && code.length > 1) return byteText(Number.parseInt(code.slice(1), 16))
      return ESCAPES[code] ?? whole
    },
  )
  return { result, stopped: stop !== null }
}

/** What prints. */
export const echoBuiltins: Readonly<Record<string, Builtin>> = { echo, printf }
