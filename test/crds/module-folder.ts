import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { HomeostatError } from '@homeostat/api'

const run = promisify(execFile)

/** Where the files of a Go module lie, after Go has fetched it if need be. Go keeps it in its own cache. */
export async function moduleFolder(module: string): Promise<string> {
  const { stdout, stderr } = await run('go', ['mod', 'download', '-json', module]).catch(
    (error: { code?: unknown; stdout: string; stderr: string }) => {
      if (error.code !== 'ENOENT') return error
      throw new HomeostatError(
        'CRDS_NO_GO',
        'The definitions come as Go modules, and there is no `go` on the PATH: install Go (go.dev/dl), then run this again',
      )
    },
  )
  const {
    Dir,
    Zip = '',
    Error: problem = stderr,
  } = JSON.parse(stdout || '{}') as { Dir?: string; Zip?: string; Error?: string }
  // Go names no folder of a module that wants a newer Go, but unpacks it all the same; nothing is built here.
  const folder = Dir ?? Zip.replace(/\/cache\/download\/(.*)\/@v\/(.*)\.zip$/, '/$1@$2')
  if (folder !== '' && existsSync(folder)) return folder
  throw new HomeostatError('CRDS_NO_MODULE', `go mod download ${module} failed: ${problem}`)
}
