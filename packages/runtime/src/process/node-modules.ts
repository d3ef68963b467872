import { HomeostatError } from '@homeostat/api'
import type * as Yaml from 'yaml'

/**
 * Modules of Node that only some programs need, loaded when they are first used, so that an import of `homeostat`
 * stays cheap, and works in a browser. Unlike an import of `node:http`, `getBuiltinModule` does not load Node's own `fetch`.
 * In a browser the use of one fails with code `NEEDS_NODE`.
 */
export const nodeModules = {
  get http() {
    return nodeProcess().getBuiltinModule('node:http')
  },
  get https() {
    return nodeProcess().getBuiltinModule('node:https')
  },
  get net() {
    return nodeProcess().getBuiltinModule('node:net')
  },
  get tls() {
    return nodeProcess().getBuiltinModule('node:tls')
  },
  get zlib() {
    return nodeProcess().getBuiltinModule('node:zlib')
  },
  get stream() {
    return nodeProcess().getBuiltinModule('node:stream')
  },
  get fs() {
    return nodeProcess().getBuiltinModule('node:fs')
  },
  get os() {
    return nodeProcess().getBuiltinModule('node:os')
  },
  get path() {
    return nodeProcess().getBuiltinModule('node:path')
  },
  get tty() {
    return nodeProcess().getBuiltinModule('node:tty')
  },
  get childProcess() {
    return nodeProcess().getBuiltinModule('node:child_process')
  },
  get yaml() {
    const { createRequire } = nodeProcess().getBuiltinModule('node:module')
    return createRequire(import.meta.url)('yaml') as typeof Yaml
  },
}

function nodeProcess(): NodeJS.Process {
  if (typeof process !== 'undefined') return process
  throw new HomeostatError(
    'NEEDS_NODE',
    'this part of homeostat reads files, opens connections or runs programs, which a browser does not allow: run it on Node, Bun or Deno. In a browser give the manager a transport.',
  )
}
