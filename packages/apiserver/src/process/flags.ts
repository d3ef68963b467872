import { HomeostatError } from '@homeostat/api'

/** A flag of a program. */
export interface Flag {
  /** How its value is called in the help; none for a switch. */
  readonly value?: string
  readonly help: string
}

/** What was given, by the flags' names. A switch is `true`. */
export type FlagValues<F extends string> = Readonly<Partial<Record<F, string>>>

/** Reads `--name=value`, `--name value` and `--switch`. Fails with `USAGE` on anything else. */
export function parseFlags<F extends string>(
  args: readonly string[],
  flags: Readonly<Record<F, Flag>>,
): FlagValues<F> {
  const values: Partial<Record<F, string>> = {}
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? ''
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(argument)
    if (!match) throw usage(`there is no argument ${JSON.stringify(argument)}: options begin with --`)
    const [, name = '', given] = match
    if (!Object.hasOwn(flags, name))
      throw usage(`there is no option --${name}${suggestion(name, Object.keys(flags))}`)
    const flag = name as F
    if (flags[flag].value === undefined) {
      if (given !== undefined) throw usage(`--${name} takes no value`)
      values[flag] = 'true'
      continue
    }
    const value = given ?? args[++index]
    if (value === undefined || value === '') {
      throw usage(`--${name} needs a value: --${name}=${flags[flag].value}`)
    }
    values[flag] = value
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
    `--secure-port=${text} is no port: give a number from 0, which takes any that is free, to 65535`,
  )
}

/** That a program was called wrongly. */
function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}

function suggestion(name: string, known: readonly string[]): string {
  const ranked = known
    .map((other) => ({ other, steps: distance(name, other) }))
    .sort((a, b) => a.steps - b.steps)
  const [best] = ranked
  return best && best.steps <= Math.max(2, name.length / 3) ? `; did you mean --${best.other}?` : ''
}

/** How many letters have to be changed, put in or taken out to make one text of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? 0
}
