/** `npm run docs`: builds the documentation site and serves it on loopback. */
import { parseArgs } from 'node:util'
import { buildSite, SITE_FOLDER, SiteError } from './docs/build-site.ts'
import { serveFolder } from './docs/serve-folder.ts'

const HELP = `Usage: npm run docs [-- options]

Builds the documentation site from docs/ and the comments of the packages, and serves it on this machine.

Options:
  --build        only build it, into docs/site/dist
  --port NUMBER  the port (default: 4173; 0 takes a free one)
  --help         show this text`

process.exitCode = await main()

async function main(): Promise<number> {
  const options = readOptions()
  if (typeof options === 'number') return options
  try {
    await buildSite()
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    console.error(error.message)
    return 1
  }
  if (options.isBuildOnly) return 0
  const stopped = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve())
  try {
    await using served = await serveFolder(SITE_FOLDER, options.port)
    console.log(`The documentation: ${served.url}\nCtrl-C ends it.`)
    await stopped.promise
    return 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    console.error(`Port ${options.port} is in use: choose another one with --port.`)
    return 1
  }
}

/** The options, or the exit code where there is nothing to do. */
function readOptions(): { readonly isBuildOnly: boolean; readonly port: number } | number {
  try {
    const { values } = parseArgs({
      options: {
        build: { type: 'boolean', default: false },
        port: { type: 'string', default: '4173' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) {
      console.log(HELP)
      return 0
    }
    if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port needs a number, not ${values.port}`)
    return { isBuildOnly: values.build, port: Number(values.port) }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    return 2
  }
}
