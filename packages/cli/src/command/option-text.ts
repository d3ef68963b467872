import type { OptionValues } from './command.ts'

/** The value of an option that takes one. Undefined: it was not given. */
export function optionText(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
