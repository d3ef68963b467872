import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nearestName, SystemClock } from '@homeostat/api'
import type { CheckMemory, CheckProgress, CheckReport, FindingClass } from '@homeostat/check'
import { type Command, type CommandCall, type CommandIo, linesBehind, usageError } from '../command/index.ts'
import { writeFile, writeFiles } from '../manifests/index.ts'
import { findOperator, operatorOption } from '../project/index.ts'

const FORMATS = ['text', 'json', 'junit', 'sarif'] as const
type Format = (typeof FORMATS)[number]

export const check: Command = {
  name: 'check',
  summary: 'finds the ways in which the operator does not converge; you write no tests for it',
  description:
    'Plays the samples of the operator in this process, with crashes, failing requests, stale caches, edits by others, spec changes and deletion. Prints the shortest story of each way in which the operator does not converge. Ends with 1 when it finds one. Ctrl-C prints what was found so far.',
  options: {
    operator: operatorOption,
    only: {
      type: 'string',
      value: 'CLASS',
      multiple: true,
      description: 'look only for this class of findings, such as crash or history',
    },
    jobs: {
      type: 'string',
      value: 'NUMBER',
      description: 'how many threads to use; the report does not depend on it (default: all cores)',
    },
    seed: {
      type: 'string',
      value: 'NUMBER',
      description: 'which combinations of faults to try (default: 1)',
    },
    seconds: {
      type: 'string',
      value: 'NUMBER',
      description: 'end after this time and print what was found so far; --resume continues',
    },
    replay: { type: 'string', value: 'RUN', description: 'play the run with this number only' },
    resume: {
      type: 'boolean',
      description: 'continue an interrupted check of the same, unchanged operator',
    },
    format: { type: 'string', value: 'FORMAT', choices: FORMATS, description: 'text, json, junit or sarif' },
    json: { type: 'boolean', description: 'the same as --format=json' },
    'write-test': {
      type: 'string',
      value: 'FILE',
      description: 'write a test that fails until the findings are fixed',
    },
    recordings: {
      type: 'string',
      value: 'FOLDER',
      description: 'write the story of each finding as a recording, which the page of homeostat dev opens',
    },
  },
  examples: [
    ['check', 'everything'],
    ['check --only=crash --only=left-behind', 'two classes'],
    ['check --seconds=60', 'as much as a minute allows'],
    ['check --replay=17', 'one run, as a report names it'],
    ['check --format=sarif > check.sarif', 'for a code host'],
    ['check --write-test=check.test.ts', 'a regression test for each finding'],
    ['check --recordings=findings', 'each finding as a story to step through on the page'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const seed = numberOf(values, 'seed')
    const jobs = numberOf(values, 'jobs') ?? availableParallelism()
    const seconds = numberOf(values, 'seconds')
    const replay = numberOf(values, 'replay')
    const format = formatOf(values)
    // Printed first, since the start takes a while on a busy machine.
    io.err('loading the checker\n')
    const checker = await import('@homeostat/check')
    const only = classesOf(values['only'] as readonly string[] | undefined, Object.keys(checker.CLASSES))
    const file = findOperator(io.cwd, textOf(values, 'operator'))
    io.err(`checking ${relative(io.cwd, file)}\n`)
    const memory = replay === undefined ? memoryOf(io, file, seed, values['resume'] === true) : undefined
    const onProgress = progressWriter(io)
    // The operator is loaded in threads alone, so that a module that blocks does not block this one.
    const { report, isInterrupted } = await whileInterruptible(seconds, (signal) =>
      checker.checkModule(pathToFileURL(file), {
        only,
        seed,
        jobs,
        replay,
        memory,
        signal,
        onProgress,
      }),
    )
    if (io.isTerminal) io.err(CLEAR_LINE)
    if (!report.ended) memory?.forget()
    const target = textOf(values, 'write-test')
    if (target !== undefined && report.findings.length > 0) {
      const path = resolve(io.cwd, target)
      const from = relative(dirname(path), file)
      const text = checker.testFile(report, from.startsWith('.') ? from : `./${from}`)
      writeFile(path, text)
      io.err(`wrote ${path}\n`)
    }
    const folder = textOf(values, 'recordings')
    if (folder !== undefined) await writeRecordings(report, { file, folder: resolve(io.cwd, folder), io })
    const texts: Record<Format, () => string> = {
      text: () => linesBehind(0, checker.textReport(report), io).join('\n'),
      json: () => `${JSON.stringify(report, undefined, 2)}\n`,
      junit: () => checker.junitReport(report),
      sarif: () => checker.sarifReport(report, { root: io.cwd, fallback: file }),
    }
    io.out(texts[format]())
    if (folder === undefined && format === 'text' && report.findings.length > 0)
      io.err('--recordings=FOLDER writes each story as a recording, to step through it on the page\n')
    if (report.findings.length > 0) return 1
    return report.ended && isInterrupted ? INTERRUPTED : 0
  },
}

/** The exit code that shells use for a program that Ctrl-C ended: nothing was found, but not everything was tried. */
const INTERRUPTED = 130
const CLEAR_LINE = '\r\u001B[K'

function classesOf(
  given: readonly string[] | undefined,
  known: readonly string[],
): readonly FindingClass[] | undefined {
  for (const name of given ?? []) {
    if (known.includes(name)) continue
    const nearest = nearestName(name, known)
    throw usageError(
      `there is no class ${name}${nearest ? `: did you mean ${nearest}?` : `: there are ${known.join(', ')}`}`,
    )
  }
  return given as readonly FindingClass[] | undefined
}

function textOf(values: CommandCall['values'], name: string): string | undefined {
  const text = values[name]
  return typeof text === 'string' ? text : undefined
}

function numberOf(values: CommandCall['values'], name: string): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw usageError(`--${name} is ${JSON.stringify(text)}: give a whole number from 1 on`)
}

function formatOf(values: CommandCall['values']): Format {
  const format = values['format'] ?? (values['json'] ? 'json' : 'text')
  const found = FORMATS.find((one) => one === format)
  if (found) return found
  throw usageError(`there is no format ${String(format)}: there are ${FORMATS.join(', ')}`)
}

/** Saves the progress in the user's cache folder, so that `--resume` can continue a check that was killed. */
function memoryOf(
  io: CommandIo,
  file: string,
  seed: number | undefined,
  resumes: boolean,
): CheckMemory & { forget(): void } {
  const name = createHash('sha256')
    .update(JSON.stringify([file, seed ?? 1]))
    .digest('hex')
  const folder = join(
    io.env['XDG_CACHE_HOME'] || join(io.env['HOME'] || homedir(), '.cache'),
    'homeostat',
    'check',
  )
  const path = join(folder, `${name.slice(0, 24)}.json`)
  /** Written first, then renamed. A process that is killed meanwhile leaves it behind. */
  const unfinished = `${path}.new`
  let isKept = true
  return {
    read: () => (resumes && existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    write: (kept) => {
      if (!isKept) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // The file is replaced as a whole: a reader finds the old text or the new one, even if this process is killed.
        writeFileSync(unfinished, kept, { mode: 0o600 })
        renameSync(unfinished, path)
      } catch (error) {
        isKept = false
        const why = error instanceof Error ? error.message : String(error)
        io.err(
          `--resume will not be able to continue this check: its progress cannot be saved in ${folder}: ${why}\n`,
        )
      }
    },
    forget: () => {
      for (const kept of [path, unfinished]) rmSync(kept, { force: true })
    },
  }
}

/** Plays the story of each finding again, and writes it as a recording for the page. */
async function writeRecordings(
  { findings }: CheckReport,
  { file, folder, io }: { readonly file: string; readonly folder: string; readonly io: CommandIo },
): Promise<void> {
  const stories = findings.filter(({ story }) => story.length > 0)
  if (stories.length === 0) return
  const [{ replayFinding }, { StoryRecording }] = await Promise.all([
    import('@homeostat/check'),
    import('@homeostat/dashboard'),
  ])
  for (const [index, finding] of stories.entries()) {
    const recording = new StoryRecording()
    await replayFinding(pathToFileURL(file), finding, recording)
    const name = `${index + 1}-${finding.class}.json`
    writeFiles(folder, { [name]: recording.json() })
    io.err(`wrote ${join(folder, name)}\n`)
  }
  io.err(
    'to step through a story, choose Open recording on the page of homeostat dev (its key o opens the page), and one of these files\n',
  )
}

/** How many progress lines are printed where lines cannot be overwritten. */
const PARTS = 4

/** Writes a progress line: in a terminal one that is overwritten, elsewhere a line for each quarter of the trials. */
function progressWriter(io: CommandIo): (progress: CheckProgress) => void {
  let told = -1
  return ({ runs, states, trials, planned, class: looked, findings, notes }) => {
    const part = Math.floor((PARTS * trials) / planned)
    if (!io.isTerminal && part === told) return
    const begin = io.isTerminal ? CLEAR_LINE : ''
    const end = io.isTerminal ? '' : '\n'
    const resumed = told < 0 && trials > 0 ? 'continuing after ' : ''
    if (told < 0) for (const note of notes) io.err(`${begin}note: ${note}\n`)
    told = part
    io.err(
      `${begin}${resumed}${trials} of ${planned} trials, ${runs} runs, ${states} states, ${findings} findings, now: ${looked}${end}`,
    )
  }
}

/** Runs a check. Ctrl-C ends it early, with the findings so far, and so does the end of its time. */
async function whileInterruptible(
  seconds: number | undefined,
  run: (signal: AbortSignal) => Promise<CheckReport>,
): Promise<{ report: CheckReport; isInterrupted: boolean }> {
  const abort = new AbortController()
  let isInterrupted = false
  const interrupt = (): void => {
    isInterrupted = true
    abort.abort()
  }
  process.once('SIGINT', interrupt)
  const timer = seconds && new SystemClock().schedule(seconds * 1_000, () => abort.abort())
  try {
    return { report: await run(abort.signal), isInterrupted }
  } finally {
    process.off('SIGINT', interrupt)
    if (timer) timer.cancel()
  }
}
