const VERSION = /^v(?<major>\d+)(?:(?<stage>alpha|beta)(?<minor>\d+))?$/

/**
 * Compares two versions of a kind as servers rank them: stable before beta before alpha, higher numbers first, and
 * names of other forms last, alphabetically. The first after sorting is the one that a server prefers.
 */
export function compareKindVersions(a: string, b: string): number {
  const [first, second] = [rank(a), rank(b)]
  if (!first && !second) return a < b ? -1 : Number(a > b)
  if (!first || !second) return first ? -1 : 1
  const difference = first.findIndex((value, index) => value !== second[index])
  return difference < 0 ? 0 : second[difference]! - first[difference]!
}

/** Stage, major and minor: higher is preferred. */
function rank(version: string): number[] | undefined {
  const groups = VERSION.exec(version)?.groups
  if (!groups) return undefined
  const stage = groups['stage'] === undefined ? 2 : Number(groups['stage'] === 'beta')
  return [stage, Number(groups['major']), Number(groups['minor'] ?? 0)]
}

/** The version as the end of a name: `v1beta1` → `V1Beta1`. */
export function versionSuffix(version: string): string {
  return version.replaceAll(/(?<=^|\d)[a-z]/g, (letter) => letter.toUpperCase())
}
