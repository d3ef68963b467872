import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Printed } from './script.ts'

/** The output of kubectl on a real kube-apiserver, by script. */
export type Golden = Record<string, Printed[]>

/** `1.32`: the version of a kubectl; `undefined` where there is no such program. */
export function kubectlVersion(program: string): string | undefined {
  try {
    const output = execFileSync(program, ['version', '--client', '-o', 'json'], { encoding: 'utf8' })
    const { clientVersion } = JSON.parse(output) as { clientVersion: { major: string; minor: string } }
    // A vendor may add something to the number: `32+`.
    return `${clientVersion.major}.${Number.parseInt(clientVersion.minor, 10)}`
  } catch {
    return undefined
  }
}

/** Where the golden of a version of kubectl is. */
export function goldenFile(version: string): string {
  return join(import.meta.dirname, 'recorded', `kubectl-${version}.json`)
}

/** The golden of a version of kubectl; `undefined` where none was recorded. */
export function readGolden(version: string): Golden | undefined {
  const file = goldenFile(version)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden) : undefined
}
