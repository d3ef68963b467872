/** Where a container's output goes. What is written becomes lines of its log. */
export interface OutputWriter {
  write(text: string | Uint8Array): void
  /**
   * Resolves when more may be written: who reads may be slower than who writes. Who writes much waits for it, so that
   * memory stays bounded. Where there is none, nothing needs to be waited for.
   */
  readonly ready?: Promise<void> | undefined
}
