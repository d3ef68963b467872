/**
 * Checks the table in `layers.ts`: no package or folder imports against it, no import cycles between
 * files, `node:` modules in adapters only, and time and randomness from the clock only. Also checks that
 * no folders of a package import each other in a circle, at any depth, and that imports of another top folder go through
 * its `index.ts`. Tests may import any file.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepImports, folderCycles, topFolder, type FileImport } from './folder-graph.ts'
import { packages, type PackageLayers } from './layers.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:\{[^}]*\}[^'"\n]*?)?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g
// How long a socket may be idle is a matter of the network, which lives in the machine's own time.
const TIME_OR_RANDOMNESS =
  /(?<!\bsocket\??\.)\b(?:Date\.now|performance\.now|Math\.random|setTimeout|setInterval|setImmediate|randomUUID)\s*\(|\bnew Date\(\)/

const problems: string[] = []
const graph = new Map<string, string[]>()

for (const [folder, layers] of Object.entries(packages)) {
  const source = join(root, 'packages', folder, 'src')
  const imports = typescriptFiles(source).flatMap((file) => checkFile(file, source, layers))
  checkFolderCycles(folder, imports)
  checkDeepImports(folder, imports, new Set(typescriptFiles(source).map((file) => relative(source, file))))
}
for (const cycle of cycles()) problems.push(`import cycle: ${cycle.map(fromRoot).join(' → ')}`)

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error(`\n${problems.length} problems: see the table of layers in scripts/layers.ts.`)
  process.exit(1)
}
console.log(`${graph.size} files follow the table of layers, and no import makes a cycle.`)

/** Checks one file. Returns its imports of other files of the package, unless it is a test. */
function checkFile(file: string, source: string, layers: PackageLayers): FileImport[] {
  const path = relative(source, file)
  const test = path.endsWith('.test.ts')
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(IMPORT)].map((match) => ({
    name: match[1] ?? match[2] ?? match[3] ?? '',
    late: match[2] !== undefined,
  }))
  const imports = found.map(({ name }) => name)
  graph.set(
    file,
    imports.filter((name) => name.startsWith('.')).map((name) => resolve(dirname(file), name)),
  )
  for (const name of imports) {
    // A test stands above everything in its package.
    if (!name.startsWith('.')) checkPackage(path, name, layers, test)
    else if (!test) checkFolder(path, relative(source, resolve(dirname(file), name)), layers)
  }
  if (test) return []
  if (!path.startsWith('clock/')) checkTime(file, text)
  return found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, late }) => ({ from: path, to: relative(source, resolve(dirname(file), name)), late }))
}

function checkTime(file: string, text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (TIME_OR_RANDOMNESS.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) {
      problems.push(`${fromRoot(file)}:${index + 1}: time or randomness that does not come from the clock`)
    }
  }
}

function checkPackage(path: string, name: string, layers: PackageLayers, test: boolean): void {
  const where = `${layers.name}: src/${path}`
  if (name.startsWith('node:')) {
    const adapter = layers.adapters.some(
      (entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry)),
    )
    if (!adapter && !test) problems.push(`${where} imports ${name}, but is not in the table as an adapter`)
    return
  }
  const ours = Object.values(packages).find(
    (other) => name === other.name || name.startsWith(`${other.name}/`),
  )
  if (ours && ours !== layers && !layers.imports.includes(ours.name)) {
    problems.push(`${where} imports ${name}: ${layers.name} may not import ${ours.name}`)
  }
  if (ours === layers) problems.push(`${where} imports its own package by name: use a relative path`)
}

function checkFolder(from: string, to: string, layers: PackageLayers): void {
  if (to.startsWith('..')) {
    problems.push(`${layers.name}: src/${from} reaches outside of its package: ${to}`)
    return
  }
  const order = layers.folders.includes('.') ? layers.folders : [...layers.folders, '.']
  const [fromFolder, toFolder] = [topFolder(from), topFolder(to)]
  for (const folder of [fromFolder, toFolder]) {
    if (!order.includes(folder)) problems.push(`${layers.name}: the folder ${folder} is not in the table`)
  }
  if (order.indexOf(toFolder) > order.indexOf(fromFolder)) {
    problems.push(`${layers.name}: src/${from} imports ${to}: ${toFolder} stands above ${fromFolder}`)
  }
}

function checkFolderCycles(folder: string, imports: readonly FileImport[]): void {
  for (const group of folderCycles(imports)) {
    problems.push(`packages/${folder}: folders import each other: ${group.join(', ')}`)
  }
}

function checkDeepImports(folder: string, imports: readonly FileImport[], files: ReadonlySet<string>): void {
  for (const { from, to } of deepImports(imports, files)) {
    problems.push(`packages/${folder}: src/${from} imports ${to}, past ${topFolder(to)}/index.ts`)
  }
}

/** One cycle for each file at which a depth-first walk meets its own path again. */
function* cycles(): Generator<string[]> {
  const finished = new Set<string>()
  for (const start of graph.keys()) yield* walk(start, [])

  function* walk(file: string, path: string[]): Generator<string[]> {
    const at = path.indexOf(file)
    if (at >= 0) yield [...path.slice(at), file]
    if (at >= 0 || finished.has(file)) return
    for (const next of graph.get(file) ?? []) yield* walk(next, [...path, file])
    finished.add(file)
  }
}

function typescriptFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

function fromRoot(file: string): string {
  return relative(root, file)
}
