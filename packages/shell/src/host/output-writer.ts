/** The output of a container, which becomes lines of its log. */
export interface OutputWriter {
  write(text: string | Uint8Array): void
  /**
   * Resolves when more may be written, since the reader may be slower than the writer. A caller that writes much
   * awaits it, so that memory stays bounded. Absent where the writer need not wait.
   */
  readonly ready?: Promise<void> | undefined
}
