import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'

/** The text of a file that an option names. Fails with `FILE_NOT_READABLE`. */
export function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const message = `--${option}: cannot read ${path}: ${reason(cause)}. Give the path of a readable file`
    throw new HomeostatError('FILE_NOT_READABLE', message, { cause })
  }
}

/** The value of a YAML file that an option names. Fails with `FILE_NOT_READABLE` or `USAGE`. */
export function readYaml(flag: string, file: string): Promise<unknown> {
  return parseYaml(flag, file, readText(flag, file))
}

/** The value of the text in such a file. Fails with `USAGE`. */
export async function parseYaml(flag: string, file: string, text: string): Promise<unknown> {
  // Imported late, since `--help` needs nothing of the server.
  const [{ decodeYaml }, { yamlLibrary }] = await Promise.all([
    import('../../wire/decode-yaml.ts'),
    import('../../wire/yaml-library.ts'),
  ])
  await yamlLibrary.load()
  try {
    return decodeYaml(new TextEncoder().encode(text)).value
  } catch (cause) {
    // The message of the parser may quote the file, which may hold keys.
    const isSecret = flag === 'encryption-provider-config'
    const why = cause instanceof Error && !isSecret ? `: ${cause.message}` : ''
    throw new HomeostatError('USAGE', `--${flag}: ${file} is not YAML${why}`, isSecret ? {} : { cause })
  }
}

/** Writes a file that only this user may read; a reader sees the old file or the new one, never a part. */
export function writeSecret(option: string, path: string, text: string): void {
  const target = resolve(path)
  const draft = `${target}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, target)
  } catch (cause) {
    rmSync(draft, { force: true })
    const message = `--${option}: cannot write ${target}: ${reason(cause)}. Give a path in a writable folder: ${dirname(target)} is not writable or does not exist`
    throw new HomeostatError('FILE_NOT_WRITABLE', message, { cause })
  }
}

/** The system's message, without the parts that the sentence already has. */
function reason(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.replace(/, (?:open|rename|mkdir|lstat) .*$/s, '')
}
