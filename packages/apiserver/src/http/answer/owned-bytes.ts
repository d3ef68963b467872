/** Bytes of an answer to which nothing else refers, so that their reader may free them. */
export class OwnedBytes extends Uint8Array<ArrayBuffer> {
  /** A copy of all parts, one after the other. */
  static joining(parts: readonly Uint8Array[]): OwnedBytes {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    const whole = new OwnedBytes(new ArrayBuffer(length))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  /**
   * Frees the memory at once, and leaves the bytes empty. The memory is outside the engine's heap: that of some
   * hundred lists would make the engine collect the whole heap while all requests wait.
   */
  free(): void {
    this.buffer.transfer(0)
  }
}
