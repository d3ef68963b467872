/** One option of a command. */
export interface CommandOption {
  readonly type: 'boolean' | 'string'
  /** The placeholder for its value in the help: `FILE`. */
  readonly value?: string
  /** Values that it may have, for completion and for messages. Default: any. */
  readonly choices?: readonly string[]
  readonly multiple?: boolean
  readonly description: string
}

/** The values of the options as the user gave them. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Where a command reads and writes. */
export interface CommandIo {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether standard output is a terminal: if not, the output has no colours. */
  readonly isTerminal: boolean
  /** How many characters a line of the terminal has. Default: lines are not broken. */
  readonly columns?: number | undefined
  out(text: string): void
  err(text: string): void
}

/** A call of a command. */
export interface CommandCall {
  readonly values: OptionValues
  readonly positionals: readonly string[]
  readonly io: CommandIo
}

/** A command as a value: the texts of its help, and the function that runs it. */
export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** A description in whole sentences. */
  readonly description: string
  /** The arguments after the name besides options: `FILE...`. Default: none. */
  readonly arguments?: string
  readonly options: Readonly<Record<string, CommandOption>>
  /** Command lines without the program's name, and what each is for. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  /** Returns the exit code: 0 on success, 1 when the command failed or found a problem. */
  run(call: CommandCall): Promise<number>
}
