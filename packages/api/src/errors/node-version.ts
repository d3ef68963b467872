import { HomeostatError } from './homeostat-error.ts'

/** The oldest Node that the packages run on, as `engines` in each package.json says. */
const OLDEST = [22, 19] as const

/**
 * Throws with code `NODE_TOO_OLD` on a Node that lacks what the packages use. Bun and Deno give the version of Node that they emulate; a browser
 * gives none, and is not checked.
 */
export function checkNodeVersion(version = versionOfNode()): void {
  if (version === undefined) return
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new HomeostatError(
    'NODE_TOO_OLD',
    `Homeostat needs Node ${OLDEST.join('.')} or newer; this is Node ${version}. Install a current Node and run it again.`,
  )
}

function versionOfNode(): string | undefined {
  return typeof process === 'undefined' ? undefined : process.versions.node
}
