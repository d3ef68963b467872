import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HomeostatError } from '@homeostat/api'
import { DEFAULT_RELEASE, type Release } from '../version/index.ts'
import { packageVersion } from './package-version.ts'

const STAND_INS = ['kube-apiserver', 'etcd']

/**
 * The folder with programs that stand in for those of envtest. They are short scripts that start this installation with
 * this Node, so that they work from any folder. They are created on first use, in a cache of the user. Those of each
 * release of Kubernetes have their own folder.
 */
export function assetsFolder(release: Release = DEFAULT_RELEASE): string {
  const program = fileURLToPath(new URL('../../bin/homeostat-apiserver.mjs', import.meta.url))
  const place = createHash('sha256').update(`${process.execPath}\n${program}`).digest('hex').slice(0, 12)
  const isDefault = release === DEFAULT_RELEASE
  const suffix = isDefault ? '' : `-${release}`
  const flags = isDefault ? [] : [`--kubernetes-version=${release}`]
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = join(cache, 'homeostat', `envtest-${packageVersion()}-${place}${suffix}`)
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of STAND_INS) {
      writeScript(join(folder, name), [program, `--as=${name}`, ...(name === 'etcd' ? [] : flags)])
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `cannot create the stand-ins in ${folder}: ${why}. Set XDG_CACHE_HOME to a writable folder`
    throw new HomeostatError('ASSETS_NOT_MADE', message, { cause })
  }
  return folder
}

/** Does not rewrite an up-to-date script: a test may be running it. */
function writeScript(path: string, command: readonly string[]): void {
  const node = [process.execPath, ...(import.meta.url.endsWith('.ts') ? ['--conditions=source'] : [])]
  const text = `#!/bin/sh\nexec ${[...node, ...command].map(quoted).join(' ')} "$@"\n`
  try {
    if (readFileSync(path, 'utf8') === text) return
  } catch {
    // It does not exist yet.
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, text, { mode: 0o755 })
  renameSync(draft, path)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
