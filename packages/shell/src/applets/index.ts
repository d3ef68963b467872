/** The small programs that every container has, by name. They see the container's files and nothing else. */
import type { Applet } from './applet-context.ts'
import { catApplets } from './cat.ts'
import { copyApplets } from './copy.ts'
import { createApplets } from './create.ts'
import { digestApplets } from './digest.ts'
import { exprApplets } from './expr.ts'
import { findApplets } from './find.ts'
import { grepApplets } from './grep.ts'
import { headTailApplets } from './head-tail.ts'
import { lineApplets } from './lines.ts'
import { listApplets } from './list-folder.ts'
import { networkApplets } from './network.ts'
import { pathApplets } from './paths.ts'
import { removeApplets } from './remove.ts'
import { sedApplets } from './sed.ts'
import { sortApplets } from './sort.ts'
import { surroundingApplets } from './surroundings.ts'
import { tarApplets } from './tar.ts'
import { timeApplets } from './time.ts'
import { trApplets } from './tr.ts'

export { AppletContext, AppletFailure, type Applet, type Spawn } from './applet-context.ts'

/** All applets. */
export const applets: ReadonlyMap<string, Applet> = new Map(
  Object.entries({
    ...catApplets,
    ...copyApplets,
    ...createApplets,
    ...digestApplets,
    ...exprApplets,
    ...findApplets,
    ...grepApplets,
    ...headTailApplets,
    ...lineApplets,
    ...listApplets,
    ...networkApplets,
    ...pathApplets,
    ...removeApplets,
    ...sedApplets,
    ...sortApplets,
    ...surroundingApplets,
    ...tarApplets,
    ...timeApplets,
    ...trApplets,
  }),
)
