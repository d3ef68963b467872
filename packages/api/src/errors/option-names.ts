import { HomeostatError } from './homeostat-error.ts'
import { nearestName } from './nearest-name.ts'

/** The options that a function or a class takes, created with {@link optionNames}. */
export interface OptionNames {
  /** The function or class that takes the options, for messages: `client.list`. */
  readonly whose: string
  readonly names: ReadonlySet<string>
  /** Remedies for options that callers may expect here although they do not exist, by name. */
  readonly remedies: Readonly<Record<string, string>>
}

/**
 * The names of the options of the type `T`. The compiler refuses a list that lacks an option or has an unknown one,
 * so that an option that is added to the type later cannot be forgotten here.
 */
export function optionNames<T extends object>(
  whose: string,
  names: Readonly<Record<keyof T & string, true>>,
  remedies: Readonly<Record<string, string>> = {},
): OptionNames {
  return { whose, names: new Set(Object.keys(names)), remedies }
}

/**
 * Throws a `HomeostatError` with code `OPTION_UNKNOWN` for an option that does not exist, since it would have no
 * effect. The message names the most similar option. Options whose value is undefined count as left out.
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
