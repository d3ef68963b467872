import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** One page of a book. */
interface Chapter {
  /** The file, relative to the book's folder, with forward slashes. */
  readonly file: string
  readonly title: string
  /** Its depth in the list of chapters, from 0. */
  readonly depth: number
}

/** A folder of Markdown as it was at one moment. */
export interface Book {
  readonly title: string
  readonly chapters: readonly Chapter[]
  /** The texts of all Markdown files, by file. */
  readonly pages: ReadonlyMap<string, string>
  /** Other files that pages may refer to. */
  readonly assets: readonly string[]
  /** Changes whenever a page does. */
  readonly version: string
}

const DEEPEST_FOLDER = 8
const MOST_FILES = 2_000
const LONGEST_TITLE = 200
const LONGEST_LINK = 2_000
/** Larger files are not served: they are neither pages nor usual pictures. */
const LARGEST_FILE = 8 * 1024 ** 2
/** Pages beyond this are not part of the book: all of them are held at once. */
const LARGEST_BOOK = 32 * 1024 ** 2

/**
 * Reads a book. `SUMMARY.md` decides the chapters and their order where there is one; otherwise they
 * are all Markdown files, README first. A folder that is missing is an empty book.
 */
export async function readBook(folder: string): Promise<Book> {
  const files = await filesIn(folder)
  const pages = new Map<string, string>()
  const hash = createHash('sha256')
  let size = 0
  for (const file of files.filter(isMarkdown)) {
    const text = await readInside(folder, file)
    if (text === undefined || size + text.length > LARGEST_BOOK) continue
    size += text.length
    const page = text.toString('utf8')
    pages.set(file, page)
    hash.update(`${file}\0${page.length}\0${page}`)
  }
  const summary = pages.get('SUMMARY.md')
  const listed = summary === undefined ? [] : chaptersOf(summary, pages)
  const chapters = listed.length > 0 ? listed : allChapters(pages)
  return {
    title: chapters[0]?.title ?? 'An empty book',
    chapters,
    pages,
    assets: files.filter((file) => !isMarkdown(file)),
    version: hash.digest('hex').slice(0, 16),
  }
}

/** The bytes of a file of the book; `undefined` when it is gone, too large, or leads out of the folder. */
export async function readInside(folder: string, file: string): Promise<Buffer | undefined> {
  try {
    // A mounted folder is full of links to its current version: those that stay inside are good.
    const [root, path] = [await realpath(folder), await realpath(join(folder, file))]
    if (!path.startsWith(root + sep)) return undefined
    const { size } = await stat(path)
    return size > LARGEST_FILE ? undefined : await readFile(path)
  } catch {
    return undefined
  }
}

/** The existing chapters that the links of a summary name. */
function chaptersOf(summary: string, pages: ReadonlyMap<string, string>): Chapter[] {
  const chapters: Chapter[] = []
  for (const line of summary.split('\n')) {
    const match = /^(\s*)(?:[-*+]\s)?\s*\[([^\]]+)\]\(([^)]*)\)/.exec(line.slice(0, LONGEST_LINK))
    const file = match?.[3]?.trim().replace(/^<|>$/g, '').replace(/^\.\//, '')
    if (!match || !file || !pages.has(file)) continue
    chapters.push({
      file,
      title: match[2] ?? file,
      depth: Math.min(4, Math.floor((match[1] ?? '').length / 2)),
    })
  }
  return chapters
}

function allChapters(pages: ReadonlyMap<string, string>): Chapter[] {
  const rank = (file: string): number => (file === 'README.md' ? 0 : file === 'index.md' ? 1 : 2)
  return [...pages.keys()]
    .filter((file) => file !== 'SUMMARY.md' || pages.size === 1)
    .sort((a, b) => rank(a) - rank(b) || byName(a, b))
    .map((file) => ({ file, title: titleOf(pages.get(file) ?? '', file), depth: file.split('/').length - 1 }))
}

/** The first heading, or else the name of the file. */
function titleOf(page: string, file: string): string {
  const line = /^#[ \t][^\n]*/m.exec(page)?.[0] ?? ''
  // Cut, because the closing of a heading is looked for from everywhere in it.
  const heading = line.slice(1, LONGEST_TITLE).trim().replace(/\s#+$/, '').trim()
  return heading || file.slice(file.lastIndexOf('/') + 1).replace(/\.md$/, '')
}

/** By code units, so that the order is the same on every machine. */
function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isMarkdown(file: string): boolean {
  return file.endsWith('.md')
}

/** Files below the folder, in order, without those that start with a dot (a mount's own bookkeeping). */
async function filesIn(folder: string, below = '', depth = 0): Promise<string[]> {
  if (depth > DEEPEST_FOLDER) return []
  const names = await readdir(join(folder, below)).catch(() => [])
  const files: string[] = []
  for (const name of names.sort(byName)) {
    if (name.startsWith('.') || files.length >= MOST_FILES) continue
    const path = below === '' ? name : `${below}/${name}`
    const stats = await stat(join(folder, path)).catch(() => undefined)
    if (stats?.isFile()) files.push(path)
    else if (stats?.isDirectory()) files.push(...(await filesIn(folder, path, depth + 1)))
  }
  return files
}
