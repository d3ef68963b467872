#!/usr/bin/env node
// Starts what was built; in the repository, where nothing is, the source itself. It keeps to syntax and modules that old
// versions of Node know, in order to tell their users what to do.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `homeostat needs Node 22.19 or newer; this is Node ${process.versions.node}. Install a current Node and run it again.\n`,
  )
  process.exit(1)
}

// What was compiled once need not be again.
nodeModule.enableCompileCache?.()

const source = new URL('../src/process/main.ts', import.meta.url)
if (existsSync(source)) {
  // The packages of the workspace are found by their sources too, if Node was not told so already.
  if (!process.execArgv.includes('--conditions=source')) {
    nodeModule.registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
    })
  }
  await import(source.href)
} else {
  await import('../dist/process/main.js')
}
