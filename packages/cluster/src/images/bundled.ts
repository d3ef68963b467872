import type { CommandImage, ImageMap } from './image.ts'
import { mdbook } from './mdbook.ts'
import { pause } from './pause.ts'

/**
 * The machine's own shell, and those commands that people start by name in busybox. A shell can start
 * anything, so the list opens no door that `sh -c` does not.
 */
const busybox: CommandImage = {
  command: 'sh',
  commands: (
    'awk base64 basename cat cut date dirname echo env expr false find grep head hostname id ls md5sum mkdir ' +
    'nc printenv printf pwd sed seq sha256sum sleep sort tail tee test touch tr true uname uniq wc wget whoami ' +
    'xargs yes'
  ).split(' '),
}

/** The images that come along. */
export const bundledImages: ImageMap = {
  busybox,
  pause: { module: pause },
  'registry.k8s.io/pause': { module: pause },
  'peaceiris/mdbook': { module: mdbook },
}
