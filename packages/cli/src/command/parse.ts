import { parseArgs } from 'node:util'
import { nearestName } from '@homeostat/api'
import type { Command, OptionValues } from './command.ts'
import { usageError } from './usage.ts'
import { windowsPathProblem } from './windows-path.ts'

/** Options that every command has. */
const COMMON = { help: { type: 'boolean', short: 'h' } } as const

/** Parses the arguments of a command. Throws with code `USAGE` for wrong ones, and suggests the nearest option. */
export function parseCommand(
  command: Command,
  args: readonly string[],
): { values: OptionValues; positionals: readonly string[]; help: boolean } {
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(
        Object.entries(command.options).map(([name, { type, multiple = false }]) => [
          name,
          { type, multiple },
        ]),
      ),
      ...COMMON,
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') checkOption(command, token)
  const help = values['help'] === true
  if (!help && positionals.length > 0 && command.arguments === undefined) {
    throw usageError(`homeostat ${command.name} takes no argument, but got "${positionals[0]}"`)
  }
  return { values, positionals, help }
}

function checkOption(
  command: Command,
  {
    name,
    rawName,
    value,
  }: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
): void {
  if (name === 'help') return
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined
  if (!option) {
    const nearest = nearestName(name, Object.keys(command.options))
    throw usageError(
      `homeostat ${command.name} has no option ${rawName}${nearest ? `: did you mean --${nearest}?` : ''}`,
    )
  }
  if (option.type === 'boolean' && value !== undefined)
    throw usageError(`${rawName} takes no value, but got "${value}"`)
  if (option.type === 'string' && (value === undefined || value === ''))
    throw usageError(`${rawName} needs a value: ${rawName}=${option.value ?? 'VALUE'}`)
  const problem =
    option.value === 'FILE' || option.value === 'FOLDER' ? windowsPathProblem(value ?? '') : undefined
  if (problem !== undefined) throw usageError(`${rawName}: ${problem}`)
  if (option.choices && value !== undefined && !option.choices.includes(value))
    throw usageError(`${rawName}=${value} is not known: use ${option.choices.join(' or ')}`)
}
