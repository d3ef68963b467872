import { busybox } from './busybox.ts'
import { echoServer, httpEcho } from './echo-server.ts'
import type { ImageMap } from '../images/index.ts'
import { lateModule } from './late-module.ts'
import { mariadbImage } from './mariadb.ts'
import { nginx } from './nginx.ts'
import { pause } from './pause.ts'

/** The images that come with this package. */
export const bundledImages: ImageMap = {
  alpine: { module: busybox },
  busybox: { module: busybox },
  'ealen/echo-server': { module: echoServer },
  'hashicorp/http-echo': { module: httpEcho },
  mariadb: mariadbImage(),
  mysql: mariadbImage(),
  nginx: { module: nginx },
  pause: { module: pause },
  'peaceiris/mdbook': { module: lateModule(async () => (await import('./mdbook.ts')).mdbook) },
  'registry.k8s.io/pause': { module: pause },
}
