import { execFileSync } from 'node:child_process'

/** Where a Go module lies, after Go has fetched it if need be. */
export function goModule(module: string): string {
  try {
    const answer = execFileSync('go', ['mod', 'download', '-json', module], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return (JSON.parse(answer) as { Dir: string }).Dir
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: string; stdout?: string; stderr?: string }
    throw new Error(
      code === 'ENOENT'
        ? 'The types of Kubernetes come as Go modules, and there is no `go` on the PATH: install Go (go.dev/dl), then run this again'
        : `\`go mod download ${module}\` failed: ${stderr || stdout || String(error)}`,
      { cause: error },
    )
  }
}
