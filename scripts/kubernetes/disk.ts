import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HomeostatError } from '@homeostat/api'

const MEGABYTE = 1024 * 1024
/** The growth of Go's caches in a build from nothing, and the size of the programs: measured, and rounded up. */
const CACHES = 5_000 * MEGABYTE
const PROGRAM = 110 * MEGABYTE

/** Throws `DISK_FULL` where there is not room enough, before ten minutes are spent. Caches that are filled need less. */
export async function checkDisk(
  directory: string,
  caches: readonly string[],
  programs: number,
): Promise<void> {
  const wanted = [
    { place: directory, bytes: programs * PROGRAM },
    ...caches.map((place) => ({ place, bytes: programs > 1 ? CACHES / caches.length : 0 })),
  ]
  for (const { place, bytes } of wanted) {
    const free = await freeBytes(place)
    if (free >= bytes) continue
    throw new HomeostatError(
      'DISK_FULL',
      `There is too little room in ${place}: ${Math.floor(free / MEGABYTE)} MB are free and about ${Math.ceil(bytes / MEGABYTE)} MB are needed. ` +
        'Free some, or set XDG_CACHE_HOME, GOCACHE and GOMODCACHE to another disk.',
    )
  }
}

/** The room where a folder is, or will be. */
async function freeBytes(place: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(place)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(place)
    if (parent === place) throw error
    return freeBytes(parent)
  }
}
