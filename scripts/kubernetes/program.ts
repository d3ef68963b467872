import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { ETCD_VERSION, type Program } from '../../test/kubernetes/binaries.ts'
import type { Go } from './go.ts'
import type { Progress } from './progress.ts'

/**
 * Builds a program of a version of Kubernetes and puts it into a folder under its own name, whole or not at all: an
 * aborted build leaves nothing under that name, and two at once do not disturb each other.
 */
export async function buildProgram(
  go: Go,
  program: Program,
  { version, directory }: { readonly version: string; readonly directory: string },
  progress: Progress,
): Promise<void> {
  const module = await mkdtemp(join(tmpdir(), `homeostat-build-${program}-`))
  const unfinished = join(directory, `.${program}.${process.pid}.unfinished`)
  const abort = new AbortController()
  const aborted = () => abort.abort(new HomeostatError('BUILD_ABORTED', `Aborted: ${program} is not built.`))
  process.once('SIGINT', aborted).once('SIGTERM', aborted)
  try {
    const { goMod, path, linkerFlags } = await recipe(go, program, version, module)
    await writeFile(join(module, 'go.mod'), goMod)
    let packages = 0
    await go.run(['build', '-v', '-ldflags', linkerFlags, '-o', unfinished, path], module, {
      signal: abort.signal,
      onLine: (line) => {
        progress.say(
          line.startsWith('go: downloading') ? 'fetching modules' : `${++packages} packages compiled`,
        )
      },
    })
    await rename(unfinished, join(directory, program))
  } finally {
    process.off('SIGINT', aborted).off('SIGTERM', aborted)
    await rm(module, { recursive: true, force: true })
    await rm(unfinished, { force: true })
  }
}

interface Recipe {
  readonly goMod: string
  /** The package that is the program. */
  readonly path: string
  readonly linkerFlags: string
}

async function recipe(go: Go, program: Program, kubernetes: string, directory: string): Promise<Recipe> {
  if (program === 'etcd') {
    const path = 'go.etcd.io/etcd/server/v3'
    return { goMod: goMod(`require ${path} v${ETCD_VERSION}`), path, linkerFlags: '-s -w' }
  }
  const [major, minor] = kubernetes.split('.')
  const variables = 'k8s.io/component-base/version'
  return {
    goMod: goMod(`require k8s.io/kubernetes v${kubernetes}`, ...(await staging(go, kubernetes, directory))),
    path: `k8s.io/kubernetes/cmd/${program}`,
    linkerFlags: [
      '-s -w',
      `-X ${variables}.gitVersion=v${kubernetes}`,
      `-X ${variables}.gitMajor=${major}`,
      `-X ${variables}.gitMinor=${minor}`,
    ].join(' '),
  }
}

function goMod(...lines: readonly string[]): string {
  return `module build\n\ngo 1.26.0\n\n${lines.join('\n')}\n`
}

/**
 * Kubernetes' own repository requires its parts at v0.0.0 and finds them in its folders. Outside of it they
 * are modules of their own, published as v0.x of the same release.
 */
async function staging(go: Go, kubernetes: string, directory: string): Promise<string[]> {
  const release = `v${kubernetes.replace(/^1\./, '0.')}`
  const answer = await go.run(['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetes}`], directory)
  const { GoMod: file } = JSON.parse(answer) as { GoMod?: string }
  const text = file ? await readFile(file, 'utf8') : ''
  const parts = [...text.matchAll(/^\s+(k8s\.io\/\S+) v0\.0\.0$/gm)].map(([, part]) => part)
  if (parts.length === 0) {
    throw new HomeostatError(
      'KUBERNETES_MODULE_UNREADABLE',
      `The module k8s.io/kubernetes ${kubernetes} lists none of its parts in ${file ?? 'a go.mod'}: clean Go's module cache (go clean -modcache) and try again`,
    )
  }
  return parts.map((part) => `replace ${part} => ${part} ${release}`)
}
