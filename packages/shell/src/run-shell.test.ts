import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock, SystemClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runIn, type ShellResult } from '../test/run-in.ts'
import { isShellCommand, type ShellRun } from './index.ts'

let root: string
let clock: SimulatedClock

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'homeostat-shell-'))
  clock = new SimulatedClock()
})

afterEach(() => rmSync(root, { recursive: true }))

type Options = Partial<ShellRun> & { input?: string }

function start(script: string, options: Options = {}): Promise<ShellResult> {
  return runIn(root, ['sh', '-c', script], { clock, ...options })
}

async function sh(script: string, options: Options = {}): Promise<ShellResult> {
  const run = start(script, options)
  await clock.advance('10s')
  return run
}

describe('a shell', () => {
  it('knows its commands by name and by the paths that images have', () => {
    for (const name of ['sh', '/bin/sh', '/usr/bin/env', 'ls', 'echo', '/bin/test', '[', 'tar']) {
      expect(isShellCommand(name), name).toBe(true)
    }
    for (const name of ['bash', 'cd', 'export', '/tmp/sh', './ls', '', 'constructor', '/bin/']) {
      expect(isShellCommand(name), name).toBe(false)
    }
  })

  it('runs one of its commands without a script', async () => {
    writeFileSync(join(root, 'a'), 'content')
    expect(await runIn(root, ['cat', '/a'], { clock })).toEqual({ stdout: 'content', stderr: '', code: 0 })
    expect(await runIn(root, ['/bin/echo', '$x', '*'], { clock })).toMatchObject({
      stdout: '$x *\n',
      code: 0,
    })
    expect(await runIn(root, ['test', '-d', '/a'], { clock })).toMatchObject({ code: 1 })
    expect(await runIn(root, ['busybox', 'head', '-c', '3', 'a'], { clock })).toMatchObject({ stdout: 'con' })
  })

  it('returns 127 for a missing command, and 126 for a file that is not a program', async () => {
    writeFileSync(join(root, 'script'), 'echo hi')
    expect(await runIn(root, ['bash', '-c', 'id'], { clock })).toMatchObject({
      code: 127,
      stderr: 'sh: bash: not found\n',
    })
    expect(await runIn(root, ['/script'], { clock })).toMatchObject({ code: 126 })
    expect(await sh('/bin/bash; /proc/self/exe; /etc/passwd')).toMatchObject({ code: 127, stdout: '' })
  })

  it('runs a script of the container by its first line, but no other program', async () => {
    writeFileSync(join(root, 'script'), '#!/bin/sh -e\necho $0 $1; false; echo never', { mode: 0o755 })
    writeFileSync(join(root, 'python'), '#!/usr/bin/python3\nprint(1)', { mode: 0o755 })
    expect(await runIn(root, ['/script', 'x'], { clock })).toMatchObject({ stdout: '/script x\n', code: 1 })
    expect(await sh('./python')).toMatchObject({ code: 127, stdout: '' })
  })

  it('sees the files of its container and nothing of the machine', async () => {
    const { stdout, stderr } = await sh('ls /; ls /proc /sys /home; cat /etc/hostname; echo > /x; ls /')
    expect(stdout).toBe('x\n')
    expect(stderr).not.toContain(root)
  })

  it('has its environment from outside, and passes on what is exported', async () => {
    const { stdout } = await sh('echo $A; B=2; export C=3; env | sort', {
      env: { A: '1', 'not-a-name': 'x' },
    })
    expect(stdout).toBe('1\nA=1\nC=3\nPWD=/\n')
  })

  it('reads a script from its input, and leaves what follows to its commands', async () => {
    const input = 'echo one\nread x\nthe line\necho "got $x"\ncat\nrest\nof it\n'
    expect(await runIn(root, ['sh'], { clock, input })).toMatchObject({
      stdout: 'one\ngot the line\nrest\nof it\n',
    })
  })

  it('carries any bytes through pipes, files and variables', async () => {
    const { stdout } = await sh(`printf '\\377\\000\\200x' > f; x=$(cat f); printf '%s' "$x"; cat f | cat`)
    expect(Buffer.from(stdout, 'latin1')).toEqual(Buffer.from('\xff\x80x\xff\x00\x80x', 'latin1'))
  })
})

describe('time', () => {
  it('passes as the clock says', async () => {
    const run = start('date +%T; sleep 3600; date +%T; sleep 1d & wait; date +%F')
    await clock.advance('48h')
    expect((await run).stdout).toBe('12:00:00\n13:00:00\n2026-01-02\n')
  })

  it('goes on around a loop that never ends', async () => {
    const stop = new AbortController()
    const run = start('while true; do :; done', { signal: stop.signal })
    await clock.advance('50ms')
    stop.abort()
    await clock.advance('10ms')
    expect(await run).toMatchObject({ code: 143 })
  })

  it('is given to others by a loop that never ends', async () => {
    const real = new SystemClock()
    const stop = new AbortController()
    const run = runIn(root, ['sh', '-c', 'while :; do :; done & while :; do x=$((x+1)); done'], {
      clock: real,
      signal: stop.signal,
    })
    let turns = 0
    for (let turn = 0; turn < 20; turn++) {
      await real.sleep(1)
      turns++
    }
    stop.abort()
    expect(await run).toMatchObject({ code: 143 })
    expect(turns).toBe(20)
  })

  it('limits a command that takes too long', async () => {
    const run = start('timeout 5 sleep 100; echo $?; timeout 5 echo quick; echo $?')
    await clock.advance('6s')
    expect((await run).stdout).toBe('143\nquick\n0\n')
  })

  it('limits a read', async () => {
    const never = (async function* () {
      await new Promise(() => undefined)
      yield Buffer.from('')
    })()
    const run = start('read -t 2 x; echo $?; date +%S', { stdin: never })
    await clock.advance('3s')
    expect((await run).stdout).toBe('1\n02\n')
  })
})

describe('signals', () => {
  it.each([
    'sleep 3600',
    'cat',
    'while :; do sleep 1; done',
    '(sleep 100; echo x) | cat',
    'sleep 100 & wait',
    'read x',
    'yes > /dev/null',
  ])('end %s with 143 where nothing traps them', async (script) => {
    const stop = new AbortController()
    const never = (async function* () {
      await new Promise(() => undefined)
      yield Buffer.from('')
    })()
    const run = start(script, { signal: stop.signal, stdin: never })
    await clock.advance('1500ms')
    stop.abort()
    await clock.advance('10ms')
    expect(await run).toMatchObject({ code: 143 })
  })

  it('reach a trap, which may clean up and leave', async () => {
    const stop = new AbortController()
    const run = start('trap "echo bye; exit 0" TERM; while :; do sleep 1; done', { signal: stop.signal })
    await clock.advance('1500ms')
    stop.abort()
    await clock.advance('1s')
    expect(await run).toMatchObject({ code: 0, stdout: 'bye\n' })
  })

  it('end a wait at once, but let a command in the foreground finish first', async () => {
    const stop = new AbortController()
    const waiting = start('trap "echo now" TERM; sleep 100 & wait; echo $?', { signal: stop.signal })
    const working = start('trap "echo later; date +%S; exit 3" TERM; sleep 20; echo never', {
      signal: stop.signal,
    })
    await clock.advance('5s')
    stop.abort()
    await clock.settle()
    expect(await waiting).toMatchObject({ stdout: 'now\n143\n' })
    await clock.advance('20s')
    expect(await working).toMatchObject({ stdout: 'later\n20\n', code: 3 })
  })

  it('can be ignored, but the last one cannot', async () => {
    const [stop, kill] = [new AbortController(), new AbortController()]
    const run = start('trap "" TERM; trap "echo no" KILL; while :; do sleep 1; done', {
      signal: stop.signal,
      killed: kill.signal,
    })
    await clock.advance('2s')
    stop.abort()
    await clock.advance('30s')
    kill.abort()
    await clock.advance('10ms')
    expect(await run).toMatchObject({ code: 137, stdout: '' })
    expect(clock.nextDue()).toBeUndefined()
  })

  it('go to the first process of the container with kill 1', async () => {
    const received: number[] = []
    const init = { kill: (signal: number) => void received.push(signal) }
    await runIn(root, ['sh', '-c', 'kill 1; kill -9 1; kill 4711'], { clock, init })
    expect(received).toEqual([15, 9])
    expect(await sh('echo $$; kill 1; echo never')).toMatchObject({ stdout: '1\n', code: 143 })
  })

  it('leave nothing behind when a run is over', async () => {
    const run = start('sleep 1000 & (while :; do sleep 1; done) & yes | cat > /dev/null & echo done')
    await clock.settle()
    expect(await run).toMatchObject({ stdout: 'done\n', code: 0 })
    await clock.advance('1s')
    expect(clock.nextDue()).toBeUndefined()
  })

  it('come too late for a run whose signal is already aborted', async () => {
    expect(await start('echo never', { signal: AbortSignal.abort() })).toMatchObject({
      code: 143,
      stdout: '',
    })
    expect(await start('echo never', { killed: AbortSignal.abort() })).toMatchObject({
      code: 137,
      stdout: '',
    })
  })
})

describe('unbounded work', () => {
  it('ends with its reader', async () => {
    expect(await sh('yes | head -1; yes | sed 1q; cat /dev/zero | head -c 3 | wc -c')).toMatchObject({
      stdout: 'y\ny\n3\n',
      code: 0,
    })
  })

  it('waits for the slower side', async () => {
    let written = 0
    let open = Promise.withResolvers<void>()
    const stdout = {
      write: (text: string | Uint8Array) => void (written += text.length),
      get ready() {
        return open.promise
      },
    }
    const stop = new AbortController()
    const run = start('yes', { stdout, signal: stop.signal })
    await clock.advance('1s')
    expect(written).toBeLessThan(100_000)
    const before = written
    open.resolve()
    open = Promise.withResolvers<void>()
    await clock.advance('1s')
    expect(written).toBeGreaterThan(before)
    expect(written).toBeLessThan(200_000)
    stop.abort()
    await clock.settle()
    expect(await run).toMatchObject({ code: 143 })
  })

  it.each([
    ['f() { f; }; f; echo never', 'nested too deep'],
    ['f() { f | f; }; f', "can't fork"],
    ['f() { f & }; f; wait; echo over', ''],
    ['x=a; while :; do x=$x$x; done', 'too long'],
    ['x=$(yes)', 'too much output'],
    ['eval "$(printf "(%.0s" $(seq 1000))"', 'nested too deep'],
    ['x=x; echo $((x))', 'too deep'],
    ['. ./self', 'nested too deep'],
    ['sed ":a;s/.*/&&/;ba" words', 'too long'],
    ['sed ":a;N;ba" /dev/zero', 'too large'],
    ['sed ":a;ba" words', 'does not end'],
    ['yes | sort', 'too much to hold in memory'],
    ['printf "%999999999d" 1 | wc -c', ''],
    ['echo $((2**9999999999))', ''],
    ['x=$(seq 5000); echo "${x//*q/}"', 'too long'],
    ['x=$(seq 100000); echo "${x%%1*}"', 'too long'],
    ['set -- $(yes x | head -100000); echo $#', ''],
  ])('is cut short: %s', { timeout: 60_000 }, async (script, message) => {
    writeFileSync(join(root, 'self'), '. ./self')
    writeFileSync(join(root, 'words'), 'a\n')
    const run = start(script)
    for (let second = 0; second < 60; second++) await clock.advance('1s')
    const { stderr, stdout } = await run
    expect(stderr).toContain(message)
    expect(stdout).not.toContain('never')
  })

  it.each([
    ['grep -E "(a+)+$" f', 'expressions that others take for ever with'],
    ['case $(cat f) in *a*a*a*a*a*a*a*a*c) echo y;; esac', 'patterns with many stars'],
    ['x=$(cat f); echo ${x##*a*a*a*b} | wc -c', 'prefixes by pattern'],
    ['expr $(cat f) : "\\(a*\\)*b"', 'expr'],
    ['sed -E "s/(a|aa)+$/x/" f', 'sed'],
    ['x=$(printf %0100000d 0 | tr 0 "\\n"; echo z); echo ${#x}', 'newlines before the end'],
    [
      'x=$(printf %0100000d 0 | tr 0 /); basename "a${x}b" | wc -c; dirname "${x}b"; mkdir "$x$x"; cd "$x"',
      'slashes',
    ],
    [
      'x=$(printf %0100000d 0 | tr 0 "\\\\"); eval "cat <<E\n$x\nE\n" | wc -c; printf "%s" "$x" | { read y; echo ${#y}; }',
      'backslashes',
    ],
  ])('is not caused by a hostile text: %s (%s)', { timeout: 60_000 }, async (script) => {
    writeFileSync(join(root, 'f'), `${'a'.repeat(5_000)}!`)
    // Work of exponential time would practically never end.
    await expect(sh(script)).resolves.toBeDefined()
  })
})

describe('the archives of kubectl cp', () => {
  it('come out of tar cf - and go into tar xmf - -C', async () => {
    mkdirSync(join(root, 'src/deep'), { recursive: true })
    mkdirSync(join(root, 'dst'))
    writeFileSync(join(root, 'src/a'), 'A'.repeat(1_000))
    writeFileSync(join(root, 'src/deep/run.sh'), 'echo hi', { mode: 0o755 })
    writeFileSync(join(root, `src/${'n'.repeat(180)}`), 'long name')
    const { stdout } = await runIn(root, ['tar', 'cf', '-', 'src'], { clock })
    const bytes = Buffer.from(stdout, 'latin1')
    expect(bytes.length % 512).toBe(0)
    const stdin = (async function* () {
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
    })()
    expect(await runIn(root, ['tar', '-xmf', '-', '-C', '/dst'], { clock, stdin })).toMatchObject({
      code: 0,
      stderr: '',
    })
    const { stdout: found } = await sh('cd dst; find . | sort; ./src/deep/run.sh; wc -c < src/a; cat src/n*')
    expect(found).toBe(
      `.\n./src\n./src/a\n./src/deep\n./src/deep/run.sh\n./src/${'n'.repeat(180)}\nhi\n1000\nlong name`,
    )
  })

  it('cannot write outside of their folder', async () => {
    const { stdout } = await sh(
      'mkdir in; echo x > in/f; tar cf a.tar in/f; sed "s|in/f|../f|" a.tar > b.tar; echo ok',
    )
    expect(stdout).toBe('ok\n')
    const evil = await sh(
      'mkdir out; tar xf b.tar -C out; echo $?; ls out; ln -s / out/in; tar xf a.tar -C out; ls -l out/in | cut -c1',
    )
    expect(evil.stdout).toContain('1\n')
    expect(evil.stderr).toContain('checksum')
  })
})
