export function nativeBehaviour(_group: string, _kind: string): { default?(object: object): void } | undefined { return undefined }
