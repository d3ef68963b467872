import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleFolder, type NativeKind } from './kubernetes-source.ts'

/**
 * The descriptions of the columns of a kind's table, as the server sends them: by plural and group as in
 * `deployments.apps`, then by column. Read from the printers of Kubernetes; the texts are those of its API types.
 */
export function columnDescriptions(
  version: string,
  kinds: readonly NativeKind[],
): Record<string, Record<string, string>> {
  const docs = new SwaggerDocs(version.replace(/^v1\./, 'v0.'))
  const folder = moduleFolder('k8s.io/kubernetes', version)
  const text = readFileSync(join(folder, 'pkg/printers/internalversion/printers.go'), 'utf8')
  const packages = importsOf(text)
  const byKind = new Map<string, Record<string, string>>()
  for (const [variable, columns] of columnLists(text)) {
    const described = Object.fromEntries(columns.map(([name, of]) => [name, docs.text(of, packages)]))
    for (const kind of kindsPrintedWith(text, variable)) byKind.set(kind, described)
  }
  for (const kind of NOT_USED) byKind.delete(kind)
  const name = docs.text('metav1.ObjectMeta{}.SwaggerDoc()["name"]', packages)
  const created = docs.text('metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]', packages)
  byKind.set('APIService', { Name: name, ...API_SERVICE, Age: created })
  const plain = { Name: name, 'Created At': created }
  const listed = kinds.filter(({ verbs }) => verbs.includes('list'))
  return Object.fromEntries(
    [...listed, { group: 'autoscaling', plural: 'scales', kind: 'Scale' }].map(({ group, plural, kind }) => [
      group === '' ? plural : `${plural}.${group}`,
      byKind.get(kind) ?? plain,
    ]),
  )
}

/** Kinds that have a printer which the server does not use. */
const NOT_USED = ['CSIStorageCapacity']

/** The table of these comes from another server's code, and is short. */
const API_SERVICE = {
  Service: 'The reference to the service that hosts this API endpoint.',
  Available: 'Whether this service is available.',
}

/** The descriptions as a module: each text once, and for each kind the places of its columns' texts. */
export function columnDescriptionsModule(descriptions: Record<string, Record<string, string>>): string {
  const texts = new Map<string, number>()
  const kinds = Object.entries(descriptions).map(([kind, columns]) => {
    const places = Object.entries(columns).map(([column, text]) => {
      if (!texts.has(text)) texts.set(text, texts.size)
      return [column, texts.get(text)]
    })
    return `${JSON.stringify(kind)}:${JSON.stringify(Object.fromEntries(places))}`
  })
  const json = `{"texts":[\n${[...texts.keys()].map((text) => JSON.stringify(text)).join(',\n')}\n],"kinds":{\n${kinds.join(',\n')}\n}}`
  const literal = json.replaceAll(/[\\`]|\$\{/g, (part) => `\\${part}`)
  return `/** The descriptions of the columns of native tables, as JSON: each text once, and by kind and column its place. */
export const columnDescriptions = \`${literal}\`
`
}

/** The packages that a Go file imports, by the name that it gives them. */
function importsOf(text: string): Map<string, string> {
  const block = /^import \((.*?)^\)/ms.exec(text)?.[1] ?? ''
  return new Map([...block.matchAll(/(\w+) "(k8s\.io\/[^"]+)"/g)].map(([, name, path]) => [name!, path!]))
}

/** The lists of columns by the variable that holds them, each column with the expression of its description. */
function columnLists(text: string): Map<string, [name: string, description: string][]> {
  const lists = new Map<string, [string, string][]>()
  const assignments = text.matchAll(
    /^\t(\w+) :?= (?:append\(\w+, )?\[\]metav1\.TableColumnDefinition\{\n(.*?)\n\t\}/gms,
  )
  for (const [, variable, body] of assignments) {
    const columns = [...body!.matchAll(/\{Name: "([^"]+)".*?Description: (.+?)\},?$/gm)]
    lists.set(variable!, [
      ...(lists.get(variable!) ?? []),
      ...columns.map(([, name, description]) => [name!, description!] as [string, string]),
    ])
  }
  return lists
}

/** The types of the objects that are printed with a list of columns. */
function kindsPrintedWith(text: string, variable: string): string[] {
  const functions = [...text.matchAll(new RegExp(`TableHandler\\(${variable}, (\\w+)\\)`, 'g'))]
  return functions.flatMap(([, name]) => {
    const type = new RegExp(`^func ${name}\\(\\w+ \\*\\w+\\.(\\w+),`, 'm').exec(text)?.[1]
    return type ? [type] : []
  })
}

/** The types of fields whose own fields are described. */
const TYPES_OF_FIELDS: Readonly<Record<string, string>> = { InvolvedObject: 'ObjectReference' }

/** The texts that the Go types have for their fields. */
class SwaggerDocs {
  readonly #version: string
  readonly #files = new Map<string, string>()

  constructor(version: string) {
    this.#version = version
  }

  /** The text of an expression: a literal, or `apiv1.Pod{}.SwaggerDoc()["spec"]`. */
  text(expression: string, packages: ReadonlyMap<string, string>): string {
    if (expression.startsWith('"')) return JSON.parse(expression) as string
    const match = /^(\w+)\.(\w+)\{\}(?:\.(\w+))?\.SwaggerDoc\(\)\["(\w+)"\]$/.exec(expression)
    const path = match && packages.get(match[1]!)
    if (!path) throw new Error(`The description ${expression} is of a form that is not known`)
    const [, , outer, inner, field] = match
    const type = inner === undefined ? outer : TYPES_OF_FIELDS[inner]
    if (type === undefined) throw new Error(`Add the type of ${outer}.${inner} to TYPES_OF_FIELDS`)
    const map = new RegExp(`^var map_${type} = map\\[string\\]string\\{(.*?)^\\}`, 'ms').exec(
      this.#file(path),
    )?.[1]
    const entry = new RegExp(`^\\t"${field}": *(".*"),$`, 'm').exec(map ?? '')?.[1]
    return entry === undefined ? '' : (JSON.parse(entry) as string)
  }

  #file(path: string): string {
    let text = this.#files.get(path)
    if (text === undefined) {
      const [host, module, ...rest] = path.split('/')
      const folder = join(moduleFolder(`${host}/${module}`, this.#version), ...rest)
      text = readFileSync(join(folder, 'types_swagger_doc_generated.go'), 'utf8')
      this.#files.set(path, text)
    }
    return text
  }
}
