import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { HomeostatError } from '@homeostat/api'

const run = promisify(execFile)
/** The largest output of git that is read, in bytes. The definitions of known projects are smaller. */
const LONGEST_OUTPUT = 256 * 1024 * 1024

/**
 * The files of a path as they were at a revision, in the repository of the folder. The path is relative to that folder. Throws with code
 * `GIT_FAILED`.
 */
export async function filesAtRevision(
  cwd: string,
  revision: string,
  path: string,
  select: (name: string) => boolean,
): Promise<{ readonly name: string; readonly text: string }[]> {
  // Keeps git from taking a revision for an option.
  const listed = await git(cwd, revision, [
    'ls-tree',
    '-r',
    '--name-only',
    '-z',
    '--end-of-options',
    revision,
    '--',
    path || '.',
  ])
  const names = listed.split('\0').filter((name) => name !== '' && (name === path || select(name)))
  const files: { name: string; text: string }[] = []
  for (const name of names) {
    files.push({
      name,
      text: await git(cwd, revision, ['show', '--end-of-options', `${revision}:./${name}`]),
    })
  }
  return files
}

async function git(cwd: string, revision: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('git', args, { cwd, maxBuffer: LONGEST_OUTPUT })
    return stdout
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new HomeostatError('GIT_FAILED', `git cannot read the revision ${revision}: ${text}`, {
      cause: error,
    })
  }
}
