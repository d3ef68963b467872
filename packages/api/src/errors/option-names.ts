import { HomeostatError } from './homeostat-error.ts'
import { nearestName } from './nearest-name.ts'

/** The options that a function or a class takes. {@link optionNames} makes one. */
export interface OptionNames {
  /** Whose options they are, for messages: `client.list`. */
  readonly whose: string
  readonly names: ReadonlySet<string>
  /** What to do instead, for options that people expect here. */
  readonly remedies: Readonly<Record<string, string>>
}

/**
 * The names of the options of the type `T`. The compiler refuses a list that misses one or has another, so that
 * an option which is added later is not refused.
 */
export function optionNames<T extends object>(
  whose: string,
  names: Readonly<Record<keyof T & string, true>>,
  remedies: Readonly<Record<string, string>> = {},
): OptionNames {
  return { whose, names: new Set(Object.keys(names)), remedies }
}

/**
 * Throws a `HomeostatError` with code `OPTION_UNKNOWN` where an option is given that does not exist: it would have no
 * effect. The message names the nearest one that does. Options whose value is undefined count as left out.
 */
export function checkOptionNames(options: object | undefined, known: OptionNames): void {
  if (options === undefined || options === null) return
  for (const name in options) {
    if (known.names.has(name) || (options as Record<string, unknown>)[name] === undefined) continue
    throw unknownOption(name, known)
  }
}

function unknownOption(name: string, { whose, names, remedies }: OptionNames): HomeostatError {
  const nearest = nearestName(name, names)
  const known = names.size === 0 ? 'it takes none' : `it takes ${[...names].join(', ')}`
  const remedy = Object.hasOwn(remedies, name)
    ? remedies[name]!
    : nearest === undefined
      ? known
      : `did you mean ${nearest}?`
  return new HomeostatError('OPTION_UNKNOWN', `${whose} has no option ${JSON.stringify(name)}: ${remedy}`)
}
