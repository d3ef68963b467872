/** A small framework for commands: each is a value, from which help, parsing and completion follow. */
export type { Command, CommandCall, CommandIo, CommandOption } from './command.ts'
export { completionScript, SHELLS, type Shell } from './completion.ts'
export { commandHelp, programHelp } from './help.ts'
export { optionText } from './option-text.ts'
export { parseCommand } from './parse.ts'
export { linesBehind } from './wrap.ts'
export { styleOf } from './style.ts'
export { usageError } from './usage.ts'
