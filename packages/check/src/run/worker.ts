/** Starts a thread that plays trials. */
import * as nodeModule from 'node:module'

// Saves compiling the same code again. A cache is enabled for each thread, before it loads anything else.
nodeModule.enableCompileCache?.()
const { playTrials } = await import('./trial-worker.ts')
playTrials()
