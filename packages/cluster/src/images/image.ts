import { basename, isAbsolute } from 'node:path'
import type { ContainerModule } from './container.ts'
import { isInterpreter } from './interpreters.ts'

/** An image that is a function in this process. */
export interface ModuleImage {
  readonly module: ContainerModule
}

/**
 * An image that is a command of this machine. The command is started directly with its arguments, without a shell.
 * It finds its mounts below the folder that it starts in (`book/src` for `/book/src`), and the Pod's loopback
 * address, where it should listen, in `HOMEOSTAT_POD_ADDRESS`.
 */
export interface CommandImage {
  /** The command that runs if the Pod gives none: a name on the PATH, or an absolute path. */
  readonly command: string
  /**
   * Arguments that come first, before those of the Pod: the script of an interpreter, for example. A Pod's `args`
   * then go to the script; an interpreter without a script takes no arguments from a Pod. Default: none.
   */
  readonly entry?: readonly string[] | undefined
  /** The arguments if the Pod gives neither `command` nor `args`. Default: none. */
  readonly args?: readonly string[] | undefined
  /**
   * Other commands that a Pod may name in its `command`: names on the PATH, or absolute paths, for which a Pod may give any
   * path with the same last part. An interpreter also needs `hostCommands`. Default: none.
   */
  readonly commands?: readonly string[] | undefined
  /** Lets a Pod name any command of this machine, and give any arguments to an interpreter. Default: false. */
  readonly hostCommands?: boolean | undefined
  /**
   * Returns why the command cannot run on this machine, if something is missing: the image then counts as one that
   * cannot be pulled, and the Pod's status says why. Default: nothing is missing.
   */
  readonly problem?: (() => string | undefined) | undefined
}

/** The module or command that runs for an image. */
export type Image = ModuleImage | CommandImage

/** Maps the name of an image, with or without a tag, to the module or command that runs for it. `undefined` removes a bundled image. */
export type ImageMap = Readonly<Record<string, Image | undefined>>

/** The registries' own prefixes that a name may leave out. */
const DEFAULT_PREFIXES = ['docker.io/library/', 'index.docker.io/library/', 'docker.io/', 'index.docker.io/']

/**
 * Finds what runs for the name of an image: the exact name, then without digest and tag, then without
 * the default registry. `undefined` when nothing is mapped to it.
 */
export function resolveImage(images: ImageMap, name: string): Image | undefined {
  for (const candidate of candidates(name)) {
    const image = Object.hasOwn(images, candidate) ? images[candidate] : undefined
    if (image) return image
  }
  return undefined
}

function candidates(name: string): string[] {
  const withoutDigest = name.replace(/@[^@/]*$/, '')
  const names = [name, withoutDigest, withoutDigest.replace(/:[^:/]*$/, '')]
  const short = names.flatMap((full) => {
    const prefix = DEFAULT_PREFIXES.find((prefix) => full.startsWith(prefix))
    return prefix ? [full.slice(prefix.length)] : []
  })
  return [...new Set([...names, ...short])]
}

/** The argv of a container, or why it has none. */
export type Argv = { readonly argv: readonly [string, ...string[]] } | { readonly refused: string }

/** The fields of a Pod that decide which command a container runs. */
export interface WantedCommand {
  readonly command: readonly string[]
  readonly args: readonly string[]
  /**
   * The name of the command in the message of a refusal, since the command may have come from a Secret. Default:
   * its first word.
   */
  readonly shown?: string | undefined
  /** Whether the container's input is open to others (`stdin: true`, `kubectl exec -i`). Default: false. */
  readonly input?: boolean | undefined
}

/**
 * The argv that a container runs, by the rules of Pods: `command` replaces the image's command and its
 * arguments, `args` replaces the arguments alone. A command that the mapping does not allow is refused. So are arguments
 * and input for an interpreter: they would run any code on this machine.
 */
export function argvOf(image: CommandImage, wanted: WantedCommand): Argv {
  const [command, ...rest] = wanted.command
  if (command === undefined) {
    const { entry = [], args = [] } = image
    const given = wanted.args.length > 0
    const free = entry.length === 0 && (given || (wanted.input === true && args.length === 0))
    if (free && !image.hostCommands && isInterpreter(image.command)) {
      return { refused: freeArguments(image.command, given ? 'arguments' : 'input') }
    }
    return { argv: [image.command, ...entry, ...(given ? wanted.args : args)] }
  }
  const shown = wanted.shown ?? command
  const program = allowedProgram(image, command)
  if (program === undefined) {
    return {
      refused:
        `the command ${JSON.stringify(shown)} is not allowed for this image: map the image with ` +
        'hostCommands: true, or name the command in its commands (--image="NAME=COMMAND; ALLOWED")',
    }
  }
  if (!image.hostCommands && isInterpreter(program)) return { refused: freeArguments(shown, 'arguments') }
  return { argv: [program, ...rest, ...wanted.args] }
}

function freeArguments(program: string, what: 'arguments' | 'input'): string {
  return (
    `${JSON.stringify(program)} would run any code that it gets as ${what} on this machine: ` +
    'start the cluster with --host-commands (hostCommands: true) to allow that, or map the image with a fixed script ' +
    "(entry: ['/path/to/script']), which then takes the Pod's args"
  )
}

/**
 * The program that runs for a command of a Pod; undefined where the mapping does not allow it. Pods name commands by the
 * paths that images have: `/bin/sh` is `sh`, and `/manager` is a mapped `/home/me/bin/manager`.
 */
function allowedProgram(image: CommandImage, command: string): string | undefined {
  if (image.hostCommands) return command
  // Where a script comes first, the interpreter without it would run anything.
  const own = image.entry ? [] : [image.command]
  const names = [...own, ...(image.commands ?? [])]
  if (names.includes(command)) return command
  if (names.some((name) => SYSTEM_FOLDERS.some((folder) => command === `${folder}/${name}`))) return command
  return names.find((name) => isAbsolute(name) && basename(name) === basename(command))
}

const SYSTEM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin']
