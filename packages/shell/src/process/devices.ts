import type { Clock } from '@homeostat/api'
import { FileError, type ShellFiles, type OpenOptions } from '../files/index.ts'
import { OpenFile, type Descriptors } from './descriptors.ts'
import { FileInput, FileOutput } from './file-ends.ts'
import { Input, NoInput } from './input.ts'
import { noOutput } from './output.ts'

/** The parts that opening a path needs: the files, and the few devices that a container has. */
export interface Openers {
  readonly files: ShellFiles
  readonly clock: Clock
  readonly descriptors: Descriptors
}

/** Opens a path of the container: a file, or a device such as `/dev/null` or `/dev/stdin`. */
export function openPath(
  path: string,
  options: OpenOptions,
  { files, clock, descriptors }: Openers,
): OpenFile {
  const device = deviceAt(path, clock, descriptors)
  if (device) return device
  const file = files.open(path, options)
  return new OpenFile(options.write ? { output: new FileOutput(file) } : { input: new FileInput(file) })
}

/** The device of that name, if it is one. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|random|urandom|tty|std(?:in|out|err)|fd\/[0-9]+)$/.test(path)
}

function deviceAt(path: string, clock: Clock, descriptors: Descriptors): OpenFile | undefined {
  if (!isDevice(path)) return undefined
  const name = path.slice('/dev/'.length)
  if (name === 'null') return new OpenFile({ input: new NoInput(), output: noOutput })
  if (name === 'zero') return new OpenFile({ input: new EndlessInput(), output: noOutput })
  if (name === 'random' || name === 'urandom') {
    return new OpenFile({ input: new EndlessInput(() => clock.random() * 256), output: noOutput })
  }
  if (name === 'full') {
    const output = {
      write: async () => {
        throw new FileError('ENOSPC', path)
      },
    }
    return new OpenFile({ input: new EndlessInput(), output })
  }
  const number = ['stdin', 'stdout', 'stderr'].indexOf(name)
  const found = descriptors.get(number >= 0 ? number : name === 'tty' ? 0 : Number(name.slice(3)))
  if (!found || (name === 'tty' && !found.input?.isTerminal)) throw new FileError('ENOENT', path)
  return found
}

/** An endless input of bytes, such as zeros. */
class EndlessInput extends Input {
  readonly #next: (() => number) | undefined

  constructor(next?: () => number) {
    super()
    this.#next = next
  }

  protected override async pull(): Promise<Uint8Array> {
    return this.#next ? Uint8Array.from({ length: 4_096 }, this.#next) : new Uint8Array(65_536)
  }
}
