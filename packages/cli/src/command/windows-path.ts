import { existsSync } from 'node:fs'

/**
 * Why a path is not usable: it is a Windows path on another system, where it would be a single file name.
 * `undefined` for all others, and for a file that has such a name.
 */
export function windowsPathProblem(
  path: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'win32' || !path.includes('\\') || existsSync(path)) return undefined
  const here = path.replace(/^[a-z]:/i, '').replaceAll('\\', '/')
  return `${path} is a path of Windows, and on this system it would be a single name: write ${here}`
}
