import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium, type BrowserContext } from 'playwright-core'

/** A browser of its own, with nothing remembered, that goes without a trace. */
export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext
}

/** The machine's Chromium. */
export const browserProgram = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find(isExecutable)

/** Whether the machine has a Chromium. In CI it must. */
export const hasBrowser = browserProgram !== undefined

if (!hasBrowser && process.env['CI']) throw new Error('CI needs a Chromium on the PATH for the browser tests')

/** Starts the machine's Chromium without a window. */
export async function openBrowser(): Promise<Browser> {
  if (!browserProgram)
    throw new Error('There is no Chromium on the PATH: install one, such as the package chromium')
  const profile = mkdtempSync(join(tmpdir(), 'homeostat-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserProgram,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
