import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where control groups can be made here: one folder of cgroup v2, or one for each controller of v1. */
export type CgroupPlaces =
  | { readonly version: 2; readonly folder: string; readonly controllers: readonly string[] }
  | { readonly version: 1; readonly folders: Readonly<Record<string, string>> }

/** The limits of a group. */
const CONTROLLERS = ['pids', 'memory'] as const

interface Mount {
  readonly type: string
  readonly root: string
  readonly place: string
  readonly options: readonly string[]
}

/**
 * Finds where this process may make control groups: in v2 the nearest group above its own that can delegate the
 * controllers, in v1 its own group of each controller. Returns the reason, as the end of a sentence, where there is
 * none.
 */
export function findCgroupPlaces(name: string): CgroupPlaces | { readonly problem: string } {
  if (process.platform !== 'linux') return { problem: 'only Linux has control groups' }
  try {
    const mounts = readMounts()
    const own = ownGroups()
    const unified = mounts.find(({ type }) => type === 'cgroup2')
    const path = own.get('')
    if (unified && path !== undefined) {
      const folder = findUnified(unified, path, name)
      if (folder !== undefined) return { version: 2, folder, controllers: CONTROLLERS }
    }
    return findSeparate(mounts, own, name)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function findUnified(mount: Mount, path: string, name: string): string | undefined {
  const top = mount.place
  let folder = below(mount, path)
  while (folder !== undefined && (folder === top || folder.startsWith(`${top}/`))) {
    if (canHold(folder, name)) return folder
    if (folder === top) return undefined
    folder = dirname(folder)
  }
  return undefined
}

/** Whether a group in the folder gets the controllers, and may be entered from here. */
function canHold(folder: string, name: string): boolean {
  const tried = join(folder, `${name}-try`)
  try {
    accessSync(join(folder, 'cgroup.procs'), constants.W_OK)
    const has = words(join(folder, 'cgroup.controllers'))
    if (!CONTROLLERS.every((controller) => has.includes(controller))) return false
    if (
      !CONTROLLERS.every((controller) => words(join(folder, 'cgroup.subtree_control')).includes(controller))
    ) {
      writeFileSync(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map((c) => `+${c}`).join(' '))
    }
    mkdirSync(tried)
  } catch {
    return false
  }
  try {
    return existsSync(join(tried, 'pids.max')) && existsSync(join(tried, 'memory.max'))
  } finally {
    rmdirSync(tried)
  }
}

function findSeparate(
  mounts: readonly Mount[],
  own: ReadonlyMap<string, string>,
  name: string,
): CgroupPlaces | { readonly problem: string } {
  const folders: Record<string, string> = {}
  for (const controller of CONTROLLERS) {
    const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
    const folder = mount && below(mount, own.get(controller) ?? '/')
    if (folder === undefined) return { problem: `no control group for ${controller} can be created here` }
    const tried = join(folder, `${name}-try`)
    try {
      mkdirSync(tried)
      rmdirSync(tried)
    } catch {
      return {
        problem: `this user may not create control groups in ${folder}: run the cluster as root, or have the folder delegated`,
      }
    }
    folders[controller] = folder
  }
  return { version: 1, folders }
}

/** The folder of a group by its path: the mount may show a part of the hierarchy only. */
function below({ root, place }: Mount, path: string): string | undefined {
  if (root === '/') return join(place, path)
  if (path === root || path.startsWith(`${root}/`)) return join(place, path.slice(root.length))
  return existsSync(join(place, path)) ? join(place, path) : undefined
}

function readMounts(): Mount[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, root, place, type, options] = /^\S+ \S+ \S+ (\S+) (\S+) .* - (\S+) \S+ (\S+)$/.exec(line) ?? []
      if (root === undefined || place === undefined || type === undefined) return []
      return [{ root, place, type, options: options?.split(',') ?? [] }]
    })
}

/** The groups of this process, by controller; that of v2 by the empty name. */
function ownGroups(): Map<string, string> {
  const groups = new Map<string, string>()
  for (const line of readFileSync('/proc/self/cgroup', 'utf8').split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) continue
    for (const controller of controllers.split(',')) groups.set(controller, path)
  }
  return groups
}

function words(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split(/\s+/)
}
