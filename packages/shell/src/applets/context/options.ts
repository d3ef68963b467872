import { AppletFailure, type AppletContext } from './applet-context.ts'

/** The options and the other arguments of a command. */
export class Options {
  readonly operands: string[] = []
  readonly #values = new Map<string, string[]>()

  has(letter: string): boolean {
    return this.#values.has(letter)
  }

  /** The last value that was given. */
  value(letter: string): string | undefined {
    return this.#values.get(letter)?.at(-1)
  }

  /** All values that were given. */
  values(letter: string): readonly string[] {
    return this.#values.get(letter) ?? []
  }

  add(letter: string, value: string): void {
    this.#values.set(letter, [...this.values(letter), value])
  }
}

/** Which options a command knows. */
export interface OptionTable {
  /** As for `getopt`: a letter, with a colon after it where it takes a value. */
  readonly letters: string
  /** The letters of long options, by name. */
  readonly long?: Readonly<Record<string, string>> | undefined
  /** Whether the first operand ends the options, as for commands that run commands. */
  readonly strict?: boolean | undefined
}

/** Reads a command's arguments. An unknown option ends the command with a message. */
export function parseOptions(context: Pick<AppletContext, 'args'>, table: OptionTable): Options {
  const options = new Options()
  const left = [...context.args]
  while (left.length > 0) {
    const arg = left.shift() ?? ''
    if (arg === '--') {
      options.operands.push(...left)
      break
    }
    if (arg.startsWith('--')) long(arg, left, table, options)
    else if (arg.startsWith('-') && arg !== '-') short(arg, left, table, options)
    else {
      options.operands.push(arg)
      if (!table.strict) continue
      options.operands.push(...left)
      break
    }
  }
  return options
}

function long(arg: string, left: string[], table: OptionTable, options: Options): void {
  const [name = '', given] = arg.slice(2).split(/=(.*)/s)
  const letter = table.long?.[name]
  if (letter === undefined) throw new AppletFailure(`unrecognized option: ${name}`)
  const takesValue = table.letters.includes(`${letter}:`)
  options.add(letter, takesValue ? (given ?? left.shift() ?? missing(name)) : '')
}

function short(arg: string, left: string[], table: OptionTable, options: Options): void {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at] ?? ''
    const known = letter === ':' ? -1 : table.letters.indexOf(letter)
    if (known < 0) throw new AppletFailure(`unrecognized option: ${letter}`)
    if (table.letters[known + 1] !== ':') {
      options.add(letter, '')
      continue
    }
    options.add(letter, at + 1 < arg.length ? arg.slice(at + 1) : (left.shift() ?? missing(letter)))
    return
  }
}

function missing(name: string): never {
  throw new AppletFailure(`option requires an argument: ${name}`)
}

/** A whole number that is not negative, such as a count. */
export function countOf(text: string): number {
  const match = /^([0-9]+)([kKmMgGb]?)$/.exec(text)
  const factor =
    { '': 1, b: 512, k: 1_024, m: 1_024 ** 2, g: 1_024 ** 3 }[match?.[2]?.toLowerCase() ?? ''] ?? 1
  const value = Number(match?.[1] ?? Number.NaN) * factor
  if (!Number.isSafeInteger(value)) throw new AppletFailure(`invalid number '${text}'`)
  return value
}
