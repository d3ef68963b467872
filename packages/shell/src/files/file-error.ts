import { HomeostatError } from '@homeostat/api'

const MESSAGES = {
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  EINVAL: 'Invalid argument',
  EIO: 'I/O error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
  EXDEV: 'Invalid cross-device link',
} as const

/** The errors of files, by their POSIX names. */
export type FileErrorCode = keyof typeof MESSAGES

/**
 * An operation on a container's file that failed. The message names the path in the container, never one of this
 * machine; `reason` is the part that every tool prints after its own name for the file.
 */
export class FileError extends HomeostatError {
  readonly errno: FileErrorCode
  readonly path: string

  constructor(errno: FileErrorCode, path: string) {
    super('CONTAINER_FILE', `${path}: ${MESSAGES[errno]}`)
    this.errno = errno
    this.path = path
  }

  get reason(): string {
    return MESSAGES[this.errno]
  }
}

/** The error of a system call, with the container's path. */
export function fileErrorFrom(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return new FileError(code in MESSAGES ? (code as FileErrorCode) : 'EIO', path)
}
