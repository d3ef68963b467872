import { createHomeostat } from './create-homeostat.ts'

process.exitCode = await createHomeostat(process.argv.slice(2))
