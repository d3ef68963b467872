import type { Command } from './command.ts'
import { wrap } from './wrap.ts'

/** The usual width of a terminal, in columns. */
const WIDTH = 80

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, description, options, examples } = command
  const usage = ['homeostat', name, ...(command.arguments ? [command.arguments] : []), '[options]'].join(' ')
  const rows = Object.entries(options).map(([option, { type, value, description: text, choices }]) => {
    const given = value ?? choices?.join('|') ?? 'VALUE'
    return [type === 'boolean' ? `--${option}` : `--${option}=${given}`, text] as const
  })
  return [
    `${wrap(`Usage: ${usage}`, WIDTH).join('\n         ')}\n`,
    `${wrap(description, WIDTH).join('\n')}\n`,
    'Options:',
    ...table([...rows, ['--help', 'print this help and exit']]),
    '\nExamples:',
    ...table(examples.map(([line, meaning]) => [`homeostat ${line}`, meaning])),
    '',
  ].join('\n')
}

/** The help of the program: the list of its commands. */
export function programHelp(commands: readonly Command[]): string {
  return [
    'Usage: homeostat COMMAND [options]\n',
    `${wrap('Works with the operator that operator.ts exports: its manifests, its graph, its tests, the operator itself.', WIDTH).join('\n')}\n`,
    'Commands:',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '\nOptions:',
    ...table([
      ['--version', 'print the version and exit'],
      ['--help', 'print this help and exit; after a command, the help of that command'],
    ]),
    '\nExit codes: 0 done, 1 failed or found a problem, 2 wrong usage, 130 interrupted.',
    '',
  ].join('\n')
}

/** Two columns, the second one wrapped. Where the first is wide, the second one stands below it. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([left]) => left.length)) + 4
  if (first > WIDTH / 2) {
    return rows.flatMap(([left, right]) => [
      `  ${left}`,
      ...wrap(right, WIDTH - 6).map((line) => `      ${line}`),
    ])
  }
  return rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - first).map((line, index) =>
      `  ${index === 0 ? left : ''}`.padEnd(first).concat(line),
    ),
  )
}
