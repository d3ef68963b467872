/** `npm run reference`: makes the API reference from the comments, as pages in `docs/reference/site`. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '..', 'docs', 'reference')
const typedoc = join(folder, 'node_modules', 'typedoc', 'bin', 'typedoc')

if (!existsSync(typedoc)) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  })
}
execFileSync(process.execPath, [typedoc], { cwd: folder, stdio: 'inherit' })
