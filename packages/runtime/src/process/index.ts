/** What the runtime needs of the process it runs in: modules of Node, signals, a logger, an orderly end. */
export { CleanUp } from './clean-up.ts'
export { nodeModules } from './node-modules.ts'
