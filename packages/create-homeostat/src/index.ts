/** Makes the project of an operator, for programs: what `npm create homeostat` does after its questions. */
export { CreateError, type Answers } from './answers/index.ts'
export { projectFiles, writeProject } from './project/index.ts'
