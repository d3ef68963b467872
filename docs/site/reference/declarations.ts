import ts from 'typescript'

/** A declaration as a user of the package sees it. */
export interface Declaration {
  readonly type: 'function' | 'class' | 'constant' | 'type'
  /** TypeScript, without private members; the members keep their comments. */
  readonly code: string
  /** The comment of the declaration, in Markdown. */
  readonly comment: string
}

/** Reads declarations from what the compiler would publish of a module. */
export class Declarations {
  readonly #program: ts.Program
  readonly #files = new Map<string, ReadonlyMap<string, readonly Declaration[]>>()

  constructor(program: ts.Program) {
    this.#program = program
  }

  /** All declarations of one name: a class, or a constant and the type of the same name. */
  of(symbol: ts.Symbol): readonly Declaration[] {
    const files = new Set(symbol.declarations?.map((declaration) => declaration.getSourceFile()))
    const found = [...files].flatMap((file) => this.#read(file).get(symbol.name) ?? [])
    if (found.length === 0) throw new Error(`The compiler publishes no declaration of ${symbol.name}`)
    return found
  }

  #read(source: ts.SourceFile): ReadonlyMap<string, readonly Declaration[]> {
    const known = this.#files.get(source.fileName)
    if (known) return known
    let text = ''
    this.#program.emit(source, (_, written) => void (text = written), undefined, true)
    const file = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true)
    const read = new Map<string, Declaration[]>()
    for (const statement of file.statements) {
      for (const name of namesOf(statement)) {
        const declaration = {
          type: typeOf(statement),
          code: codeOf(statement),
          comment: commentOf(statement),
        }
        read.set(name, [...(read.get(name) ?? []), declaration])
      }
    }
    this.#files.set(source.fileName, read)
    return read
  }
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  )
    return statement.name ? [statement.name.text] : []
  return []
}

function typeOf(statement: ts.Statement): Declaration['type'] {
  if (ts.isFunctionDeclaration(statement)) return 'function'
  if (ts.isClassDeclaration(statement)) return 'class'
  return ts.isVariableStatement(statement) ? 'constant' : 'type'
}

/** The text of a statement without what only the compiler needs. */
function codeOf(statement: ts.Statement): string {
  const start = statement.getStart()
  let text = statement.getText()
  if (ts.isClassDeclaration(statement)) {
    const hidden = statement.members.filter((member) => isHidden(member))
    for (const member of hidden.toReversed())
      text = text.slice(0, member.getFullStart() - start) + text.slice(member.end - start)
  }
  return text
    .replace(/^export (declare )?/, '')
    .replace(/import\("[^"]+"\)\./g, '')
    .replace(/^ {4,}/gm, (margin) => ' '.repeat(margin.length / 2))
    .replace(/\{@link(?:code)? ([^}|]+?)(?:\s*\|[^}]*)?\}/g, '$1')
}

function isHidden(member: ts.ClassElement): boolean {
  if (member.name && ts.isPrivateIdentifier(member.name)) return true
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) ?? false
}

function commentOf(statement: ts.Statement): string {
  const comments = ts.getJSDocCommentsAndTags(statement).filter((node) => ts.isJSDoc(node))
  return comments
    .flatMap((comment) => [
      ts.getTextOfJSDocComment(comment.comment) ?? '',
      ...(comment.tags ?? []).map((tag) => tagText(tag)),
    ])
    .join('\n\n')
}

function tagText(tag: ts.JSDocTag): string {
  const text = ts.getTextOfJSDocComment(tag.comment) ?? ''
  const name = tag.tagName.text
  if (name === 'example') return text
  return ts.isJSDocParameterTag(tag) || ts.isJSDocTemplateTag(tag)
    ? `\`${tag.getText().replace(/^@\w+\s+(\S+)[\s\S]*/, '$1')}\`: ${text}`
    : `*${name}*: ${text}`
}
