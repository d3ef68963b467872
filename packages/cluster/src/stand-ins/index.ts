/**
 * What runs for well-known images, in place of their content: `busybox`, `nginx`, `mariadb` and others. Only the cluster's entry
 * uses them; the kubelet runs what its map of images names.
 */
export { bundledImages } from './bundled.ts'
