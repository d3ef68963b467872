import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HomeostatError } from '@homeostat/api'

/**
 * Writes files into a folder: all of them, or none. They are written beside the old ones and then renamed. Signals such
 * as that of Ctrl-C are ignored meanwhile. Throws with code `FILE_NOT_WRITTEN`.
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const ignore = (): void => undefined
  for (const signal of SIGNALS) process.on(signal, ignore)
  const drafts: { readonly draft: string; readonly file: string }[] = []
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path)
      const draft = `${file}.new`
      attempt(file, () => {
        mkdirSync(dirname(file), { recursive: true })
        if (existsSync(file) && readFileSync(file, 'utf8') === text) return
        drafts.push({ draft, file })
        writeFileSync(draft, text)
      })
    }
    for (const { draft, file } of drafts) attempt(file, () => renameSync(draft, file))
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true })
    for (const signal of SIGNALS) process.off(signal, ignore)
  }
}

/** Writes one file, as `writeFiles` does. */
export function writeFile(path: string, text: string): void {
  writeFiles(dirname(path), { [basename(path)]: text })
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function attempt(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new HomeostatError(
      'FILE_NOT_WRITTEN',
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

/** A message for each file that is missing or differs. */
export function outdatedFiles(folder: string, files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([path, text]) => {
    const file = join(folder, path)
    if (!existsSync(file)) return [`${file} is missing`]
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n') === text ? [] : [`${file} is out of date`]
  })
}
