import type { Interpreter } from '../state/interpreter.ts'
import { LETTER_ESCAPES } from '../syntax/escapes.ts'
import { byteText } from '../text/text.ts'
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
  const { result, stopped } = escapes ? await unescape(text, shell) : { result: text, stopped: false }
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
  const problems: string[] = []
  for (const text of format(pattern, values, problems)) await shell.print(text)
  for (const problem of problems) await shell.complain(`printf: ${problem}`)
  return problems.length > 0 ? 1 : 0
}

const ESCAPES: Readonly<Record<string, string>> = { ...LETTER_ESCAPES, '\\': '\\' }

/** After this number of escapes, other processes get their turn. */
const ESCAPES_OF_STEP = 1_024

/** The escapes of `echo -e`; `\c` stops everything. */
async function unescape(text: string, shell: Interpreter): Promise<{ result: string; stopped: boolean }> {
  const pieces: string[] = []
  const escape = /\\(0[0-7]{0,3}|[1-7][0-7]{0,2}|x[0-9a-fA-F]{1,2}|[^])/y
  let at = 0
  for (let found = text.indexOf('\\'); found >= 0; found = text.indexOf('\\', at)) {
    pieces.push(text.slice(at, found))
    escape.lastIndex = found
    const [whole = '\\', code = ''] = escape.exec(text) ?? []
    if (code === 'c') return { result: pieces.join(''), stopped: true }
    pieces.push(unescaped(whole, code))
    at = found + whole.length
    if (pieces.length % ESCAPES_OF_STEP === 0) await shell.step(ESCAPES_OF_STEP >> 2)
  }
  pieces.push(text.slice(at))
  return { result: pieces.join(''), stopped: false }
}

function unescaped(whole: string, code: string): string {
  if (/^[0-7]/.test(code)) return byteText(Number.parseInt(code, 8) & 0xff)
  if (code.startsWith('x') && code.length > 1) return byteText(Number.parseInt(code.slice(1), 16))
  return ESCAPES[code] ?? whole
}

/** Builtins that print. */
export const echoBuiltins: Readonly<Record<string, Builtin>> = { echo, printf }
