import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The dependencies of a project besides our packages. */
const TOOLS = ['@types/node', 'typescript', 'vitest']

/**
 * Makes a project by the packed `create-homeostat`, in a folder with all packages installed, and does in it what its README says. Gives what
 * failed, each as a sentence with the output.
 */
export function projectProblems(installed: string, root: string): string[] {
  for (const tool of TOOLS) {
    const place = join(installed, 'node_modules', tool)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, 'node_modules', tool), place)
  }
  const modules = join(installed, 'node_modules')
  const project = join(installed, 'made')
  const steps: readonly (readonly [cwd: string, program: string, ...args: string[]])[] = [
    [installed, join(modules, '.bin/create-homeostat'), 'made', '--yes', '--webhooks'],
    [project, join(modules, 'typescript/bin/tsc')],
    [project, join(modules, 'vitest/vitest.mjs'), 'run', '--testTimeout=120000'],
    [project, join(modules, '.bin/homeostat'), 'manifests'],
    [project, join(modules, '.bin/homeostat'), 'manifests', '--check'],
  ]
  for (const [cwd, ...args] of steps) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
    if (status !== 0) return [`in a new project, ${args.join(' ')} failed: ${stdout}${stderr}`]
  }
  return []
}
