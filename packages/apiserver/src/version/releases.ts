import { HomeostatError } from '@homeostat/api'

/** The releases of Kubernetes that the server can follow, each with the version whose API is recorded. */
export const RELEASES = {
  '1.33': '1.33.13',
  '1.34': '1.34.4',
  '1.35': '1.35.4',
  '1.36': '1.36.3',
} as const

/** A release of Kubernetes: one of {@link RELEASES}. */
export type Release = keyof typeof RELEASES

const NAMES: readonly Release[] = ['1.33', '1.34', '1.35', '1.36']

/** The release that the server follows unless its options name another. The others are recorded as differences from it. */
export const DEFAULT_RELEASE = '1.36' satisfies Release

/**
 * The release of a version such as `1.34`, `v1.34` or `1.34.4`. Fails with `KUBERNETES_VERSION_UNKNOWN` where it is not
 * recorded, also where only another patch of the release is.
 */
export function releaseOf(version: string): Release {
  const text = version.replace(/^v/, '')
  const found = NAMES.find((release) => text === release || text === RELEASES[release])
  if (found) return found
  throw new HomeostatError('KUBERNETES_VERSION_UNKNOWN', `${problem(version, text)}: use ${supported()}`)
}

function problem(version: string, text: string): string {
  const release = NAMES.find((one) => text.startsWith(`${one}.`))
  if (release) {
    return `Kubernetes ${JSON.stringify(version)} is not available; the only patch of ${release} here is ${RELEASES[release]}`
  }
  return `Kubernetes ${JSON.stringify(version)} is not available here`
}

function supported(): string {
  return `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`
}
