/** `npm run picture`: plays the demo and draws what it prints as a picture for the README, `docs/demo.svg`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { drawTerminal } from './picture/draw-terminal.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'homeostat-picture-'))
try {
  const demo = ['--conditions=source', 'scripts/demo/main.ts', '--no-follow', '--dir', folder]
  const printed = execFileSync(process.execPath, demo, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '1' },
  })
  // The token of a demo that has ended helps no reader.
  const plain = printed.replaceAll(folder, '.homeostat').replace(/(?<=token=)[\w-]+/, '…')
  const shown = `$ npm run demo\n${plain.trimEnd()}`
  writeFileSync(join(root, 'docs', 'demo.svg'), drawTerminal(shown))
  console.log('written: docs/demo.svg')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
