import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { isMap, isSeq, parse, parseDocument, type Document } from 'yaml'

const SECTIONS = ['clusters', 'users', 'contexts'] as const

interface Kubeconfig {
  readonly clusters?: readonly { readonly cluster: unknown }[]
  readonly users?: readonly { readonly user: unknown }[]
}

/** The file that kubectl writes to. */
export function userKubeconfig(env: Readonly<Record<string, string | undefined>>): string {
  const [first] = (env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean)
  return first ?? join(env['HOME'] || homedir(), '.kube', 'config')
}

/**
 * Adds a cluster, a user and a context of one name to a kubeconfig. They replace existing ones of that name.
 * Everything else in the file, comments included, stays as it is. The current context is set only where there is
 * none. Throws `KUBECONFIG_INVALID` for a file that is not a kubeconfig.
 */
export function mergeKubeconfig(file: string, name: string, text: string): void {
  const { clusters, users } = parse(text) as Kubeconfig
  const document = read(file)
  put(document, 'clusters', name, { cluster: clusters?.[0]?.cluster })
  put(document, 'users', name, { user: users?.[0]?.user })
  put(document, 'contexts', name, { context: { cluster: name, user: name } })
  if (!document.get('current-context')) document.set('current-context', name)
  write(file, document)
}

/** Removes the cluster, the user and the context of a name, and nothing else. Returns whether the file had them. */
export function unmergeKubeconfig(file: string, name: string): boolean {
  if (!existsSync(file)) return false
  const document = read(file)
  const found = SECTIONS.map((section) => drop(document, section, name))
  if (!found.includes(true)) return false
  if (document.get('current-context') === name) document.set('current-context', '')
  write(file, document)
  return true
}

function read(file: string): Document {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const document = parseDocument(text.trim() === '' ? 'apiVersion: v1\nkind: Config\n' : text)
  if (document.errors.length === 0 && isMap(document.contents)) return document
  throw new HomeostatError(
    'KUBECONFIG_INVALID',
    `${file} is not a valid kubeconfig, so the cluster cannot be merged into it: repair it, or set KUBECONFIG to another file`,
  )
}

function put(document: Document, section: (typeof SECTIONS)[number], name: string, content: object): void {
  drop(document, section, name)
  const entry = { name, ...content }
  if (isSeq(document.get(section))) document.addIn([section], document.createNode(entry))
  else document.set(section, document.createNode([entry]))
}

function drop(document: Document, section: string, name: string): boolean {
  const list = document.get(section)
  if (!isSeq(list)) return false
  const index = list.items.findIndex((item) => isMap(item) && item.get('name') === name)
  return index >= 0 && list.delete(index)
}

/** Replaces a file as a whole: a reader sees the old file or the new one. If the file is a link, its target is replaced. */
function write(file: string, document: Document): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const target = existsSync(file) ? realpathSync(file) : file
  const draft = `${target}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, document.toString(), { mode: 0o600, flag: 'wx' })
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
