/** The CustomResourceDefinitions that a command is given: by a file, a folder, a revision of git, or an operator. */
export { definitionsIn } from './definition-text.ts'
export { loadDefinitions } from './load-definitions.ts'
