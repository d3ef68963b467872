import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HomeostatError } from '@homeostat/api'

/** Writes files into a folder. Each file is replaced as a whole. Throws with code `FILE_NOT_WRITTEN`. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    try {
      mkdirSync(dirname(file), { recursive: true })
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    } catch (error) {
      throw new HomeostatError(
        'FILE_NOT_WRITTEN',
        `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
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
