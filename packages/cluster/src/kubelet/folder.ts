import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProcessGuard } from './separation/index.ts'

/** A folder for the files of a node, and how to release it. */
export interface NodeFolder {
  readonly path: string
  /** Removes it, if it was made only for this run. */
  release(): Promise<void>
}

const PREFIX = 'homeostat-cluster-'
/** Says which process a temporary folder belongs to. */
const OWNER = 'owner'

/**
 * Opens the folder at the path; without a path, a new one below the machine's folder for temporary files.
 * Then it also removes the temporary folders of processes that were killed, and ends what still runs in them.
 * The folder's path contains no links, so that code that resolves a path below it can compare the two.
 */
export async function openNodeFolder(path: string | undefined): Promise<NodeFolder> {
  if (path !== undefined) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return { path: await realpath(path), release: () => Promise.resolve() }
  }
  const temporary = await realpath(tmpdir())
  const made = await mkdtemp(join(temporary, PREFIX))
  await writeFile(join(made, OWNER), await identityOf(process.pid))
  // Only closing waits for the removal: a start must be quick, however much was left.
  const removed = removeLeftovers(temporary).catch(() => undefined)
  return {
    path: made,
    release: async () => {
      await removed
      await rm(made, { recursive: true, force: true })
    },
  }
}

/** The folder of a node within that of its cluster. */
export function nodeFolder(cluster: string, node: string): string {
  return join(cluster, 'nodes', node)
}

/** Removes this user's folders whose process is gone. A folder that names no process may be about to: it stays. */
async function removeLeftovers(temporary: string): Promise<void> {
  const names = (await readdir(temporary)).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    const folder = join(temporary, name)
    const stats = await lstat(folder).catch(() => undefined)
    if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) continue
    const owner = await readFile(join(folder, OWNER), 'utf8').catch(() => '')
    const pid = Number(/^(\d+) /.exec(owner)?.[1] ?? 0)
    if (pid === 0 || (await identityOf(pid)) === owner) continue
    // The signal that killed the cluster may have killed its guard as well.
    const nodes = await readdir(nodeFolder(folder, '')).catch(() => [])
    for (const node of nodes) await new ProcessGuard(nodeFolder(folder, node)).endStrays()
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** A process by its id and, where the system reports it, its start time, since ids are reused. */
async function identityOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat !== undefined) {
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${pid} ${started}`
  }
  return isThere(pid) ? `${pid} ` : ''
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
