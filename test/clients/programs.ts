import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder } from '../../benchmarks/runtime/builds.ts'
import type { ClientProgram } from './program-report.ts'

/** A client of other people, the program that uses it here, and what that program checks, as it says it. */
interface Client {
  readonly title: string
  readonly checks: readonly string[]
  /** Fetches and builds what the program needs, outside the repository. */
  readonly prepare: (signal: AbortSignal) => Promise<ClientProgram>
}

const folder = (name: string): string => join(import.meta.dirname, name)

const python = join(cacheFolder('python-clients'), 'bin', 'python')

async function preparePython(signal: AbortSignal): Promise<void> {
  const target = cacheFolder('python-clients')
  const requirements = join(folder('python'), 'requirements.txt')
  await build(
    {
      peer: 'python-clients',
      toolchain: { program: 'python3', from: 'https://www.python.org' },
      sources: [requirements],
      result: python,
      steps: [
        { file: 'python3', args: ['-m', 'venv', target], cwd: import.meta.dirname },
        { file: python, args: ['-m', 'pip', 'install', '--quiet', '-r', requirements], cwd: target },
      ],
    },
    signal,
  )
}

function pythonProgram(title: string, file: string, checks: readonly string[]): Client {
  return {
    title,
    checks,
    prepare: async (signal) => {
      await preparePython(signal)
      return { file: python, args: ['-B', join(folder('python'), file)] }
    },
  }
}

export const CLIENTS: readonly Client[] = [
  pythonProgram('the official Python client', 'client.py', [
    'native objects are created, replaced, patched and deleted',
    'a Deployment and a Service get their defaults',
    'a list comes in pages',
    'a watch follows changes',
    'a watch from a revision that is gone ends with 410',
    'a definition is created with models',
    'custom objects are created, patched and refused',
    'the dynamic client discovers, applies and watches',
    'objects are created from documents',
    'reviews, the version and groups are answered',
    'all of it is deleted',
  ]),
  pythonProgram('an operator on kopf', 'kopf_program.py', [
    'a definition is created',
    'a creation is handled, with a finalizer and a result',
    'a handler that fails is called again',
    'a timer ticks',
    'a daemon runs',
    'an event is posted',
    'events of another kind are handled',
    'a change is handled with its difference',
    'a deletion is handled before the object goes',
    'the operator ends well',
    'the definition is deleted',
  ]),
  {
    title: 'the official JavaScript client',
    checks: [
      'native objects are created, replaced, patched and deleted',
      'a Deployment gets its defaults and is scaled',
      'a watch follows changes',
      'an informer keeps a copy',
      'a definition is created, and objects of the kind',
      'the client of any kind discovers, applies, lists and deletes',
      'reviews are answered',
      'all of it is deleted',
    ],
    prepare: async (signal) => {
      // It is copied because a program finds its packages beside itself, and these are not the workspace's.
      const target = cacheFolder('test-client-node')
      mkdirSync(target, { recursive: true })
      cpSync(folder('client-node'), target, { recursive: true })
      await build(
        {
          peer: 'test-client-node',
          toolchain: { program: 'npm', from: 'it comes with Node' },
          sources: [join(folder('client-node'), 'package.json')],
          result: join(target, 'node_modules'),
          steps: [
            { file: 'npm', args: ['install', '--no-audit', '--no-fund', '--loglevel=error'], cwd: target },
          ],
        },
        signal,
      )
      return { file: process.execPath, args: [join(target, 'program.mjs')] }
    },
  },
  {
    title: "fabric8's client and the Java operator SDK",
    checks: [
      'native objects are created, replaced, patched and deleted',
      'a Deployment is scaled',
      'a list comes in pages',
      'a watch follows changes',
      'an informer keeps a copy',
      'a definition is loaded, and typed objects of the kind',
      'an operator reconciles, writes the status and cleans up',
      'all of it is deleted',
    ],
    prepare: async (signal) => {
      const target = cacheFolder('java-clients')
      mkdirSync(target, { recursive: true })
      cpSync(folder('java'), target, { recursive: true })
      await build(
        {
          peer: 'java-clients',
          toolchain: { program: 'mvn', from: 'https://maven.apache.org' },
          sources: [folder('java')],
          result: join(target, 'target', 'dependency'),
          steps: [
            { file: 'mvn', args: ['-q', '-B', 'compile', 'dependency:copy-dependencies'], cwd: target },
          ],
        },
        signal,
      )
      const classes = [join(target, 'target', 'classes'), join(target, 'target', 'dependency', '*')].join(':')
      return {
        file: 'java',
        args: ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', classes, 'clients.Program'],
      }
    },
  },
]
