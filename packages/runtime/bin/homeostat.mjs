#!/usr/bin/env node
// The command is a package of its own, so that an operator's image does not carry it. This file starts the one of the project, or says
// how to get it. npm may put this program or that of the package first.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The package as the project in this folder sees it, or as this package does. */
function findCommand() {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      return dirname(createRequire(from).resolve('@homeostat/cli/package.json'))
    } catch {
      // It is not installed there.
    }
  }
  return undefined
}

const folder = findCommand()
if (folder) {
  await import(pathToFileURL(join(folder, 'bin/homeostat.mjs')).href)
} else {
  process.stderr.write(
    'The homeostat command is a package of its own. Install it in your project: npm install --save-dev @homeostat/cli\n',
  )
  process.exitCode = 1
}
