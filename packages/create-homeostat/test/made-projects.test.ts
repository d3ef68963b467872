import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const program = join(root, 'packages/create-homeostat/bin/create-homeostat.mjs')
/** Programs that compile or test four projects, on a machine that does the same at the same time. */
const SLOW = 600_000
const VARIANTS = [
  ['all', ['--owns', '--webhooks', '--group=shop.example.com', '--kind=Page']],
  ['owns', ['--owns', '--no-webhooks']],
  ['admits', ['--no-owns', '--webhooks']],
  ['least', ['--no-owns', '--no-webhooks']],
] as const

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'create-homeostat-'))
  for (const [name, flags] of VARIANTS) {
    const { code, output } = await run([program, name, '--yes', ...flags])
    if (code !== 0) throw new Error(output)
  }
  for (const name of dependencies()) link(name)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs Node as a user's shell would: outside of this test's runner. */
async function run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=source', ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1', CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output: `${out}\n${err}` }
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const readJson = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest

/** Installs only the dependencies that the package.json of the projects names. */
function dependencies(): string[] {
  const manifest = readJson(join(folder, 'all/package.json'))
  return [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]
}

function link(name: string): void {
  const place = join(folder, 'node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), place)
}

const filesOf = (name: string): string[] =>
  readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, name).length + 1))

describe('a made project', () => {
  it.each(VARIANTS)('%s has fewer than 15 files, each short', (name) => {
    const files = filesOf(name)
    expect(files.length).toBeLessThan(15)
    expect(files).toEqual(
      expect.arrayContaining([
        'kind.ts',
        'controller.ts',
        'operator.ts',
        'main.ts',
        'operator.test.ts',
        'Dockerfile',
        'tsconfig.json',
        '.github/workflows/ci.yml',
        '.gitignore',
        'README.md',
      ]),
    )
    expect(files.includes('admission.ts')).toBe(name === 'all' || name === 'admits')
    for (const file of files) {
      const lines = readFileSync(join(folder, name, file), 'utf8').split('\n')
      expect(lines.length, file).toBeLessThan(80)
      expect(lines.join('\n'), file).not.toMatch(/my-operator|my\.example|mykind/i)
    }
  })

  it('carries the names that were given', () => {
    const kind = readFileSync(join(folder, 'all/kind.ts'), 'utf8')
    expect(kind).toContain("group: 'shop.example.com'")
    expect(kind).toContain("kind: 'Page'")
    expect(readFileSync(join(folder, 'all/operator.ts'), 'utf8')).toContain("operator('all', {")
    expect(readFileSync(join(folder, 'owns/kind.ts'), 'utf8')).toContain("kind: 'Owns'")
  })

  it('links in its README to files that it has', () => {
    for (const [name] of VARIANTS) {
      const readme = readFileSync(join(folder, name, 'README.md'), 'utf8')
      const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
      expect(filesOf(name)).toEqual(expect.arrayContaining(links))
      expect(links).toContain('controller.ts')
    }
  })

  it('uses the versions of this workspace', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'packages/runtime/package.json'), 'utf8')) as {
      version: string
    }
    const { dependencies: used, devDependencies: tools } = readJson(join(folder, 'all/package.json'))
    expect(used).toEqual({ homeostat: `^${version}` })
    const { devDependencies: ours } = readJson(join(root, 'package.json'))
    for (const [name, range] of Object.entries(tools)) {
      expect([name, range]).toEqual([name, name.startsWith('@homeostat/') ? `^${version}` : ours[name]])
    }
  })

  it('compiles under strict options, in each variant', { timeout: SLOW }, async () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(folder, 'all/tsconfig.json'), 'utf8')) as {
      compilerOptions: { strict: boolean; lib: string[] }
    }
    expect(compilerOptions.strict).toBe(true)
    // The sources of our packages, which stand for what is published, need two more libraries.
    const lib = [...compilerOptions.lib, 'esnext.collection', 'esnext.iterator']
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: './all/tsconfig.json',
        compilerOptions: { customConditions: ['source'], lib },
        include: VARIANTS.map(([name]) => `${name}/*.ts`),
      }),
    )
    const { code, output } = await run([join(folder, 'node_modules/typescript/bin/tsc'), '-p', folder])
    expect(code, output).toBe(0)
  })

  it('has tests that pass, in each variant', { timeout: SLOW }, async () => {
    const { code, output } = await run([
      join(folder, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(import.meta.dirname, 'linked.config.ts'),
      '--root',
      folder,
    ])
    expect(code, output).toBe(0)
    expect(output).toMatch(/Test Files +6 passed/)
    expect(output).toMatch(/Tests +12 passed/)
  })

  it('converges, as far as homeostat check finds, and has manifests', { timeout: SLOW }, async () => {
    const homeostat = join(folder, 'node_modules/@homeostat/cli/bin/homeostat.mjs')
    for (const [name] of VARIANTS) {
      const { code, output } = await run([homeostat, 'manifests', '--print', `--operator=${name}`])
      expect(code, output).toBe(0)
      expect(output).toContain('kind: CustomResourceDefinition')
    }
    const { code, output } = await run([homeostat, 'check', '--operator=all', '--only=crash'])
    expect([code, output]).toEqual([0, expect.stringContaining('no finding')])
  })
})
