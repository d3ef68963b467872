#!/usr/bin/env node
// Starts the built program; in the repository, where nothing is built, the source. It uses only syntax and modules that old
// versions of Node have, so that their users get a message that says what to do.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `homeostat-cluster needs Node 22.19 or newer; this is Node ${process.versions.node}. Install a current Node and run it again.\n`,
  )
  process.exit(1)
}

// Keeps compiled code for the next start.
nodeModule.enableCompileCache?.()

const source = new URL('../src/process/main.ts', import.meta.url)
if (existsSync(source)) {
  // Resolves the packages of the workspace to their sources too, unless Node was started with this condition.
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
