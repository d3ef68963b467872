/** The parts of its process that the runtime uses: modules of Node, signals, a logger, an orderly end. */
export { CleanUp } from './clean-up.ts'
export { nodeModules } from './node-modules.ts'
