import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Declarations } from '../types/type-service.ts'

const root = resolve(import.meta.dirname, '../../..')
const packages = join(root, 'packages')
/** The standard library of the compiler that runs in the browser. */
const library = dirname(fileURLToPath(import.meta.resolve('typescript')))

/** The modules that code in the playground imports, and those that their declarations import, by the files that they are made of. */
const MODULES: Readonly<Record<string, string>> = {
  homeostat: 'runtime/src/index.ts',
  'homeostat/kinds': 'runtime/src/kinds.ts',
  'homeostat/schemas': 'runtime/src/schemas.ts',
  '@homeostat/api': 'api/src/index.ts',
  '@homeostat/api/kinds': 'api/src/native/index.ts',
  '@homeostat/api/schemas': 'api/src/schemas/index.ts',
}

/** The declarations that the types of an operator's code follow from: ours, and those of the language. */
export function readDeclarations(): Declarations {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-types-'))
  try {
    emit(folder)
    const ours = globSync('**/*.d.ts', { cwd: folder }).map(
      (file) => [`/${file}`, join(folder, file)] as const,
    )
    const standard = globSync('lib.*.d.ts', { cwd: library })
      .filter((file) => !/dom|scripthost/.test(file) || file.startsWith('lib.es'))
      .map((file) => [`/lib/${file}`, join(library, file)] as const)
    return {
      files: Object.fromEntries(
        [...ours, ...standard]
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([path, file]) => [path, readFileSync(file, 'utf8')]),
      ),
      modules: Object.fromEntries(
        Object.entries(MODULES).map(([name, file]) => [name, `/${file.replace(/\.ts$/, '.d.ts')}`]),
      ),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function emit(folder: string): void {
  const project = join(folder, 'tsconfig.json')
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: packages,
        outDir: folder,
        typeRoots: [join(root, 'node_modules', '@types')],
      },
      include: ['api', 'runtime'].map((name) => join(packages, name, 'src')),
      exclude: ['**/*.test.ts', '**/recorded', '**/conformance'],
    }),
  )
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the declarations for the playground could not be made: ${stdout}`)
}
