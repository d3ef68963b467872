/** What a project is made from: the answers, their defaults, and which of them are allowed. */
export type { Answers } from './answers.ts'
export { CreateError } from './create-error.ts'
export { HELP, readCommandLine, type CommandLine } from './command-line.ts'
export { QUESTIONS, answersOf, type Question } from './questions.ts'
