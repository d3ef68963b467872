import { type Command, completionScript, SHELLS, usageError, type Shell } from '../command/index.ts'

/** The command that prints completion scripts for the others and itself. */
export function completionOf(others: readonly Command[]): Command {
  const completion: Command = {
    name: 'completion',
    summary: 'prints a script that completes commands and options in a shell',
    description:
      'Prints a completion script for bash, zsh or fish. Load it from the startup file of the shell.',
    arguments: 'SHELL',
    options: {},
    examples: [
      ['completion bash >> ~/.bashrc', 'for bash'],
      ['completion zsh > "${fpath[1]}/_homeostat"', 'for zsh'],
      ['completion fish > ~/.config/fish/completions/homeostat.fish', 'for fish'],
    ],
    async run({ positionals, io }) {
      const [shell] = positionals
      if (positionals.length !== 1 || !SHELLS.includes(shell as Shell)) {
        throw usageError(`name a shell: homeostat completion ${SHELLS.join('|')}`)
      }
      io.out(completionScript(shell as Shell, [...others, completion]))
      return 0
    },
  }
  return completion
}
