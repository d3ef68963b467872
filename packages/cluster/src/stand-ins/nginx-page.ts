/** The page of a server that has no files. */
export const WELCOME_PAGE = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
<style>
html { color-scheme: light dark; }
body { width: 35em; margin: 0 auto; font-family: Tahoma, Verdana, Arial, sans-serif; }
</style>
</head>
<body>
<h1>Welcome to nginx!</h1>
<p>This page comes from the local cluster's own static file server, which stands in for nginx.
Mount files at /usr/share/nginx/html to see them here.</p>
</body>
</html>
`

/** The page of a failure, in the server's usual look. */
export function errorPage(status: number, reason: string): string {
  return (
    `<html>\r\n<head><title>${status} ${reason}</title></head>\r\n<body>\r\n` +
    `<center><h1>${status} ${reason}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`
  )
}

const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'application/javascript',
  json: 'application/json',
  mjs: 'application/javascript',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'text/xml',
  zip: 'application/zip',
}

/** The type of a file by its name. */
export function contentType(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(TYPES, ending) && TYPES[ending]) || 'application/octet-stream'
}
