/**
 * Counts the files and lines of a new project, of ours and of kubebuilder's, for the same kind with a controller and a validating
 * webhook. `npm run bench scaffold`; needs Go, which fetches kubebuilder.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { projectFiles } from 'create-homeostat'
import { goTool } from '../../test/manifests/go-tools.ts'
import { markdownTable } from '../markdown-table.ts'

/** Written by a program, and read by none but programs. */
const LOCKS = new Set(['go.sum', 'package-lock.json'])

const ours = [
  ...projectFiles({ name: 'pages', group: 'shop.example.com', kind: 'Page', owns: true, webhooks: true }),
]
const theirs = await kubebuilder()
const rows = [
  ['files', ...each(() => true, false)],
  ['lines', ...each(() => true)],
  ['… of code', ...each(isCode)],
  ['… of tests', ...each(isTest)],
  ['… of YAML', ...each((name) => /^\.ya?ml$/.test(extname(name)))],
]
console.log(markdownTable(['', 'create-homeostat', 'kubebuilder v4.15.0'], rows).join('\n'))

type File = readonly [name: string, text: string]

/** The count of files, or of their lines, of both projects. */
function each(counts: (name: string) => boolean, lines = true): string[] {
  return [ours, theirs].map((files) => {
    const counted = files.filter(([name]) => counts(name))
    const sum = counted.reduce((total, [, text]) => total + (text.match(/\n/g)?.length ?? 0), 0)
    return (lines ? sum : counted.length).toLocaleString('en')
  })
}

function isTest(name: string): boolean {
  return /[._]test\.(?:ts|go)$|^test\//.test(name)
}

function isCode(name: string): boolean {
  return /\.(?:ts|go)$/.test(name) && !isTest(name)
}

/** The files that kubebuilder makes, before `make` generates more of them. */
async function kubebuilder(): Promise<File[]> {
  const program = await goTool('kubebuilder', (reason) => {
    throw new Error(reason)
  })
  const scratch = mkdtempSync(join(tmpdir(), 'homeostat-scaffold-'))
  try {
    const cwd = join(scratch, 'pages')
    mkdirSync(cwd)
    const resource = ['--group=shop', '--version=v1alpha1', '--kind=Page', '--make=false']
    const steps = [
      ['init', '--domain=example.com', '--repo=example.com/pages', '--fetch-deps=false'],
      ['create', 'api', ...resource, '--resource', '--controller'],
      ['create', 'webhook', ...resource, '--programmatic-validation'],
    ]
    for (const args of steps) execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    return readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !LOCKS.has(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(cwd.length + 1), readFileSync(path, 'utf8')])
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
