import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Files } from '../worker/messages.ts'

/** An operator that is ready to be changed. */
export interface Example {
  /** Stands in the address. */
  readonly id: string
  /** By the tag of the language. */
  readonly titles: Readonly<Record<string, string>>
  /** Whether a chapter of the guide is about it. */
  readonly isChapter: boolean
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
      .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .map((name) => chapterOf(name, join(root, 'docs', 'playground', 'examples', name))),
  ]
  const operators = Object.entries(OPERATORS).map(([name, title]) => ({
    id: name,
    titles: { en: title },
    isChapter: false,
    files: filesOf(join(root, 'examples', name)),
  }))
  return { examples: [...chapters, ...operators], first: '1-the-loop' }
}

function chapterOf(name: string, folder: string): Example {
  const titles = Object.entries(LANGUAGES).map(([tag, part]) => {
    const page = readFileSync(join(root, 'docs', 'guide', part, `${name}.md`), 'utf8')
    return [tag, /^# (.+)$/m.exec(page)?.[1] ?? name]
  })
  return { id: name, titles: Object.fromEntries(titles), isChapter: true, files: filesOf(folder) }
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
