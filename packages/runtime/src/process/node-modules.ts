import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

/**
 * What only some programs need, loaded when it is first used: an import of `homeostat` costs no more than it must.
 * `getBuiltinModule` also spares what an import of `node:http` brings along, Node's own `fetch` and all of its parts.
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
