/** Starts a thread that plays trials. */
import * as nodeModule from 'node:module'

// What was compiled once need not be again. A cache is enabled for each thread, before it loads anything else.
nodeModule.enableCompileCache?.()
await import('./trial-worker.ts')
