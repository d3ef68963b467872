import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildFolder } from '../../scripts/guide/build-folder.ts'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

/** The files of the operator that the guide's last chapter brings to production. */
const FILES = [
  'greeting.ts',
  'greeting-controller.ts',
  'operator.ts',
  'main.ts',
  'manifests.ts',
  'operator.yaml',
  'Dockerfile',
]

/** The operator's folder as a reader of the chapter has it, and its image laid out beside it. */
export interface OperatorFolder extends Disposable {
  readonly folder: string
  /** The command of a container of the image: the program, and its arguments with the script's whole path. */
  readonly image: { readonly command: string; readonly entry: readonly string[]; readonly folder: string }
  /** So that the folder's programs find this workspace's packages, and its Node. */
  readonly env: NodeJS.ProcessEnv
}

/** Makes both, outside of the workspace. `npm ci` is left to `npm run check:guide`: here the packages are linked. */
export function makeOperatorFolder(): OperatorFolder {
  const root = mkdtempSync(join(tmpdir(), 'homeostat-guide-'))
  const context = join(root, 'greeting')
  mkdirSync(context)
  for (const file of FILES) copyFileSync(join(GUIDE_FOLDER, 'code', file), join(context, file))
  const manifest = { type: 'module', dependencies: { homeostat: '*' } }
  writeFileSync(join(context, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(context, 'package-lock.json'), '{}')
  linkPackages(context)
  const dockerfile = readFileSync(join(context, 'Dockerfile'), 'utf8')
  const built = buildFolder(dockerfile, {
    context,
    folder: join(root, 'image'),
    run(line, folder) {
      if (line !== 'npm ci --omit=dev') throw new Error(`the image needs more than its packages: ${line}`)
      linkPackages(folder)
    },
  })
  const [program, ...args] = built.command
  if (program !== 'node') throw new Error(`the image runs ${program}`)
  return {
    folder: context,
    image: {
      command: process.execPath,
      entry: ['--conditions=source', ...args.map((file) => join(built.folder, file))],
      folder: built.folder,
    },
    env: {
      ...process.env,
      NODE_OPTIONS: '--conditions=source',
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'))
  const homeostat = resolve(import.meta.dirname, '../../packages/runtime')
  symlinkSync(homeostat, join(folder, 'node_modules', 'homeostat'), 'dir')
}
