import type { Command } from './command.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A script that completes commands, options and their choices in a shell. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](commands)
}

const flags = ({ options }: Command): string[] => [...Object.keys(options), 'help'].map((name) => `--${name}`)

function bash(commands: readonly Command[]): string {
  const choices = commands.flatMap(({ options }) =>
    Object.entries(options).flatMap(([name, option]) =>
      option.choices ? [[name, option.choices] as const] : [],
    ),
  )
  return `_homeostat() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # To bash, the = in --option=value is a word.
  if [ "$word" = "=" ]; then word=""
  elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}" -- "$word"))
    return
  fi
  case "$previous" in
${choices.map(([name, values]) => `    --${name}) COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word")); return ;;`).join('\n')}
  esac
  case "$word" in
    -*)
      case "\${COMP_WORDS[1]}" in
${commands.map((command) => `        ${command.name}) COMPREPLY=($(compgen -W "${flags(command).join(' ')}" -- "$word")) ;;`).join('\n')}
      esac
      ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _homeostat homeostat
`
}

function zsh(commands: readonly Command[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&')
  const spec = (command: Command): string =>
    [
      ...Object.entries(command.options).map(([name, { type, description, choices }]) => {
        const value = type === 'boolean' ? '' : `=:value:${choices ? `(${choices.join(' ')})` : '_files'}`
        return `'--${name}${type === 'boolean' ? '' : '='}[${quoted(description)}]${value.replace(/^=/, '')}'`
      }),
      "'--help[print the help]'",
      ...(command.arguments === undefined ? [] : ["'*:file:_files'"]),
    ].join(' ')
  return `#compdef homeostat
_homeostat() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, summary }) => `      '${name}:${quoted(summary)}'`).join('\n')}
    )
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map((command) => `    ${command.name}) _arguments ${spec(command)} ;;`).join('\n')}
  esac
}
if [ "$funcstack[1]" = _homeostat ]; then _homeostat; else compdef _homeostat homeostat; fi
`
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c homeostat -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...Object.entries(options).map(
      ([option, { type, description, choices }]) =>
        `complete -c homeostat -n '__fish_seen_subcommand_from ${name}' -l ${option}${type === 'boolean' ? '' : ' -r'}${choices ? ` -f -a ${quoted(choices.join(' '))}` : ''} -d ${quoted(description)}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
