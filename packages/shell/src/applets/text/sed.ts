import { decodeText, encodeText } from '../../text/text.ts'
import { TextBuilder } from '../../text/text-builder.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { parseOptions } from '../context/options.ts'
import type { RegularExpression } from './regular-expression.ts'
import { parseSed, type Replacement, type SedAddress, type SedCommand } from './sed-script.ts'
import { LineSource } from './sed-lines.ts'

/** How many commands may run for one line, so that a loop of branches ends. */
const MOST_STEPS = 100_000
/** The memory of a kept line besides its text. */
const LINE_WEIGHT = 64
const LONGEST_SPACE = 2 * 1024 ** 2
/** How much of a text is translated at once. */
const PIECE = 65_536

const sed: Applet = async (context) => {
  const args = context.args.map((arg) => (/^-i./.test(arg) ? '-i' : arg))
  const options = parseOptions(
    { args },
    {
      letters: 'ne:f:rEisz',
      long: { quiet: 'n', silent: 'n', expression: 'e', 'regexp-extended': 'E', 'in-place': 'i' },
    },
  )
  const paths = [...options.operands]
  const scripts = [...options.values('e')]
  for (const path of options.values('f')) {
    scripts.push(decodeText(context.files.read(context.absolute(path), 1024 ** 2)).replace(/^#!.*\n/, ''))
  }
  if (scripts.length === 0) scripts.push(paths.shift() ?? '')
  const commands = parseSed(scripts.join('\n'), options.has('r') || options.has('E'))
  if (!options.has('i'))
    return edit(context, commands, paths, options.has('n'), (text) => context.print(text))
  let status = 0
  for (const path of paths) {
    const output: string[] = []
    status = Math.max(
      status,
      await edit(context, commands, [path], options.has('n'), async (text) => {
        context.hold(text.length + LINE_WEIGHT)
        output.push(text)
      }),
    )
    if (status === 0) await replace(context, context.absolute(path), output)
    context.release()
  }
  return status
}

/** Replaces the content of a file by the lines. */
async function replace(context: AppletContext, path: string, lines: readonly string[]): Promise<void> {
  using file = context.files.open(path, { write: true, create: true, truncate: true })
  let text = ''
  for (const [index, line] of lines.entries()) {
    text += line
    if (text.length < PIECE && index < lines.length - 1) continue
    file.write(encodeText(text))
    text = ''
    await context.step(64)
  }
}

async function edit(
  context: AppletContext,
  commands: readonly SedCommand[],
  paths: readonly string[],
  quiet: boolean,
  print: (text: string) => Promise<void>,
): Promise<number> {
  const lines = new LineSource(context, paths)
  const editor = new Editor(context, commands, lines, quiet, print)
  try {
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      const exit = await editor.cycle(line)
      if (exit !== undefined) return exit
    }
    return lines.status
  } finally {
    await lines.close()
  }
}

class Editor {
  readonly #context: AppletContext
  readonly #commands: readonly SedCommand[]
  readonly #lines: LineSource
  readonly #quiet: boolean
  readonly #print: (text: string) => Promise<void>
  /** For each active range, the line at which it ends, or 0 where a match ends it. */
  readonly #active = new Map<SedCommand, number>()
  #space = ''
  #hold = ''
  #appended: string[] = []
  #substituted = false
  #lastExpression: RegularExpression | undefined

  constructor(
    context: AppletContext,
    commands: readonly SedCommand[],
    lines: LineSource,
    quiet: boolean,
    print: (text: string) => Promise<void>,
  ) {
    this.#context = context
    this.#commands = commands
    this.#lines = lines
    this.#quiet = quiet
    this.#print = print
  }

  /** Runs the script on a line. Returns an exit code if the script ends there. */
  async cycle(line: string): Promise<number | undefined> {
    this.#space = line
    this.#substituted = false
    let steps = 0
    for (let at = 0; at < this.#commands.length; at++) {
      if (++steps > MOST_STEPS) throw new AppletFailure('the script does not end')
      const command = this.#commands[at]
      if (!command) break
      await this.#context.step(1 + (this.#space.length >> 10))
      if (this.#selects(command) === command.negated) {
        if (command.name === '{') at = command.end
        continue
      }
      const next = await this.#run(command, at)
      if (typeof next === 'number') at = next
      else if (next === 'delete') return this.#finish(false)
      else if (next === 'restart') at = -1
      else if (next === 'quit') {
        await this.#finish(command.name === 'q')
        return Number(command.text || 0)
      }
    }
    return this.#finish(true)
  }

  async #finish(show: boolean): Promise<undefined> {
    if (show && !this.#quiet) await this.#out(this.#space)
    for (const text of this.#appended) await this.#print(text)
    this.#appended = []
    return undefined
  }

  async #out(text: string): Promise<void> {
    await this.#print(this.#lines.ended ? `${text}\n` : text)
  }

  async #run(command: SedCommand, at: number): Promise<number | 'delete' | 'restart' | 'quit' | undefined> {
    switch (command.name) {
      case 's':
        await this.#substitute(command)
        return undefined
      case 'y':
        this.#space = await this.#translated(command.table)
        return undefined
      case 'p':
        await this.#print(`${this.#space}\n`)
        return undefined
      case 'P':
        await this.#print(`${this.#space.split('\n', 1)[0]}\n`)
        return undefined
      case 'd':
        return 'delete'
      case 'D':
        if (!this.#space.includes('\n')) return 'delete'
        this.#space = this.#space.slice(this.#space.indexOf('\n') + 1)
        return 'restart'
      case 'n':
        return this.#nextLine()
      case 'N':
        return this.#appendLine()
      case 'g':
        this.#space = this.#hold
        return undefined
      case 'G':
        this.#space = bounded(`${this.#space}\n${this.#hold}`)
        return undefined
      case 'h':
        this.#hold = this.#space
        return undefined
      case 'H':
        this.#hold = bounded(`${this.#hold}\n${this.#space}`)
        return undefined
      case 'x':
        ;[this.#space, this.#hold] = [this.#hold, this.#space]
        return undefined
      case 'z':
        this.#space = ''
        return undefined
      default:
        return this.#further(command, at)
    }
  }

  async #further(command: SedCommand, at: number): Promise<number | 'delete' | 'quit' | undefined> {
    switch (command.name) {
      case 'a':
        this.#appended.push(command.text)
        return undefined
      case 'i':
        await this.#print(command.text)
        return undefined
      case 'c':
        if (!command.to || !this.#active.has(command)) await this.#print(command.text)
        return 'delete'
      case '=':
        await this.#print(`${this.#lines.number}\n`)
        return undefined
      case 'l':
        await this.#print(`${JSON.stringify(this.#space).slice(1, -1).replaceAll('\\"', '"')}$\n`)
        return undefined
      case 'r':
        this.#appended.push(this.#fileText(command.text))
        return undefined
      case 'w': {
        using file = this.#context.files.open(this.#context.absolute(command.text), {
          write: true,
          create: true,
          append: true,
        })
        file.write(new TextEncoder().encode(`${this.#space}\n`))
        return undefined
      }
      case 'q':
      case 'Q':
        return 'quit'
      case 'b':
        return this.#label(command.text)
      case 't':
      case 'T': {
        const jumps = this.#substituted === (command.name === 't')
        this.#substituted = false
        return jumps ? this.#label(command.text) : at
      }
      default:
        return undefined
    }
  }

  async #translated(table: ReadonlyMap<string, string> | undefined): Promise<string> {
    const pieces: string[] = []
    let piece = ''
    for (const character of this.#space) {
      piece += table?.get(character) ?? character
      if (piece.length < PIECE) continue
      pieces.push(piece)
      piece = ''
      await this.#context.step(PIECE >> 5)
    }
    return pieces.join('') + piece
  }

  async #nextLine(): Promise<'quit' | undefined> {
    if (this.#lines.last) return 'quit'
    if (!this.#quiet) await this.#out(this.#space)
    this.#space = (await this.#lines.next()) ?? ''
    return undefined
  }

  async #appendLine(): Promise<'delete' | undefined> {
    if (this.#lines.last) {
      if (!this.#quiet) await this.#out(this.#space)
      return 'delete'
    }
    this.#space = bounded(`${this.#space}\n${(await this.#lines.next()) ?? ''}`)
    return undefined
  }

  #fileText(path: string): string {
    try {
      return decodeText(this.#context.files.read(this.#context.absolute(path)))
    } catch {
      return ''
    }
  }

  #label(name: string): number {
    if (name === '') return this.#commands.length
    const at = this.#commands.findIndex((command) => command.name === ':' && command.text === name)
    if (at < 0) throw new AppletFailure(`can't find label for jump to '${name}'`)
    return at
  }

  async #substitute({ substitute }: SedCommand): Promise<void> {
    if (!substitute) return
    const expression = this.#expression(substitute.expression)
    const text = this.#space
    const result = new TextBuilder()
    let at = 0
    let [found, replaced] = [0, false]
    while (at <= text.length) {
      const match = expression.find(text, at)
      if (!match) break
      result.add(text.slice(at, match.start))
      found++
      if (found >= substitute.number && (substitute.global || !replaced)) {
        result.add(filled(substitute.replacement, match.groups))
        replaced = true
      } else result.add(text.slice(match.start, match.end))
      at = match.end
      if (match.end === match.start) result.add(text[at++] ?? '')
      if (replaced && !substitute.global) break
      checkSpace(result.length)
      await this.#context.step()
    }
    if (!replaced) return
    this.#space = bounded(result.toString() + text.slice(at))
    this.#substituted = true
    if (substitute.print) await this.#print(`${this.#space}\n`)
  }

  #expression(given: RegularExpression | undefined): RegularExpression {
    const expression = given ?? this.#lastExpression
    if (!expression) throw new AppletFailure('no previous regexp')
    this.#lastExpression = expression
    return expression
  }

  #selects(command: SedCommand): boolean {
    const { from, to } = command
    if (!from) return true
    if (!to) return this.#meets(from)
    const { number } = this.#lines
    const end = this.#active.get(command)
    if (end === undefined) {
      if (!this.#meets(from)) return false
      const last = to.type === 'line' ? to.line : to.type === 'more' ? number + to.lines : 0
      if (last === 0 || last > number) this.#active.set(command, last)
      if (to.type === 'last' && this.#lines.last) this.#active.delete(command)
      return true
    }
    const over = end > 0 ? number >= end : this.#meets(to)
    if (over) this.#active.delete(command)
    // A line number that has been passed ends the range before this line.
    return !(end > 0 && number > end)
  }

  #meets(address: SedAddress): boolean {
    const { number, last } = this.#lines
    switch (address.type) {
      case 'line':
        return number === address.line
      case 'last':
        return last
      case 'step':
        return address.step > 0
          ? number >= address.first && (number - address.first) % address.step === 0
          : number === address.first
      case 'match':
        return this.#expression(address.expression).matches(this.#space)
      default:
        return false
    }
  }
}

/** The replacement with its groups filled in, and with conversions such as `\U` and `\L` applied. */
function filled(parts: readonly Replacement[], groups: readonly (string | undefined)[]): string {
  let result = ''
  let fold: 'U' | 'L' | 'E' = 'E'
  let once: 'u' | 'l' | undefined
  for (const part of parts) {
    if (typeof part === 'object' && 'fold' in part) {
      if (part.fold === 'u' || part.fold === 'l') once = part.fold
      else fold = part.fold
      continue
    }
    let text = typeof part === 'string' ? part : (groups[part.group] ?? '')
    if (fold !== 'E') text = fold === 'U' ? text.toUpperCase() : text.toLowerCase()
    if (once && text !== '') {
      const [first = '', ...rest] = text
      text = (once === 'u' ? first.toUpperCase() : first.toLowerCase()) + rest.join('')
      once = undefined
    }
    result += text
  }
  return result
}

function bounded(text: string): string {
  checkSpace(text.length)
  return text
}

function checkSpace(length: number): void {
  if (length > LONGEST_SPACE) throw new AppletFailure('the pattern space is too large')
}

/** The applet `sed`. */
export const sedApplets: Readonly<Record<string, Applet>> = { sed }
