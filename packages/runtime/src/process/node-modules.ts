import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

/**
 * Modules of Node that only some programs need, loaded when they are first used, so that an import of `homeostat`
 * stays cheap. Unlike an import of `node:http`, `getBuiltinModule` does not load Node's own `fetch`.
 */
export const nodeModules = {
  get http() {
    return process.getBuiltinModule('node:http')
  },
  get https() {
    return process.getBuiltinModule('node:https')
  },
  get net() {
    return process.getBuiltinModule('node:net')
  },
  get tls() {
    return process.getBuiltinModule('node:tls')
  },
  get zlib() {
    return process.getBuiltinModule('node:zlib')
  },
  get childProcess() {
    return process.getBuiltinModule('node:child_process')
  },
  get yaml() {
    return createRequire(import.meta.url)('yaml') as typeof Yaml
  },
}
