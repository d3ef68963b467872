import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { buildPage } from '../packages/dashboard/build/build-page.ts'

const root = resolve(import.meta.dirname, '..')
const tsc = join(root, 'node_modules/.bin/tsc')

/**
 * The parts of packages that are one file each, with all that their modules import and no part before them holds. Where
 * several entries or late imports share much, it would be split into as many files as there are ways to share.
 */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  api: { api: ['index.ts'] },
  apiserver: {
    // With small modules that a port and a data folder share, which would be files of their own.
    apiserver: ['index.ts', 'http/streams/socket-token.ts', 'work/error-code.ts'],
    certificates: ['certificates/front-proxy.ts'],
    // Requests in protobuf load this, and writes.
    protobuf: ['wire/protobuf/encode-protobuf.ts'],
    // The first write loads this.
    writes: [
      'http/actions/late-actions.ts',
      'native/admission-plugins.ts',
      'native/kinds.ts',
      'registry/object-rules/object-rules.ts',
      'registry/own-writes/own-writes.ts',
    ],
  },
  runtime: { runtime: ['index.ts'] },
}

/** Modules that a package starts as processes or threads of their own. They stand beside the parts that start them. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  apiserver: ['background/worker.ts'],
  check: ['run/worker.ts'],
  cli: ['dev/operator/main.ts'],
  cluster: ['stand-ins/mariadb-server.ts'],
}

/** The bundler's text for a late import of a module that exports nothing. */
const EMPTY_MODULE = /\.then\(\(\) => (?:\/\* @__PURE__ \*\/ )?Object\.freeze\(\{ __proto__: null \}\)\)/

/**
 * Emits what is published of a package, its JavaScript and its types, into `dist/`. The JavaScript is one file for each way
 * into the package, and one for each part that is loaded later: Node needs about a millisecond for every file that it imports.
 */
export async function buildPackage(name: string): Promise<void> {
  const folder = join(root, 'packages', name)
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  emit(folder, { declaration: true, declarationMap: true, emitDeclarationOnly: true })
  removeMapsOfGenerated(dist)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await bundlePackage(name, dist)
  if (name === 'dashboard') await writePage(join(dist, 'page'))
}

/**
 * Removes the maps of generated declarations. Such a declaration says all that its source does, so that the sources are not
 * packed; with their maps they would be a sixth of what a user installs.
 */
function removeMapsOfGenerated(dist: string): void {
  for (const file of globSync('**/generated/**/*.d.ts', { cwd: dist })) {
    const declaration = join(dist, file)
    rmSync(`${declaration}.map`)
    writeFileSync(
      declaration,
      readFileSync(declaration, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
    )
  }
}

/** Writes the files that a browser gets. */
async function writePage(folder: string): Promise<void> {
  mkdirSync(folder)
  for (const [name, body] of await buildPage()) writeFileSync(join(folder, name), body)
}

/** Writes only the JavaScript of a bundled package, into any folder. */
export async function bundlePackage(name: string, dist: string): Promise<void> {
  const folder = join(root, 'packages', name)
  const bundle = await rolldown({
    input: { ...entries(folder), ...started(name, folder) },
    // The helpers for newer syntax are included; dependencies are not.
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@oxc-project/runtime/'),
    platform: 'node',
    tsconfig: false,
    checks: { ineffectiveDynamicImport: false },
    transform: { target: 'es2024' },
    // No module of ours does anything on import, so that a part holds what it uses of a folder's `index.ts`, not all of it.
    treeshake: { moduleSideEffects: false },
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    chunkFileNames: 'parts/[name].js',
    comments: { jsdoc: false, annotation: true, legal: true },
    codeSplitting: {
      groups: Object.entries(PARTS[name] ?? {}).map(([part, files], index, all) => ({
        name: part,
        test: (id) => files.some((file) => id === join(folder, 'src', file)),
        priority: all.length - index,
      })),
    },
    // Only escaped, so that it still reads and its stack traces do: Node has text in ASCII in half the memory, and sooner.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  })
  await bundle.close()
  for (const { fileName, ...file } of output) {
    if ('code' in file && EMPTY_MODULE.test(file.code)) {
      throw new Error(
        `${name}: ${fileName} imports a module only for its side effects, which the build drops`,
      )
    }
  }
}

/**
 * The modules that `exports` in package.json names, and what the programs in `bin` start, by the path that they get in
 * `dist/`.
 */
function entries(folder: string): Record<string, string> {
  const { exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, { source?: string }>
    bin?: Record<string, string>
  }
  // An entry without a source is one of types alone.
  const sources = Object.values(exports).flatMap(({ source }) => source ?? [])
  return Object.fromEntries(
    [
      ...sources,
      ...(bin && existsSync(join(folder, 'src/process/main.ts')) ? ['./src/process/main.ts'] : []),
    ].map((source) => {
      const file = join(folder, source)
      return [relative(join(folder, 'src'), file).replace(/\.ts$/, ''), file]
    }),
  )
}

function started(name: string, folder: string): Record<string, string> {
  return Object.fromEntries(
    (STARTED[name] ?? []).map((file) => [`parts/${basename(file, '.ts')}`, join(folder, 'src', file)]),
  )
}

function emit(folder: string, options: Record<string, boolean>): void {
  const project = join(folder, 'tsconfig.build.json')
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../../tsconfig.json',
      // Without the condition `source` the other packages are seen as a user sees them: by what was emitted.
      compilerOptions: { noEmit: false, outDir: 'dist', rootDir: 'src', customConditions: [], ...options },
      include: ['src'],
      exclude: ['src/**/*.test.ts', 'src/**/recorded', 'src/**/expected', 'src/**/conformance'],
    }),
  )
  const { status } = spawnSync(tsc, ['-p', project], { stdio: 'inherit' })
  rmSync(project, { force: true })
  if (status !== 0) process.exit(1)
}
