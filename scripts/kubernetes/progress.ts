const QUIET_INTERVAL = 30_000

/** Says how a long step goes: in one line that changes on a terminal, in a line every half minute elsewhere. */
export class Progress {
  #title: string
  #started = performance.now()
  #detail = ''
  #terminal = process.stdout.isTTY
  #timer: NodeJS.Timeout

  constructor(title: string) {
    this.#title = title
    if (!this.#terminal) console.log(`${title} …`)
    this.#timer = setInterval(() => this.#show(), this.#terminal ? 1_000 : QUIET_INTERVAL)
  }

  say(detail: string): void {
    this.#detail = detail
  }

  /** The step is complete. */
  done(): void {
    this.stop()
    console.log(`${this.#title}: ${this.#elapsed()}`)
  }

  /** Says no more. */
  stop(): void {
    clearInterval(this.#timer)
    if (this.#terminal) process.stdout.write('\r\u001b[K')
  }

  #show(): void {
    const line = `${this.#title} … ${this.#elapsed()}${this.#detail ? `, ${this.#detail}` : ''}`
    process.stdout.write(this.#terminal ? `\r\u001b[K${line}` : `${line}\n`)
  }

  #elapsed(): string {
    const seconds = Math.round((performance.now() - this.#started) / 1_000)
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  }
}
