/**
 * Stand-ins for well-known images: `busybox`, `nginx`, `mariadb` and others. Only the cluster's entry uses them; the kubelet knows
 * only its map of images.
 */
export { bundledImages } from './bundled.ts'
