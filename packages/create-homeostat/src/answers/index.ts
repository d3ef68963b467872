/** The answers from which a project is made: their questions, their defaults, and their validation. */
export type { Answers } from './answers.ts'
export { CreateError } from './create-error.ts'
export { HELP, readCommandLine, type CommandLine } from './command-line.ts'
export { QUESTIONS, answersOf, type Question } from './questions.ts'
