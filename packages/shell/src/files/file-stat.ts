/** The types of the entries of a folder. Devices, sockets and named pipes of the machine are `other`, and never opened. */
export type FileKind = 'file' | 'folder' | 'link' | 'other'

/** The attributes of a file. */
export interface FileStat {
  readonly kind: FileKind
  readonly size: number
  /** The permission bits alone. */
  readonly mode: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly links: number
  readonly uid: number
  readonly gid: number
  /** A text that is the same for two names of one file, and different for two files. */
  readonly identity: string
}
