import { opendirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** How many entries are removed without leaving the thread. That takes a few milliseconds. */
const FEW = 200

/**
 * Removes a folder with all that is in it. A missing folder is not an error. A small folder is removed in one call: from
 * the thread pool each of its entries would take several turns of the event loop. A large one must not block the process.
 */
export async function removeFolder(folder: string): Promise<void> {
  const options = { recursive: true, force: true }
  if (hasFew(folder)) rmSync(folder, options)
  else await rm(folder, options)
}

function hasFew(folder: string): boolean {
  const folders = [folder]
  let entries = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    try {
      using opened = opendirSync(next)
      for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
        if (++entries > FEW) return false
        if (entry.isDirectory()) folders.push(join(next, entry.name))
      }
    } catch {
      // The removal finds out why it cannot be read.
    }
  }
  return true
}
