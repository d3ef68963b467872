import type { Files } from '../worker/messages.ts'

/** A type error, at characters of a file. */
export interface Mistake {
  readonly file: string
  readonly from: number
  readonly to: number
  readonly message: string
  readonly severity: 'error' | 'warning'
}

/** Names that could stand at a place. They replace the text from `from` on. */
export interface Completions {
  readonly from: number
  readonly names: readonly CompletedName[]
}

export interface CompletedName {
  readonly name: string
  /** What it is, in the compiler's words: `property`, `method`, `const`, … */
  readonly kind: string
}

/** What the compiler knows of a name. */
export interface NameInfo {
  readonly from: number
  readonly to: number
  /** Its type, as TypeScript. */
  readonly signature: string
  readonly documentation: string
}

/** What the page asks about the files as they are now. `offset` counts characters of the file. */
export type TypesQuestion =
  | { readonly type: 'mistakes'; readonly files: Files }
  | {
      readonly type: 'completions' | 'name'
      readonly files: Files
      readonly file: string
      readonly offset: number
    }
  | {
      readonly type: 'completed'
      readonly files: Files
      readonly file: string
      readonly offset: number
      /** One of the names that could stand there. */
      readonly name: string
    }

export type TypesAnswer = readonly Mistake[] | Completions | NameInfo | undefined

/** A question and its answer have the same id. */
export interface TypesAsked {
  readonly id: number
  readonly question: TypesQuestion
}

export interface TypesAnswered {
  readonly id: number
  readonly answer: TypesAnswer
}
