import { HomeostatError } from '@homeostat/api'

/** Leaves running commands: thrown by `break`, `return` or `exit`, and caught where its effect ends. */
class Flow extends HomeostatError {
  constructor(message: string) {
    super('SHELL_FLOW', message)
  }
}

/** `exit`: ends the shell or the subshell. */
export class ShellExit extends Flow {
  readonly status: number

  constructor(status: number) {
    super('exit')
    this.status = status & 0xff
  }
}

/** `return`: ends a function or a file that is read with `.`. */
export class FunctionReturn extends Flow {
  readonly status: number

  constructor(status: number) {
    super('return')
    this.status = status & 0xff
  }
}

/** `break` and `continue`, with the number of loops that they leave. */
export class LoopExit extends Flow {
  readonly again: boolean
  readonly levels: number

  constructor(again: boolean, levels: number) {
    super(again ? 'continue' : 'break')
    this.again = again
    this.levels = levels
  }
}

/** ^C at the terminal of an interactive shell: back to the prompt. */
export class Interrupted extends Flow {
  constructor() {
    super('interrupted')
  }
}
