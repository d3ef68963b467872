import type { Command } from './command.ts'

const WIDTH = 92

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, description, options, examples } = command
  const usage = ['homeostat', name, ...(command.arguments ? [command.arguments] : []), '[options]'].join(' ')
  const rows = Object.entries(options).map(([option, { type, value, description: text, choices }]) => {
    const given = value ?? choices?.join('|') ?? 'VALUE'
    return [type === 'boolean' ? `--${option}` : `--${option}=${given}`, text] as const
  })
  return [
    `Usage: ${usage}\n`,
    `${wrap(description, WIDTH).join('\n')}\n`,
    'Options:',
    ...table([...rows, ['--help', 'print this, and end']]),
    '\nExamples:',
    ...table(examples.map(([line, meaning]) => [`homeostat ${line}`, meaning])),
    '',
  ].join('\n')
}

/** The help of the program: what its commands are. */
export function programHelp(commands: readonly Command[]): string {
  return [
    'Usage: homeostat COMMAND [options]\n',
    'Works with the operator that operator.ts exports: its manifests, its graph, its tests, the operator itself.\n',
    'Commands:',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '\nOptions:',
    ...table([
      ['--version', 'print the version and exit'],
      ['--help', 'print this help and exit; after a command, the help of that command'],
    ]),
    '\nExit codes: 0 done, 1 failed or a check found a problem, 2 wrong usage.',
    '',
  ].join('\n')
}

/** Two columns, the second one wrapped. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.flatMap(([left, right]) =>
    wrap(right, Math.max(30, WIDTH - first)).map((line, index) =>
      `  ${(index === 0 ? left : '').padEnd(first)}${line}`.trimEnd(),
    ),
  )
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
