/**
 * Makes the pages of the API reference from the sources: `node main.ts FOLDER`. Each module that a package exports gets a page with
 * every exported name, its declaration and its comment. `names.json` in the folder says where each name is described.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { Declarations, type Declaration } from './declarations.ts'
import { findEntries } from './entries.ts'

interface Described {
  readonly name: string
  readonly declarations: readonly Declaration[]
}

/** A page of the reference: a module, or a namespace in one. */
interface Page {
  readonly title: string
  readonly file: string
  readonly comment: string
  readonly described: readonly Described[]
  /** Names that another page describes, and names of namespaces, with their links. */
  readonly elsewhere: readonly { readonly name: string; readonly link: string }[]
}

const SECTIONS = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
] as const

const root = resolve(import.meta.dirname, '../../..')
const folder = resolve(process.argv[2] ?? '')
const entries = findEntries(root)
const program = ts.createProgram(
  entries.map(({ file }) => file),
  compilerOptions(),
)
const checker = program.getTypeChecker()
const declarations = new Declarations(program)
/** Where a symbol is described: the first page that exports it. */
const homes = new Map<ts.Symbol, string>()
const pages: Page[] = []
for (const { specifier, file } of entries) addPage(specifier, fileNameOf(specifier), moduleOf(file))

mkdirSync(folder, { recursive: true })
for (const page of pages) writeFileSync(join(folder, `${page.file}.md`), textOf(page))
writeFileSync(join(folder, 'index.md'), indexText())
writeFileSync(
  join(folder, 'names.json'),
  JSON.stringify({
    pages: pages.map(({ title, file }) => ({ title, file })),
    names: pages.flatMap(({ file, described }) => described.map(({ name }) => ({ page: file, name }))),
  }),
)

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  return {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    // The declarations are only kept in memory, but the compiler would refuse to write beside the sources.
    outDir: join(folder, 'declarations'),
  }
}

function moduleOf(file: string): ts.Symbol {
  const source = program.getSourceFile(file)
  const symbol = source && checker.getSymbolAtLocation(source)
  if (!symbol) throw new Error(`${file} is not a module`)
  return symbol
}

function addPage(title: string, file: string, module: ts.Symbol): void {
  const described: Described[] = []
  const elsewhere: { name: string; link: string }[] = []
  for (const exported of checker.getExportsOfModule(module)) {
    const { name } = exported
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const isNamespace = symbol.declarations?.some((declaration) => ts.isSourceFile(declaration)) ?? false
    const home = homes.get(symbol)
    if (home !== undefined) {
      elsewhere.push({ name, link: home })
    } else if (isNamespace) {
      const namespaceFile = `${file}-${name}`
      homes.set(symbol, `${namespaceFile}.md`)
      elsewhere.push({ name, link: `${namespaceFile}.md` })
      addPage(`${title}: ${name}`, namespaceFile, symbol)
    } else {
      homes.set(symbol, `${file}.md#${name}`)
      described.push({ name, declarations: declarations.of(symbol) })
    }
  }
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)
  const comment = moduleComment(module)
  pages.push({
    title,
    file,
    comment,
    described: described.toSorted(byName),
    elsewhere: elsewhere.toSorted(byName),
  })
}

/** The comment at the top of a module, which says what it is for. */
function moduleComment(module: ts.Symbol): string {
  const file = module.declarations?.find((declaration) => ts.isSourceFile(declaration))
  const [first] = file?.statements ?? []
  const isImportOrExport = first && (ts.isExportDeclaration(first) || ts.isImportDeclaration(first))
  if (!isImportOrExport) return ''
  const [comment] = ts.getJSDocCommentsAndTags(first).filter((node) => ts.isJSDoc(node))
  return comment ? (ts.getTextOfJSDocComment(comment.comment) ?? '') : ''
}

function fileNameOf(specifier: string): string {
  return specifier.replace('@homeostat/', '').replaceAll('/', '-')
}

function textOf(page: Page): string {
  const lines = [`# ${page.title}`, linked(page.comment, page)]
  if (page.elsewhere.length > 0) {
    const links = page.elsewhere.map(({ name, link }) => `[\`${name}\`](${link})`)
    lines.push('## Described elsewhere', `This module exports these names as well: ${links.join(', ')}.`)
  }
  for (const [type, heading] of SECTIONS) {
    const section = page.described.filter(({ declarations: [first] }) => first?.type === type)
    if (section.length === 0) continue
    lines.push(`## ${heading}`)
    for (const { name, declarations: all } of section) {
      lines.push(`### ${name} {:#${name}:}`)
      const comments = new Set(all.map(({ comment }) => linked(comment, page)))
      lines.push(...comments, ...all.map(({ code }) => `\`\`\`ts reference=${page.file}\n${code}\n\`\`\``))
    }
  }
  return `${lines.filter(Boolean).join('\n\n')}\n`
}

/** Makes links of the names in a comment that the author has marked with `@link`. */
function linked(comment: string, page: Page): string {
  return comment.replace(
    /\{@link(?:code)?\s+([\w.]+)(?:\s*\|\s*([^}]+))?\s*\}/g,
    (_, target: string, text) => {
      const name = target.split('.')[0] ?? ''
      const own = page.described.some((each) => each.name === name) ? `${page.file}.md#${name}` : undefined
      const link = own ?? pages.find(({ described }) => described.some((each) => each.name === name))
      const label = text ?? `\`${target}\``
      if (!link) return label
      return `[${label}](${typeof link === 'string' ? link : `${link.file}.md#${name}`})`
    },
  )
}

function indexText(): string {
  const modules = pages.filter(({ title }) => !title.includes(':'))
  const rows = modules.map(({ title, file, comment }) => {
    const [first = ''] = comment.split(/(?<=\.)\s/)
    return `- [\`${title}\`](${file}.md)${first ? `: ${first.replace(/\s+/g, ' ')}` : ''}`
  })
  return [
    '# API reference',
    'Every name that the packages export, with its declaration and its comment, made from the sources.',
    rows.join('\n'),
  ].join('\n\n')
}
