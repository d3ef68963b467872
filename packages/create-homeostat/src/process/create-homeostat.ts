import { basename, relative, resolve } from 'node:path'
import { answersOf, CreateError, HELP, readCommandLine, type CommandLine } from '../answers/index.ts'
import { checkFolder, packageVersion, projectFiles, writeProject } from '../project/index.ts'
import { askFor } from './ask.ts'
import { wrapped } from './wrapped.ts'

const NAME = 'create-homeostat'
const DEFAULT_FOLDER = 'my-operator'

/** `npm create homeostat`: creates a project. Returns the exit code. */
export async function createHomeostat(args: readonly string[]): Promise<number> {
  try {
    const line = readCommandLine(args)
    if (line === 'help') process.stdout.write(HELP)
    else if (line === 'version') process.stdout.write(`${NAME} ${packageVersion()}\n`)
    else await create(line)
    return 0
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    process.stderr.write(`${wrapped(`${NAME}: ${error.message}`, process.stderr.columns)}\n`)
    if (error.code === 'USAGE') process.stderr.write('Run npm create homeostat -- --help to see how.\n')
    return { USAGE: 2, CANCELLED: 130, FOLDER_NOT_EMPTY: 1, FOLDER_NOT_WRITABLE: 1 }[error.code]
  }
}

async function create({ folder: given, given: options, yes }: CommandLine): Promise<void> {
  const folder = resolve(given ?? options.name ?? DEFAULT_FOLDER)
  // Checked before the questions, so that no answers are lost.
  checkFolder(folder)
  const suggested = basename(folder)
  // Also checked before the first question.
  const defaults = answersOf(options, suggested)
  const answers = yes ? defaults : await askFor(options, suggested)
  const files = projectFiles(answers)
  // Signals are ignored while the files are written, so that no incomplete project is left.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore)
  try {
    writeProject(folder, files)
  } finally {
    process.off('SIGINT', ignore)
  }
  const path = relative(process.cwd(), folder)
  process.stdout.write(`\n${files.size} files are in ${folder}. Next:\n\n`)
  if (path !== '') process.stdout.write(`  cd ${/\s/.test(path) ? `"${path}"` : path}\n`)
  process.stdout.write(
    '  npm install\n  npm test         the tests, on an API server in their own process\n  npm run dev      a local Kubernetes and the operator, restarted at each save\n',
  )
}
