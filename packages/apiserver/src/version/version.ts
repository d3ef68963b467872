import { DEFAULT_RELEASE, type Release, RELEASES } from './releases.ts'

/** The answer of `/version`. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
}

/** The version that a server reports where it follows a release. */
export function versionOf(release: Release): VersionInfo {
  const [major = '', minor = ''] = release.split('.')
  return { major, minor, gitVersion: `v${RELEASES[release]}+homeostat` }
}

/** The Kubernetes whose behaviour this server follows by default. */
export const VERSION: VersionInfo = versionOf(DEFAULT_RELEASE)

/** The document at `/version`, with the fields that tools expect to find. */
export function versionDocument(version: VersionInfo): Record<string, string> {
  const { major, minor, gitVersion } = version
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: 'javascript',
  }
}
