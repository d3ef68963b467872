#!/usr/bin/env node
// Starts what was built; in the repository, where nothing is, the source itself. It keeps to syntax and modules that old
// versions of Node know, in order to tell their users what to do.
import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `create-homeostat needs Node 22.19 or newer; this is Node ${process.versions.node}. Install a current Node and run it again.\n`,
  )
  process.exit(1)
}

const source = new URL('../src/process/main.ts', import.meta.url)
await import(existsSync(source) ? source.href : '../dist/process/main.js')
