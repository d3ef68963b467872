import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installFolder } from '../install-folder.ts'

const FOLDER = 'scripts/check-package/tools'

/** The problems that publint and are-the-types-wrong find in a package as npm packs it. Our packages are ES modules alone. */
const TOOLS: readonly (readonly [program: string, ...options: string[]])[] = [
  ['publint', '--strict'],
  ['attw', '--profile', 'esm-only', '--format', 'ascii'],
]

/** Asks the tools about each tarball. */
export function toolProblems(tarballs: readonly string[], root: string): string[] {
  if (installFolder(FOLDER) !== 0)
    return [`the tools of ${FOLDER} could not be installed: npm says above why`]
  return tarballs.flatMap((tarball) =>
    TOOLS.flatMap(([program, ...options]) => {
      const file = join(root, FOLDER, 'node_modules/.bin', program)
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, tarball, ...options], {
        encoding: 'utf8',
      })
      return status === 0 ? [] : [`${program} ${tarball}:\n${stdout}${stderr}`]
    }),
  )
}
