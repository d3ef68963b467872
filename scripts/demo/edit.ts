import type { Client } from 'homeostat'

/** A change to what an operator made, as a person makes it with kubectl. */
export interface Edit {
  /** The command that does the same. */
  readonly command: string
  make(client: Client): Promise<unknown>
  /** Whether the operator has undone it. */
  isHealed(client: Client): Promise<boolean>
}
