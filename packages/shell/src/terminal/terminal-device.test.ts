import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderFiles } from '../folder/index.ts'
import { runShell } from '../index.ts'

let root: string
let person: Person

/** A person at a terminal: types, and sees what is on the screen. */
class Person {
  readonly clock = new SimulatedClock()
  screen = ''
  code: number | undefined
  readonly #keys: Uint8Array[] = []
  #wake = Promise.withResolvers<void>()
  #gone = false

  start(argv: readonly [string, ...string[]]): void {
    const write = (text: string | Uint8Array): void =>
      void (this.screen += Buffer.from(text as Uint8Array).toString())
    void runShell({
      argv,
      env: { HOME: '/root' },
      workingDirectory: '/',
      files: new FolderFiles({ root, mounts: [] }),
      stdin: this.#input(),
      stdout: { write },
      stderr: { write: () => write('on the wrong stream') },
      terminal: { sizes: sizes() },
      hostname: 'pod-1',
      connect: () => Promise.reject(new Error('there is no network here')),
      signal: new AbortController().signal,
      clock: this.clock,
    }).then((code) => (this.code = code))
  }

  /** Types, and returns what appears. */
  async type(keys: string): Promise<string> {
    const before = this.screen.length
    this.#keys.push(Buffer.from(keys))
    this.#wake.resolve()
    await this.clock.advance('10ms')
    return this.screen.slice(before)
  }

  async leave(): Promise<void> {
    this.#gone = true
    this.#wake.resolve()
    await this.clock.advance('10ms')
  }

  async *#input(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const keys = this.#keys.shift()
      if (keys) yield keys
      else if (this.#gone) return
      else {
        await this.#wake.promise
        this.#wake = Promise.withResolvers<void>()
      }
    }
  }
}

async function* sizes(): AsyncGenerator<{ width: number; height: number }> {
  yield { width: 120, height: 40 }
  await new Promise(() => undefined)
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'homeostat-terminal-'))
  person = new Person()
})

afterEach(() => rmSync(root, { recursive: true }))

describe('a shell at a terminal', () => {
  beforeEach(async () => {
    person.start(['sh'])
    await person.clock.settle()
  })

  it('asks, shows what is typed, runs it and asks again', async () => {
    expect(person.screen).toBe('/ # ')
    expect(await person.type('echo hello\r')).toBe('echo hello\r\nhello\r\n/ # ')
    expect(await person.type('mkdir a; cd a; ls nothing\r')).toContain(
      'ls: nothing: No such file or directory\r\n/a # ',
    )
  })

  it('continues to ask until a command is complete', async () => {
    expect(await person.type('if true\r')).toBe('if true\r\n> ')
    expect(await person.type('then echo yes\r')).toBe('then echo yes\r\n> ')
    expect(await person.type('fi\r')).toBe('fi\r\nyes\r\n/ # ')
    expect(await person.type('echo )\r')).toContain('syntax error')
    expect(await person.type('echo $?\r')).toContain('\r\n2\r\n')
  })

  it('goes back to its prompt at ^C, and leaves when it is told to', async () => {
    await person.type('sleep 1000\r')
    expect(await person.type('\x03')).toBe('^C\r\n/ # ')
    expect(await person.type('echo $?\r')).toContain('\r\n130\r\n')
    await person.type('while true; do :; done\r')
    expect(await person.type('\x03')).toBe('^C\r\n/ # ')
    expect(await person.type('half a line\x03')).toBe('half a line^C\r\n/ # ')
    await person.type('exit 5\r')
    expect(person.code).toBe(5)
  })

  it('leaves at ^D, and when the person is gone', async () => {
    await person.type('false\r\x04')
    expect(person.code).toBe(1)
    const other = new Person()
    other.start(['sh'])
    await other.leave()
    expect(other.code).toBe(0)
  })

  it('lets programs read lines, up to ^D', async () => {
    await person.type('cat\r')
    expect(await person.type('one\x7f\x7f\x7ftwo\r')).toBe('one\b \b\b \b\b \btwo\r\ntwo\r\n')
    expect(await person.type('\x04')).toBe('/ # ')
    expect(await person.type('read x; echo "[$x]"\rtyped ahead\r')).toContain('[typed ahead]\r\n/ # ')
  })

  it('knows the size of the terminal, and that there is one', async () => {
    expect(await person.type('stty size; tty; [ -t 0 ] && [ -t 1 ] && echo yes\r')).toContain(
      '40 120\r\n/dev/pts/0\r\nyes\r\n',
    )
    expect(await person.type('echo x | tty; [ -t 1 ] | cat; echo $?\r')).toContain('not a tty\r\n')
  })

  it('keeps jobs in the background, where ^C does not reach them', async () => {
    expect(await person.type('sleep 5 &\r')).toMatch(/\[1\] \d+\r\n\/ # $/)
    await person.type('\x03')
    expect(await person.type('jobs\r')).toContain('Running')
    await person.clock.advance('6s')
    expect(await person.type('jobs\r')).toContain('Done')
  })

  it('survives a mistake that would end a script', async () => {
    expect(await person.type('set -u; echo $nothing\r')).toContain('parameter not set\r\n/ # ')
    expect(await person.type('echo ${x:?gone}\r')).toContain('gone\r\n/ # ')
    expect(await person.type('echo on\r')).toContain('\r\non\r\n/ # ')
  })
})

describe('a command at a terminal', () => {
  it('ends with 130 at ^C', async () => {
    person.start(['sleep', '1000'])
    await person.type('\x03')
    expect(person.code).toBe(130)
  })

  it('has a trap for it, if it is a script that sets one', async () => {
    person.start(['sh', '-c', 'trap "echo caught; exit 7" INT; sleep 1000'])
    await person.clock.settle()
    expect(await person.type('\x03')).toBe('^C\r\ncaught\r\n')
    expect(person.code).toBe(7)
  })
})
