import type { CommandIo } from './command.ts'

/** Colours text for a terminal. Leaves it as it is elsewhere, and where NO_COLOR is set. */
export interface Style {
  good(text: string): string
  bad(text: string): string
  faint(text: string): string
  bold(text: string): string
}

export function styleOf({ isTerminal, env }: CommandIo): Style {
  const colour = isTerminal && !env['NO_COLOR']
  const paint =
    (code: number) =>
    (text: string): string =>
      colour ? `\u001B[${code}m${text}\u001B[0m` : text
  return { good: paint(32), bad: paint(31), faint: paint(2), bold: paint(1) }
}
