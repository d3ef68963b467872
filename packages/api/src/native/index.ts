/**
 * The kinds that every Kubernetes serves, each as a value and as the type of its objects, and the
 * interfaces of their parts, such as `CoreV1.Container`. This module is `@homeostat/api/kinds`.
 */
export * from './generated/native.ts'
