import type { ShellFile } from '../files/index.ts'
import { Input } from './input.ts'
import type { Output } from './output.ts'

/** A file that is read. */
export class FileInput extends Input {
  readonly #file: ShellFile

  constructor(file: ShellFile) {
    super()
    this.#file = file
  }

  protected override async pull(): Promise<Uint8Array | undefined> {
    const bytes = this.#file.read()
    return bytes.length === 0 ? undefined : bytes
  }

  override close(): void {
    this.#file.close()
  }
}

/** A file that is written. */
export class FileOutput implements Output {
  readonly #file: ShellFile

  constructor(file: ShellFile) {
    this.#file = file
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#file.write(bytes)
  }

  close(): void {
    this.#file.close()
  }
}
