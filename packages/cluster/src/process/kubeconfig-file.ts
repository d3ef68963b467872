import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'

/** A kubeconfig in a file that only this user may read. */
export interface KubeconfigFile {
  readonly path: string
  /** Removes it, unless another process has written another one there meanwhile. */
  remove(): void
}

/** Writes it; a reader sees the old file or the new one, never a part. Fails with `FILE_NOT_WRITABLE`. */
export function writeKubeconfig(file: string, text: string): KubeconfigFile {
  const path = resolve(file)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (cause) {
    rmSync(draft, { force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HomeostatError(
      'FILE_NOT_WRITABLE',
      `--kubeconfig: cannot write ${path}: ${why}. Give a path in a folder that may be written`,
      { cause },
    )
  }
  return {
    path,
    remove: () => {
      try {
        if (readFileSync(path, 'utf8') === text) rmSync(path, { force: true })
      } catch {
        // It is gone already.
      }
    },
  }
}
