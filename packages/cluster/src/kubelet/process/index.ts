/** Runs a container as a function of this process or as a process of the machine, runs commands beside it, and ends it. */
export { execIn, type ContainerPlace, type ExecOptions } from './exec.ts'
export { runModule } from './module-run.ts'
export { runProcess } from './process-run.ts'
export { exitWith, runOf, startError, type Exit, type Run } from './run.ts'
export { terminationMessage, terminationMessagePath } from './termination-message.ts'
export { Termination } from './termination.ts'
