/** One call of kubectl. */
export interface Command {
  /** The arguments after `kubectl`. `@file` stands for the path of a file of {@link Script.files}. */
  readonly args: readonly string[]
  /** The text that it reads from standard input. */
  readonly input?: string | undefined
  /** The change that `kubectl edit` makes to the text: a sed expression. */
  readonly edit?: string | undefined
  /** Leaves out what it prints to standard output: only that it works, and what it warns of, is compared. */
  readonly quiet?: boolean | undefined
  /**
   * For a command that does not end: the commands after it run once it has printed `from` lines, and in the end it is
   * stopped when it has printed `to`.
   */
  readonly follow?: { readonly from: number; readonly to: number } | undefined
  /** Calls it again until what it prints matches, where a server learns a moment later of what it was told. */
  readonly until?: RegExp | undefined
  /** Sorts the lines of the output, where no order is promised. */
  readonly sorted?: boolean | undefined
}

/** A few calls that belong together, in a namespace of their own. */
export interface Script {
  readonly name: string
  readonly files?: Readonly<Record<string, string>> | undefined
  readonly commands: readonly Command[]
}

/** The result of one call: the exit code where it is not 0, the output, and the errors. */
export interface Printed {
  readonly command: string
  readonly code?: number
  readonly out?: readonly string[]
  readonly errors?: readonly string[]
}

/** A script from its lines: `kubectl` is left out, and words are split at spaces, but for those in single quotes. */
export function script(
  name: string,
  commands: readonly (string | ({ readonly run: string } & Omit<Command, 'args'>))[],
  files?: Readonly<Record<string, string>>,
): Script {
  return {
    name,
    files,
    commands: commands.map((command) =>
      typeof command === 'string' ? { args: words(command) } : { ...command, args: words(command.run) },
    ),
  }
}

function words(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s']|'[^']*')+/g), ([word]) => word.replaceAll("'", ''))
}
