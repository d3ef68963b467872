import { LONGEST_VALUE } from '../expansion/expansion-scope.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { unlessAborted } from '../process/killed.ts'
import type { Input } from '../process/input.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import { decodeText, isContinued } from '../text/text.ts'
import type { Builtin } from './builtin.ts'

interface ReadOptions {
  raw: boolean
  prompt: string | undefined
  /** In seconds. */
  timeout: number | undefined
  /** The number of characters to read. */
  count: number | undefined
  delimiter: string
}

/** `read`: a line from standard input into variables. */
const read: Builtin = async (shell, args) => {
  const options: ReadOptions = {
    raw: false,
    prompt: undefined,
    timeout: undefined,
    count: undefined,
    delimiter: '\n',
  }
  const names = parse(args, options)
  const input = shell.descriptors.get(0)?.input
  if (!input) return 1
  if (options.prompt !== undefined && input.isTerminal) await shell.print(options.prompt)
  const stop = new AbortController()
  const ended = (): void => stop.abort(shell.process.signal.reason)
  shell.process.signal.addEventListener('abort', ended, { once: true })
  const timer =
    options.timeout === undefined
      ? undefined
      : shell.system.clock.schedule(options.timeout * 1_000, () =>
          stop.abort(new DOMException('', 'TimeoutError')),
        )
  try {
    const line = await unlessAborted(readLine(shell, input, options, stop.signal), stop.signal)
    assign(shell, names.length > 0 ? names : ['REPLY'], line.text, options.raw)
    return line.ended ? 0 : 1
  } catch (error) {
    if (!stop.signal.aborted || shell.process.signal.aborted) throw error
    return 1
  } finally {
    timer?.cancel()
    shell.process.signal.removeEventListener('abort', ended)
  }
}

function parse(args: readonly string[], options: ReadOptions): string[] {
  const left = [...args]
  while (/^-./.test(left[0] ?? '')) {
    const arg = left.shift() ?? ''
    if (arg === '--') break
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at] ?? ''
      if (letter === 'r') options.raw = true
      else if (letter === 's') continue
      else if ('ptnd'.includes(letter)) {
        const value = at + 1 < arg.length ? arg.slice(at + 1) : (left.shift() ?? '')
        set(options, letter, value)
        break
      } else throw new ShellFailure(`illegal option -${letter}`, { fatal: false })
    }
  }
  return left
}

function set(options: ReadOptions, letter: string, value: string): void {
  if (letter === 'p') options.prompt = value
  else if (letter === 'd') options.delimiter = value.slice(0, 1) || '\0'
  else {
    const number = Number(value)
    if (!(number >= 0)) throw new ShellFailure(`${value}: invalid number`, { fatal: false })
    if (letter === 't') options.timeout = number
    else options.count = number
  }
}

async function readLine(
  shell: Interpreter,
  input: Input,
  { raw, count, delimiter }: ReadOptions,
  signal: AbortSignal,
): Promise<{ text: string; ended: boolean }> {
  let text = ''
  if (count !== undefined) {
    while (text.length < count) {
      await shell.step(1)
      const bytes = await input.read(signal, 1)
      if (!bytes) return { text, ended: false }
      if (decodeText(bytes) === delimiter) break
      text += decodeText(bytes)
      if (text.length > LONGEST_VALUE) throw new ShellFailure('a value is too long')
    }
    return { text, ended: true }
  }
  for (;;) {
    const line = await input.readLine(signal, delimiter.charCodeAt(0))
    if (!line) return { text, ended: false }
    await shell.step(1 + (line.bytes.length >> 8))
    text += decodeText(line.bytes)
    if (text.length > LONGEST_VALUE) throw new ShellFailure('a value is too long')
    if (raw || !line.ended || !isContinued(text)) return { text, ended: line.ended }
    // A backslash at the end of a line continues it on the next one.
    text = text.slice(0, -1)
  }
}

/** One field for each variable; the last variable gets the rest. */
function assign(shell: Interpreter, names: readonly string[], line: string, raw: boolean): void {
  const ifs = shell.get('IFS') ?? ' \t\n'
  const { text, literal } = unescaped(line, raw)
  let at = 0
  const isSeparator = (index: number): boolean =>
    index < text.length && literal?.[index] !== 1 && ifs.includes(text[index] ?? '')
  const isSpace = (index: number): boolean => isSeparator(index) && ' \t\n'.includes(text[index] ?? '')
  while (isSpace(at)) at++
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) {
      shell.set(name, lastField(text, at, isSeparator, isSpace))
      return
    }
    const start = at
    while (at < text.length && !isSeparator(at)) at++
    const value = text.slice(start, at)
    while (isSpace(at)) at++
    if (isSeparator(at) && !isSpace(at)) at++
    while (isSpace(at)) at++
    shell.set(name, value)
  }
}

function lastField(
  text: string,
  start: number,
  isSeparator: (index: number) => boolean,
  isSpace: (index: number) => boolean,
): string {
  let end = text.length
  while (end > start && isSpace(end - 1)) end--
  // A single field may have one separator after it, as every other field may.
  let first = start
  while (first < end && !isSeparator(first)) first++
  if (first === end - 1 && !isSpace(first)) end = first
  return text.slice(start, end)
}

/** The line without its backslashes, and for each character whether a backslash preceded it. */
function unescaped(line: string, raw: boolean): { text: string; literal: Uint8Array | undefined } {
  if (raw || !line.includes('\\')) return { text: line, literal: undefined }
  const literal = new Uint8Array(line.length)
  const pieces: string[] = []
  let length = 0
  for (let at = 0; at < line.length;) {
    const found = line.indexOf('\\', at)
    const end = found < 0 ? line.length : found
    pieces.push(line.slice(at, end))
    length += end - at
    at = end + 1
    if (found < 0 || at >= line.length) break
    // Marks both halves of a surrogate pair.
    const size = (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    pieces.push(line.slice(at, at + size))
    literal.fill(1, length, length + size)
    length += size
    at += size
  }
  return { text: pieces.join(''), literal }
}

/** Builtins that read. */
export const readBuiltins: Readonly<Record<string, Builtin>> = { read }
