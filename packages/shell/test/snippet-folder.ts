import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the folder that a script of the comparison runs in. */
export function makeSnippetFolder(folder: string): void {
  mkdirSync(join(folder, 'tree/sub'), { recursive: true })
  writeFileSync(join(folder, 'words'), 'apple\nbanana\ncherry\nfig\n')
  writeFileSync(join(folder, 'lib'), 'greet() { echo "hello $1"; }\nFROM_LIB=yes\n')
  writeFileSync(join(folder, 'tree/a.txt'), 'alpha\n')
  writeFileSync(join(folder, 'tree/b.txt'), 'beta\n')
  writeFileSync(join(folder, 'tree/.hidden'), '')
  writeFileSync(join(folder, 'tree/sub/c.md'), 'gamma\n')
  symlinkSync('words', join(folder, 'link'))
}
