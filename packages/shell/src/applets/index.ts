/** The small programs that every container has, by name. They see the container's files and nothing else. */
import type { Applet } from './context/applet-context.ts'
import { catApplets } from './text/cat.ts'
import { copyApplets } from './files/copy.ts'
import { createApplets } from './files/create.ts'
import { digestApplets } from './text/digest.ts'
import { exprApplets } from './text/expr.ts'
import { findApplets } from './files/find.ts'
import { grepApplets } from './text/grep.ts'
import { headTailApplets } from './text/head-tail.ts'
import { lineApplets } from './text/lines.ts'
import { listApplets } from './files/list-folder.ts'
import { networkApplets } from './network/network.ts'
import { pathApplets } from './files/paths.ts'
import { removeApplets } from './files/remove.ts'
import { sedApplets } from './text/sed.ts'
import { sortApplets } from './text/sort.ts'
import { surroundingApplets } from './surroundings.ts'
import { tarApplets } from './files/tar.ts'
import { timeApplets } from './time.ts'
import { trApplets } from './text/tr.ts'

export { AppletContext, AppletFailure, type Applet, type Spawn } from './context/applet-context.ts'

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
