import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Files } from '../worker/messages.ts'

/** An operator that is ready to be changed. */
export interface Example {
  /** Stands in the address. */
  readonly id: string
  /** By the tag of the language. */
  readonly titles: Readonly<Record<string, string>>
  /** The chapter of the guide that shows it. */
  readonly chapter?: string | undefined
  readonly files: Files
}

export interface Catalogue {
  readonly examples: readonly Example[]
  /** The id of the example to begin with. */
  readonly first: string
}

const root = resolve(import.meta.dirname, '../../..')
const LANGUAGES = { en: '.', ja: 'ja', 'zh-Hans': 'zh-Hans', 'zh-Hant': 'zh-Hant' }
/** What belongs to an operator in production, and not to what it does. */
const LEFT_OUT = /^(main|index|images)\.ts$|\.test\.ts$/

/** The six example operators, by their folders. */
const OPERATORS: Readonly<Record<string, string>> = {
  markdownview: 'MarkdownView',
  at: 'At',
  mariadb: 'MariaDB',
  tenant: 'Tenant',
  vcap: 'VCAP services',
  visitors: 'Visitors',
}

/** All examples: those of the chapters of the guide in their order, then the example operators. */
export function readCatalogue(): Catalogue {
  const chapters = [
    chapterOf('1-the-loop', join(root, 'docs', 'guide', 'first')),
    ...globSync('*', { cwd: join(root, 'docs', 'playground', 'examples') })
      .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((name) => chapterOf(name, join(root, 'docs', 'playground', 'examples', name))),
  ]
  const operators = Object.entries(OPERATORS).map(([name, title]) => ({
    id: name,
    titles: { en: title },
    files: filesOf(join(root, 'examples', name)),
  }))
  return { examples: [...chapters, ...operators], first: '1-the-loop' }
}

/** An example of a chapter. Further loops of a chapter have its name and a number: `4-owners.2`. */
function chapterOf(name: string, folder: string): Example {
  const [chapter = name, number] = name.split('.')
  const titles = Object.entries(LANGUAGES).map(([tag, part]) => {
    const page = readFileSync(join(root, 'docs', 'guide', part, `${chapter}.md`), 'utf8')
    const title = /^# (.+)$/m.exec(page)?.[1] ?? chapter
    return [tag, number === undefined ? title : `${title} (${number})`]
  })
  return { id: name, titles: Object.fromEntries(titles), chapter, files: filesOf(folder) }
}

/** The controller comes first, and the operator, which joins the parts, last. */
function filesOf(folder: string): Files {
  const rank = (name: string): number => (name === 'controller.ts' ? 0 : name === 'operator.ts' ? 2 : 1)
  const names = globSync('*.ts', { cwd: folder })
    .map((file) => basename(file))
    .filter((file) => !LEFT_OUT.test(file))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}
