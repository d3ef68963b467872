import type { OptionValues } from './command.ts'

/** The value of an option that takes one; undefined where the user did not give it. */
export function optionText(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
