import { parseArgs } from 'node:util'
import { HomeostatError, nearestName } from '@homeostat/api'

/** A flag of a program. */
export interface Flag {
  /** The name of its value in the help; none for a switch. */
  readonly value?: string
  readonly help: string
}

/** The given values, by flag. A switch is `true`. */
export type FlagValues<F extends string> = Readonly<Partial<Record<F, string>>>

/** Reads `--name=value`, `--name value` and `--switch`. Fails with `USAGE` on anything else. */
export function parseFlags<F extends string>(
  args: readonly string[],
  flags: Readonly<Record<F, Flag>>,
): FlagValues<F> {
  const options = Object.fromEntries(
    Object.entries<Flag>(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  // Not strict, since a strict parser's messages have no remedy and suggest no option.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const values: Partial<Record<F, string>> = {}
  for (const token of tokens) {
    if (token.kind !== 'option' || !token.rawName.startsWith('--')) {
      throw usage(`unexpected argument ${JSON.stringify(args[token.index])}: options begin with --`)
    }
    const { name, value, inlineValue } = token
    if (!Object.hasOwn(flags, name)) throw usage(`there is no option --${name}${suggestion(name, flags)}`)
    const flag = name as F
    if (flags[flag].value === undefined) {
      if (inlineValue) throw usage(`--${name} takes no value`)
      values[flag] = 'true'
    } else if (value === undefined || value === '') {
      throw usage(`--${name} needs a value: --${name}=${flags[flag].value}`)
    } else {
      values[flag] = value
    }
  }
  return values
}

/** The flags with what they do, one on a line. */
export function flagsHelp(flags: Readonly<Record<string, Flag>>): string {
  const left = Object.entries(flags).map(([name, { value }]) => `--${name}${value ? `=${value}` : ''}`)
  const width = Math.max(...left.map((text) => text.length))
  return Object.values(flags)
    .map(({ help }, index) => `  ${(left[index] ?? '').padEnd(width)}  ${help}`)
    .join('\n')
}

/** The number of a port. */
export function portOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usage(
    `--secure-port=${text} is not a port: give a number from 0 to 65535, where 0 means any free port`,
  )
}

/** An error for a wrong command line. */
function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}

function suggestion(name: string, flags: object): string {
  const nearest = nearestName(name, Object.keys(flags))
  return nearest === undefined ? '' : `; did you mean --${nearest}?`
}
