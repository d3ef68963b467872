/** A piece of a word. Quoted parts are neither split into fields nor matched against files. */
export type WordPart =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | ParameterPart
  | { readonly type: 'command'; readonly list: List; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Word; readonly quoted: boolean }

/** `$name`, `${name}` and all forms with braces. */
export interface ParameterPart {
  readonly type: 'parameter'
  readonly name: string
  readonly operator?: ParameterOperator | undefined
  /** The word after the operator: the default, the pattern or the offset. */
  readonly word?: Word | undefined
  /** The replacement, or the length of a part. */
  readonly second?: Word | undefined
  readonly quoted: boolean
}

/** The operation on a parameter's value. `length` is `${#x}`, `part` is `${x:1:2}`. */
export type ParameterOperator =
  | '-'
  | ':-'
  | '='
  | ':='
  | '?'
  | ':?'
  | '+'
  | ':+'
  | '%'
  | '%%'
  | '#'
  | '##'
  | '/'
  | '//'
  | 'length'
  | 'part'

/** A word, which expands to one argument or several. */
export type Word = readonly WordPart[]

/** `name=value` before a command. */
export interface Assignment {
  readonly name: string
  readonly value: Word
}

/** A change of a file descriptor before a command runs. */
export type Redirect =
  | {
      readonly operator: '<' | '>' | '>>' | '<>' | '>|'
      readonly descriptor: number
      readonly target: Word
    }
  | { readonly operator: '<&' | '>&'; readonly descriptor: number; readonly target: Word }
  | { readonly operator: '<<'; readonly descriptor: number; readonly body: { word: Word } }

/** Words, with assignments before them and redirections among them. */
export interface SimpleCommand {
  readonly type: 'simple'
  readonly assignments: readonly Assignment[]
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
  readonly line: number
}

interface Compound {
  readonly redirects: readonly Redirect[]
}

export interface IfCommand extends Compound {
  readonly type: 'if'
  readonly branches: readonly { readonly condition: List; readonly body: List }[]
  readonly otherwise: List | undefined
}

/** `while` and `until`. */
export interface LoopCommand extends Compound {
  readonly type: 'loop'
  readonly until: boolean
  readonly condition: List
  readonly body: List
}

export interface ForCommand extends Compound {
  readonly type: 'for'
  readonly name: string
  /** The script's own arguments where there are none. */
  readonly words: readonly Word[] | undefined
  readonly body: List
}

export interface CaseCommand extends Compound {
  readonly type: 'case'
  readonly word: Word
  readonly branches: readonly { readonly patterns: readonly Word[]; readonly body: List }[]
}

/** `( … )` and `{ …; }`. */
export interface GroupCommand extends Compound {
  readonly type: 'subshell' | 'group'
  readonly body: List
}

export interface FunctionCommand extends Compound {
  readonly type: 'function'
  readonly name: string
  readonly body: Command
}

export type Command =
  | SimpleCommand
  | IfCommand
  | LoopCommand
  | ForCommand
  | CaseCommand
  | GroupCommand
  | FunctionCommand

export interface Pipeline {
  readonly negated: boolean
  readonly commands: readonly Command[]
}

/** Pipelines joined by `&&` and `||`. */
export interface AndOr {
  readonly first: Pipeline
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[]
}

/** Commands one after the other, some of them in the background. */
export interface List {
  readonly items: readonly { readonly command: AndOr; readonly background: boolean }[]
}
