/** What `/version` answers. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
}

/** The Kubernetes whose behaviour this server follows. */
export const VERSION: VersionInfo = { major: '1', minor: '36', gitVersion: 'v1.36.3+homeostat' }

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
