import { readFileSync } from 'node:fs'
import { HomeostatError, nearestName } from '@homeostat/api'
import {
  commandHelp,
  linesBehind,
  parseCommand,
  programHelp,
  styleOf,
  usageError,
  type CommandIo,
} from '../command/index.ts'
import { commands } from '../commands/index.ts'

/** `homeostat`: runs one command. Returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage, 130 for Ctrl-C. */
export async function homeostat(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      return help(rest[0], io)
    }
    if (name === '--version') {
      io.out(`homeostat ${version()}\n`)
      return 0
    }
    const command = find(name)
    const { values, positionals, help: asksHelp } = parseCommand(command, rest)
    if (asksHelp) return help(name, io)
    return await command.run({ values, positionals, io })
  } catch (error) {
    if (!(error instanceof HomeostatError)) throw error
    const lines = linesBehind('homeostat: '.length, error.message, io)
    io.err(`${styleOf(io).bad('homeostat')}: ${lines.join('\n')}\n`)
    if (error.code === 'INTERRUPTED') return 130
    if (error.code !== 'USAGE') return 1
    io.err(
      `Run homeostat ${commands.some((command) => command.name === name) ? `${name} ` : ''}--help to see how.\n`,
    )
    return 2
  }
}

function help(name: string | undefined, io: CommandIo): number {
  io.out(name === undefined ? programHelp(commands) : commandHelp(find(name)))
  return 0
}

function find(name: string) {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  const nearest = nearestName(
    name,
    commands.map((each) => each.name),
  )
  throw usageError(`there is no command ${name}${nearest ? `: did you mean ${nearest}?` : ''}`)
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
