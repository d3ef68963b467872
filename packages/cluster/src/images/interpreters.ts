import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { findProgram } from './find-program.ts'

/**
 * Programs whose arguments, or whose input where they get no arguments, name code or commands to run: languages,
 * shells, programs that start another program, and programs with their own command language. A version after the name
 * (`python3.12`, `php8.2`) is the same program.
 */
const NAMES: ReadonlySet<string> = new Set(
  `
  node nodejs deno bun tsx ts-node ts-node-dev nodemon pm2 qjs npm npx pnpm yarn corepack
  python pypy ipython uv uvx pip pipx pipenv poetry pdm hatch tox nox conda mamba pytest flask celery
  gunicorn uvicorn hypercorn daphne
  perl ruby irb gem bundle rake rails puma lua luajit php java jshell kotlin scala groovy clojure
  go dotnet mono guile racket sbcl clisp ghci runghc ocaml elixir iex erl escript julia Rscript R tclsh wish expect swift
  sh ash bash dash ksh ksh93 mksh zsh fish csh tcsh rbash pwsh elvish nu xonsh busybox toybox
  env nohup nice ionice timeout setsid stdbuf script chroot unshare nsenter setpriv capsh runuser su sudo doas pkexec
  flock prlimit taskset chrt setarch choom time watch parallel xargs find fd entr
  make cmake ninja just cargo gradle mvn ant sbt bazel gdb lldb strace
  ltrace systemd-run daemonize start-stop-daemon tini dumb-init gosu su-exec s6-svscan runsv
  awk gawk mawk nawk original-awk sed ed ex vi vim nvim emacs nano less more man git ssh scp sftp rsync tar cpio zip socat
  nc ncat netcat docker podman nerdctl sqlite3 psql mysql mariadb gnuplot bc dc m4 tmux screen at crontab
  `
    .split(/\s+/)
    .filter((name) => name !== ''),
)

const VERSION = /[-.\d]+$/

/** Programs that behave as another program for each name by which they are started. */
const MULTI_CALL: ReadonlySet<string> = new Set(['busybox', 'toybox'])

/**
 * Whether a program, by its name or path, runs code that its arguments or its input give it. A link counts as what it
 * leads to, except for a link to BusyBox and similar programs: `cat` is not an interpreter there.
 */
export function isInterpreter(program: string): boolean {
  const [name, target] = [program, realPath(program)].map((path) => basename(path).replace(/\.exe$/i, ''))
  return [name, ...(MULTI_CALL.has(target ?? '') ? [] : [target])].some(
    (one = '') => NAMES.has(one) || NAMES.has(one.replace(VERSION, '')),
  )
}

function realPath(program: string): string {
  try {
    return realpathSync(findProgram(program, '/') ?? program)
  } catch {
    return program
  }
}
