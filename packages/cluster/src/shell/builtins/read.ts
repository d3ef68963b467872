import type { Interpreter } from '../interpreter/interpreter.ts'
import { unlessAborted } from '../process/killed.ts'
import type { Input } from '../process/input.ts'
import { ShellFailure } from '../shell-failure.ts'
import { charactersOf, decodeText, isContinued } from '../text.ts'
import type { Builtin } from './builtin.ts'

interface ReadOptions {
  raw: boolean
  prompt: string | undefined
  /** In seconds. */
  timeout: number | undefined
  /** How many characters are enough. */
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
    const line = await unlessAborted(readLine(input, options, stop.signal), stop.signal)
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
  input: Input,
  { raw, count, delimiter }: ReadOptions,
  signal: AbortSignal,
): Promise<{ text: string; ended: boolean }> {
  if (count !== undefined) {
    let text = ''
    while (text.length < count) {
      const bytes = await input.read(signal, 1)
      if (!bytes) return { text, ended: false }
      if (decodeText(bytes) === delimiter) break
      text += decodeText(bytes)
    }
    return { text, ended: true }
  }
  let text = ''
  for (;;) {
    const line = await input.readLine(signal, delimiter.charCodeAt(0))
    if (!line) return { text, ended: false }
    text += decodeText(line.bytes)
    if (raw || !line.ended || !isContinued(text)) return { text, ended: line.ended }
    // A backslash at the end goes on with the next line.
    text = text.slice(0, -1)
  }
}

/** One field for each variable, and all that is left for the last. */
function assign(shell: Interpreter, names: readonly string[], line: string, raw: boolean): void {
  const ifs = shell.get('IFS') ?? ' \t\n'
  const spaces = charactersOf(ifs).filter((character) => /[ \t\n]/.test(character))
  const characters = unescaped(line, raw)
  let at = 0
  const isSeparator = (index: number): boolean => {
    const character = characters[index]
    return character !== undefined && !character.literal && ifs.includes(character.text)
  }
  const isSpace = (index: number): boolean =>
    isSeparator(index) && spaces.includes(characters[index]?.text ?? '')
  while (isSpace(at)) at++
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) {
      shell.set(name, lastField(characters, at, isSeparator, isSpace))
      return
    }
    let value = ''
    while (at < characters.length && !isSeparator(at)) value += characters[at++]?.text ?? ''
    while (isSpace(at)) at++
    if (isSeparator(at) && !isSpace(at)) at++
    while (isSpace(at)) at++
    shell.set(name, value)
  }
}

interface Character {
  readonly text: string
  readonly literal: boolean
}

function lastField(
  characters: readonly Character[],
  start: number,
  isSeparator: (index: number) => boolean,
  isSpace: (index: number) => boolean,
): string {
  let end = characters.length
  while (end > start && isSpace(end - 1)) end--
  // A single field may have one separator after it, as every other field may.
  const first = characters.findIndex((_, index) => index >= start && isSeparator(index))
  if (first === end - 1 && first >= start && !isSpace(first)) end = first
  return characters
    .slice(start, end)
    .map(({ text }) => text)
    .join('')
}

function unescaped(line: string, raw: boolean): Character[] {
  const characters: Character[] = []
  const all = charactersOf(line)
  for (let at = 0; at < all.length; at++) {
    if (!raw && all[at] === '\\' && at + 1 < all.length)
      characters.push({ text: all[++at] ?? '', literal: true })
    else if (raw || all[at] !== '\\') characters.push({ text: all[at] ?? '', literal: false })
  }
  return characters
}

/** What reads. */
export const readBuiltins: Readonly<Record<string, Builtin>> = { read }
