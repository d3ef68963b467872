import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The folder that results are written to, unless the option `out` names another. */
export const RESULTS = join(import.meta.dirname, 'results')

/** The command line of a benchmark, whose options have the names `N` and `T`. */
export interface CommandLine<N extends string, T extends string> {
  /** A whole number from 1. Throws an `Error` that names the option for other texts. */
  number(name: N): number
  text(name: N | T): string
}

/**
 * Reads the options of a benchmark by their names and defaults; `undefined` where the user asks for help. Throws an `Error`
 * that names an unknown option.
 */
export function readCommandLine<N extends string, T extends string = never>(
  args: readonly string[],
  numbers: Readonly<Record<N, number>>,
  texts?: Readonly<Record<T, string>>,
): CommandLine<N, T> | undefined {
  const defaults: [string, string | number][] = [
    ...Object.entries<number>(numbers),
    ...Object.entries<string>(texts ?? {}),
  ]
  const options = defaults.map(
    ([name, value]) => [name, { type: 'string' as const, default: String(value) }] as const,
  )
  const { values } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(options), help: { type: 'boolean', default: false } },
  })
  if (values.help) return undefined
  const given = new Map(Object.entries(values))
  const text = (name: N | T): string => String(given.get(name))
  return { text, number: (name) => wholeNumber(name, text(name)) }
}

/** The names of a list such as `a,b`, each once. Throws an `Error` that names the option and a name that is not among the known ones. */
export function chosenNames<Name extends string>(
  option: string,
  text: string,
  known: readonly Name[],
): Name[] {
  const names = text.split(',').map((given) => {
    const found = known.find((name) => name === given.trim())
    if (!found) throw new Error(`--${option} names ${JSON.stringify(given)}; there are ${known.join(', ')}`)
    return found
  })
  return [...new Set(names)]
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    throw new Error(`--${name} must be a whole number from 1, not ${JSON.stringify(text)}`)
  }
  return number
}
