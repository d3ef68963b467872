import { Input } from '../process/input.ts'
import { unlessAborted } from '../process/killed.ts'
import type { Output } from '../process/output.ts'
import { OutsideOutput } from '../process/outside.ts'
import type { System } from '../process/system.ts'
import type { ShellRun } from '../host/shell-run.ts'
import { decodeText, encodeText } from '../text/text.ts'
import { LineEditor, type LineEvent } from './line-editor.ts'

const INTERRUPT = '\x03'
/** How much may be typed ahead of the reader. */
const MOST_TYPED = 65_536

/**
 * The program's side of a terminal. It takes the bytes that a user types, echoes them, and passes whole lines to
 * the reader. ^C goes to the programs in the foreground. It puts a carriage return before each newline of the
 * output.
 */
export class TerminalDevice {
  readonly input: Input
  readonly output: Output
  readonly #editor = new LineEditor()
  readonly #run: ShellRun
  readonly #system: System
  readonly #outside: OutsideOutput
  /** The error that a shell gets after ^C, instead of the line that it reads. */
  readonly #interruption: Error
  readonly #closed = new AbortController()
  readonly #typed: string[] = []
  #reader: PromiseWithResolvers<LineEvent> | undefined
  #interrupt: (() => void) | undefined
  #room = Promise.withResolvers<void>()
  #prompt: string | undefined
  #ended = false

  constructor(run: ShellRun, system: System, interruption: Error) {
    this.#run = run
    this.#system = system
    this.#interruption = interruption
    this.#outside = new OutsideOutput(run.stdout)
    this.input = new TerminalInput(
      (signal) => this.#read(signal),
      (text) => (this.#prompt = text),
    )
    this.output = { write: (bytes, signal) => this.#write(bytes, signal), isTerminal: true }
    void this.#followSizes()
    void this.#follow()
  }

  /** Calls back at ^C. */
  onInterrupt(callback: () => void): void {
    this.#interrupt = callback
  }

  close(): void {
    this.#closed.abort()
    this.#reader?.resolve({ type: 'end' })
  }

  async #read(signal: AbortSignal): Promise<Uint8Array | undefined> {
    const prompt = this.#prompt
    this.#prompt = undefined
    this.#show(this.#editor.begin(prompt))
    if (this.#ended && this.#typed.length === 0) return undefined
    const reader = Promise.withResolvers<LineEvent>()
    this.#reader = reader
    this.#feed()
    try {
      const event = await unlessAborted(reader.promise, signal)
      if (event.type === 'end') return undefined
      if (event.type === 'interrupt') throw this.#interruption
      return encodeText(event.text)
    } finally {
      if (this.#reader === reader) this.#reader = undefined
    }
  }

  /** Passes the typed characters to the line that is being read, until the line ends. */
  #feed(): void {
    while (this.#reader && this.#typed.length > 0) {
      const { echo, event } = this.#editor.key(this.#typed.shift() ?? '')
      this.#show(echo)
      if (!event) continue
      const reader = this.#reader
      this.#reader = undefined
      if (event.type === 'interrupt') this.#interrupt?.()
      reader.resolve(event)
    }
    this.#room.resolve()
    this.#room = Promise.withResolvers<void>()
    if (this.#ended && this.#typed.length === 0) this.#reader?.resolve({ type: 'end' })
  }

  async #follow(): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const bytes of this.#run.stdin ?? []) {
        if (this.#closed.signal.aborted) return
        for (const character of decoder.decode(bytes, { stream: true })) this.#key(character)
        this.#feed()
        while (this.#typed.length > MOST_TYPED) await unlessAborted(this.#room.promise, this.#closed.signal)
      }
    } catch {
      // A connection that broke off has no more keys.
    }
    this.#ended = true
    this.#feed()
  }

  #key(character: string): void {
    if (character !== INTERRUPT || this.#reader) {
      this.#typed.push(character)
      return
    }
    // No program reads: what was typed ahead is dropped, and the programs in the foreground end.
    this.#typed.length = 0
    this.#show('^C\n')
    this.#interrupt?.()
  }

  async #followSizes(): Promise<void> {
    try {
      for await (const size of this.#run.terminal?.sizes ?? []) {
        if (this.#closed.signal.aborted) return
        this.#system.size = size
      }
    } catch {
      // The last size stays.
    }
  }

  #show(text: string): void {
    if (text !== '') this.#run.stdout.write(encodeText(text.replaceAll('\n', '\r\n')))
  }

  async #write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const shown = bytes.includes(10) ? encodeText(decodeText(bytes).replaceAll('\n', '\r\n')) : bytes
    await this.#outside.write(shown, signal)
  }
}

class TerminalInput extends Input {
  readonly #read: (signal: AbortSignal) => Promise<Uint8Array | undefined>
  readonly #setPrompt: (text: string) => void

  constructor(
    read: (signal: AbortSignal) => Promise<Uint8Array | undefined>,
    setPrompt: (text: string) => void,
  ) {
    super()
    this.#read = read
    this.#setPrompt = setPrompt
  }

  protected override pull(signal: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#read(signal)
  }

  override prompt(text: string): void {
    this.#setPrompt(text)
  }

  override get isTerminal(): boolean {
    return true
  }
}
